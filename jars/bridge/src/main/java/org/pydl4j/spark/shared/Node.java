package org.pydl4j.spark.shared;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.pydl4j.PydlException;

/**
 * One JVM's part of an epoch's mesh. Its members, the driver or workers, hand messages to each other in memory; to the members of other JVMs
 * they go once per JVM. Where there are no other JVMs there is no network.
 */
final class Node implements AutoCloseable {
    /** updates that may wait for a member while it computes */
    private static final int WAITING = 4;
    private static final long LEAST_WAITING = 4 << 20;

    final UUID id = UUID.randomUUID();
    final Epoch epoch;
    /** bytes of the longest update */
    final int longest;

    private final Map<Integer, Member> members = new ConcurrentHashMap<>();
    private final List<Consumer<Message>> listeners = new CopyOnWriteArrayList<>();
    private final Map<UUID, Long> heard = new ConcurrentHashMap<>();
    private volatile Throwable failure;
    private boolean connecting;
    private Network network;
    private NodeAddress address;
    private volatile String trouble;

    private Node(Epoch epoch, int longest) {
        this.epoch = epoch;
        this.longest = longest;
    }

    /** For members that are all in this JVM. */
    static Node alone(Epoch epoch, int longest) {
        return new Node(epoch, longest);
    }

    /**
     * Listens for other nodes.
     *
     * @param executor as Spark names it, or {@code driver}
     * @param stream number of Aeron's stream of updates; the next is that of everything else
     * @param peers how many nodes may send at the same time
     */
    static Node listening(Epoch epoch, int longest, String executor, InetAddress ip, Ports ports, int stream, int peers) {
        Node node = new Node(epoch, longest);
        Place place = Place.open();
        String host = Addresses.hostName();
        try {
            node.network = new Network(node, place, host, ip.getHostAddress(), ports, stream, peers);
        } catch (RuntimeException e) {
            place.close();
            throw e;
        }
        node.address = new NodeAddress(
                node.id, executor, host, ip.getHostAddress(), node.network.port(), place.name(host), place.free());
        node.network.start();
        return node;
    }

    /** Why it cannot take part, although it can say so; null where it can. */
    String trouble() {
        return trouble;
    }

    void trouble(String why) {
        trouble = why;
    }

    /** Null for a node that is alone. */
    NodeAddress address() {
        return address;
    }

    Member join(int id) {
        Member member = new Member(this, id, Math.max(LEAST_WAITING, (long) WAITING * longest));
        if (members.putIfAbsent(id, member) != null) {
            throw new IllegalStateException("member " + id + " has joined already");
        }
        return member;
    }

    void leave(Member member) {
        members.remove(member.id, member);
    }

    /** Opens the way to other nodes; {@link #unreached()} tells how far it got. */
    void connect(List<NodeAddress> receivers, List<NodeAddress> controllers, int term) {
        network.connect(receivers, controllers, term);
    }

    /** Opens the way between the driver's node and an executor's, for everything but updates. */
    void control(NodeAddress other) {
        connect(List.of(), List.of(other), Plan.CONTROL_TERM);
    }

    /** Opens the way for updates to all others; for the node of an executor, on which several workers may call it. */
    synchronized void connectOnce(List<NodeAddress> all, int term) {
        if (connecting) {
            return;
        }
        connecting = true;
        List<NodeAddress> others = new ArrayList<>(all);
        others.removeIf(other -> other.id.equals(id));
        connect(others, List.of(), term);
    }

    List<NodeAddress> unreached() {
        return network.unreached();
    }

    // -- updates -------------------------------------------------------------------------------------------------------------------

    /** Who has no room for an update of this member, or null. */
    String full(Member from) {
        for (Member member : members.values()) {
            if (member != from && !member.inbox.hasRoom()) {
                return member.name();
            }
        }
        NodeAddress full = network == null ? null : network.full();
        return full == null ? null : full.toString();
    }

    /** The member that has no room for an update from elsewhere, or null. */
    Member full() {
        for (Member member : members.values()) {
            if (!member.inbox.hasRoom()) {
                return member;
            }
        }
        return null;
    }

    void send(Member from, Message message) {
        for (Member member : members.values()) {
            if (member != from) {
                member.inbox.add(message);
            }
        }
        if (network != null) {
            network.send(message);
        }
    }

    void deliver(Message message) {
        for (Member member : members.values()) {
            member.inbox.add(message);
        }
    }

    // -- what is said beside them --------------------------------------------------------------------------------------------------

    /** Calls the listener, on a thread of the node's or of a member's, with all that is said. */
    void listen(Consumer<Message> listener) {
        listeners.add(listener);
    }

    /** To the listeners of this node, and of those that it controls or is controlled by. */
    void say(Message message) {
        hear(message);
        if (network != null) {
            network.say(message);
        }
    }

    void hear(Message message) {
        if (message.kind == Kind.HEARTBEAT) {
            ByteBuffer sender = ByteBuffer.wrap(message.body);
            heard.put(new UUID(sender.getLong(), sender.getLong()), System.nanoTime());
            return;
        }
        for (Consumer<Message> listener : listeners) {
            listener.accept(message);
        }
    }

    Message heartbeat() {
        byte[] body = ByteBuffer.allocate(16).putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits()).array();
        return new Message(Kind.HEARTBEAT, Message.DRIVER, 0, body);
    }

    /** When the node was last heard of ({@link System#nanoTime()}), or null. */
    Long heard(UUID node) {
        return heard.get(node);
    }

    // -- failure and end -----------------------------------------------------------------------------------------------------------

    /** The first failure stays. */
    synchronized void fail(Throwable cause) {
        if (failure == null) {
            failure = cause;
        }
    }

    /** Throws what made the node unusable, if anything has. */
    void check() {
        Throwable cause = failure;
        if (cause instanceof PydlException) {
            throw (PydlException) cause;
        }
        if (cause != null) {
            throw new PydlException("TrainingError", "the network between workers failed" + (address == null ? "" : " at " + address) + ": " + cause
                    + (network == null || network.trouble() == null ? "" : "; before that: " + network.trouble()), null, cause);
        }
    }

    /** Messages that were refused: of another epoch or program. */
    long refused() {
        return network == null ? 0 : network.refused();
    }

    /** What was wrong with the last. */
    String lastRefused() {
        return network == null ? "none" : network.lastRefused();
    }

    /**
     * Waits until this node reaches all that it is connected to, and has heard of one of them; {@code meanwhile} is called again and again.
     *
     * @return what was not to be had in time
     */
    List<String> await(UUID heardOf, long nanos, Runnable meanwhile) throws InterruptedException {
        long end = System.nanoTime() + nanos;
        while (!isReady(heardOf) && System.nanoTime() < end) {
            meanwhile.run();
            check();
            TimeUnit.MILLISECONDS.sleep(2);
        }
        List<String> missing = new ArrayList<>();
        for (NodeAddress to : unreached()) {
            missing.add(address + " does not reach " + to);
        }
        if (missing.isEmpty() && heard(heardOf) == null) {
            missing.add("the driver does not reach " + address);
        }
        return missing;
    }

    private boolean isReady(UUID heardOf) {
        return unreached().isEmpty() && heard(heardOf) != null;
    }

    @Override
    public void close() {
        if (network != null) {
            network.close();
        }
    }
}
