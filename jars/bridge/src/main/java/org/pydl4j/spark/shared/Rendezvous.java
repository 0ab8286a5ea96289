package org.pydl4j.spark.shared;

import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.shade.jackson.databind.JsonNode;
import org.nd4j.shade.jackson.databind.node.ArrayNode;
import org.nd4j.shade.jackson.databind.node.ObjectNode;
import org.pydl4j.Bridge;
import org.pydl4j.Json;
import org.pydl4j.PydlException;

/**
 * How a worker meets the others before its first minibatch, by way of the driver ({@link Roll}). Spark's own allGather would do, but sleeps for a
 * second each time. Whatever would go wrong later goes wrong here, with hosts named.
 */
final class Rendezvous {
    /** both ways between two nodes */
    private static final long REACH_NANOS = TimeUnit.SECONDS.toNanos(6);
    /** the driver waits less long */
    private static final long OTHERS_NANOS = TimeUnit.SECONDS.toNanos(90);

    private final Call call;
    private final Node node;
    private final int worker;
    private final Signals signals;
    private final Runnable pulse;

    Rendezvous(Call call, Node node, int worker, Signals signals, Runnable pulse) {
        this.call = call;
        this.node = node;
        this.worker = worker;
        this.signals = signals;
        this.pulse = pulse;
    }

    static String version() {
        return Bridge.version();
    }

    static String backend() {
        return Nd4j.getBackend().getClass().getSimpleName() + ", " + ByteOrder.nativeOrder();
    }

    /** Returns when every worker is there and reaches all others. */
    void meet() throws InterruptedException {
        node.listen(signals);
        ObjectNode hello = Json.object().put("version", version()).put("backend", backend()).put("host", Addresses.hostName());
        if (node.address() != null) {
            hello.set("address", node.address().toJson());
        }
        if (node.trouble() != null) {
            hello.put("trouble", node.trouble());
        }
        say(Kind.HELLO, hello);
        ArrayNode missing = Json.array();
        if (node.address() != null) {
            requireDriver();
            await(() -> signals.roster() != null);
            connect(signals.roster());
            node.await(call.driverId, REACH_NANOS, pulse).forEach(missing::add);
        }
        say(Kind.READY, missing);
        await(signals::go);
    }

    private void requireDriver() throws InterruptedException {
        List<String> missing = node.await(call.driverId, REACH_NANOS, pulse);
        if (!missing.isEmpty()) {
            throw Roll.unreachable(missing);
        }
    }

    private void connect(JsonNode roster) {
        List<NodeAddress> all = new ArrayList<>();
        roster.required("nodes").forEach(address -> all.add(NodeAddress.parse(address)));
        node.connectOnce(all, roster.required("term").asInt());
    }

    private void say(Kind kind, JsonNode json) {
        node.say(new Message(kind, worker, 0, json.toString().getBytes(StandardCharsets.UTF_8)));
    }

    private void await(BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + OTHERS_NANOS;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new PydlException("TrainingError", "worker " + worker + " on " + Addresses.hostName() + " waited "
                        + TimeUnit.NANOSECONDS.toSeconds(OTHERS_NANOS) + " s for the others to start");
            }
            pulse.run();
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }
}
