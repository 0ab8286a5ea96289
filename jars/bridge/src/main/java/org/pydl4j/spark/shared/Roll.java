package org.pydl4j.spark.shared;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.nd4j.shade.jackson.databind.JsonNode;
import org.nd4j.shade.jackson.databind.node.ArrayNode;
import org.nd4j.shade.jackson.databind.node.ObjectNode;
import org.pydl4j.Json;
import org.pydl4j.PydlException;

/** The driver's part of the {@link Rendezvous}: who is there, where, and who reaches whom. */
final class Roll {
    private final Node node;
    private final int count;
    private final Map<Integer, JsonNode> hellos = new ConcurrentHashMap<>();
    private final Map<Integer, JsonNode> ready = new ConcurrentHashMap<>();
    private final Map<UUID, NodeAddress> nodes = new ConcurrentHashMap<>();
    private boolean called;
    private boolean gone;

    Roll(Node node, int count) {
        this.node = node;
        this.count = count;
        node.listen(this::hear);
    }

    private void hear(Message message) {
        if (message.kind == Kind.HELLO) {
            JsonNode hello = Json.parse(new String(message.body, StandardCharsets.UTF_8));
            if (hello.has("address")) {
                NodeAddress address = NodeAddress.parse(hello.required("address"));
                if (nodes.putIfAbsent(address.id, address) == null) {
                    node.control(address);
                }
            }
            hellos.put(message.sender, hello);
        } else if (message.kind == Kind.READY) {
            ready.put(message.sender, Json.parse(new String(message.body, StandardCharsets.UTF_8)));
        }
    }

    Collection<NodeAddress> nodes() {
        return nodes.values();
    }

    boolean isGone() {
        return gone;
    }

    /** Takes the next step when all are there. To be called again and again; true once the workers train. */
    boolean call() {
        if (!called && hellos.size() == count) {
            requireNoTrouble();
            requireEqual();
            called = true;
            if (node.address() != null) {
                node.say(message(Kind.ROSTER, roster()));
            }
        }
        if (!gone && ready.size() == count) {
            requireReached();
            gone = true;
            node.say(Message.of(Kind.GO, Message.DRIVER, 0));
        }
        return gone;
    }

    private void requireNoTrouble() {
        List<String> troubles = new ArrayList<>();
        for (JsonNode hello : new TreeMap<>(hellos).values()) {
            if (hello.has("trouble")) {
                troubles.add(hello.required("host").asText() + ": " + hello.required("trouble").asText());
            }
        }
        if (!troubles.isEmpty()) {
            throw new PydlException("SparkError", "not every executor can take part in gradient sharing:" + lines(troubles));
        }
    }

    private void requireEqual() {
        List<String> others = new ArrayList<>();
        for (JsonNode hello : new TreeMap<>(hellos).values()) {
            String host = hello.required("host").asText();
            compare(host, "pydl4j", hello.required("version").asText(), Rendezvous.version(), others);
            compare(host, "ND4J's backend", hello.required("backend").asText(), Rendezvous.backend(), others);
        }
        if (!others.isEmpty()) {
            throw new PydlException("SparkError", "gradient sharing needs one pydl4j and one backend on all hosts:"
                    + lines(others) + "\nPut the same jars on all of them.");
        }
    }

    private static void compare(String host, String what, String theirs, String drivers, List<String> others) {
        if (!theirs.equals(drivers)) {
            others.add(host + ": " + what + " is " + theirs + ", on the driver " + drivers);
        }
    }

    private ObjectNode roster() {
        Map<UUID, NodeAddress> all = new LinkedHashMap<>();
        all.put(node.id, node.address());
        new TreeMap<>(nodes).forEach(all::put);
        List<NodeAddress> addresses = new ArrayList<>(all.values());
        ArrayNode written = Json.array();
        addresses.forEach(address -> written.add(address.toJson()));
        ObjectNode roster = Json.object().put("term", Plan.term(addresses));
        roster.set("nodes", written);
        return roster;
    }

    private void requireReached() {
        List<String> missing = new ArrayList<>();
        new TreeMap<>(ready).values().forEach(list -> list.forEach(item -> missing.add(item.asText())));
        if (!missing.isEmpty()) {
            throw unreachable(missing);
        }
    }

    static PydlException unreachable(List<String> missing) {
        return new PydlException("SparkError", "UDP does not get through:" + lines(missing) + "\nOpen the ports (unicast_port, port_range of "
                + "VoidConfiguration), or name a network that driver and executors share (network_mask, controller_address).");
    }

    private static String lines(List<String> items) {
        return items.stream().distinct().map(item -> "\n  " + item).reduce("", String::concat);
    }

    private static Message message(Kind kind, JsonNode json) {
        return new Message(kind, Message.DRIVER, 0, json.toString().getBytes(StandardCharsets.UTF_8));
    }
}
