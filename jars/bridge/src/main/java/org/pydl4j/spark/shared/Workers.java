package org.pydl4j.spark.shared;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.pydl4j.PydlException;
import org.pydl4j.spark.LostExecutor;
import org.pydl4j.spark.Tally;

/** What the driver knows of an epoch's workers from what they say. */
final class Workers {
    private static final long SILENT_NANOS = TimeUnit.SECONDS.toNanos(10);
    /** a watch that itself stood still for so long blames nobody */
    private static final long LATE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final Node node;
    private final Map<Integer, State> states = new ConcurrentHashMap<>();
    private long looked = System.nanoTime();
    private long excused = looked;

    /** One worker's. */
    private static final class State {
        volatile int minibatches;
        volatile long examples;
        volatile double score;
        volatile long sent;
        volatile long moved = System.nanoTime();
        volatile boolean ended;
        volatile boolean received;
    }

    Workers(Node node, int count) {
        this.node = node;
        for (int worker = 0; worker < count; worker++) {
            states.put(worker, new State());
        }
        node.listen(this::hear);
    }

    private void hear(Message message) {
        if (message.kind == Kind.PROGRESS) {
            State state = states.get(message.sender);
            ByteBuffer body = ByteBuffer.wrap(message.body);
            state.minibatches = Math.toIntExact(body.getLong());
            state.examples = body.getLong();
            state.score = body.getDouble();
            state.ended = body.get() != 0;
            state.sent = message.sequence;
            state.moved = System.nanoTime();
        } else if (message.kind == Kind.RECEIVED) {
            State state = states.get(message.sender);
            state.sent = message.sequence;
            state.moved = System.nanoTime();
            state.received = true;
        }
    }

    /** Whether each has all that the others sent. */
    boolean haveAll() {
        return states.values().stream().allMatch(state -> state.received);
    }

    /** Whether each has trained its last minibatch. */
    boolean haveEnded() {
        return states.values().stream().allMatch(state -> state.ended);
    }

    /** Those that miss updates of others. */
    List<Integer> incomplete() {
        List<Integer> incomplete = new ArrayList<>();
        new TreeMap<>(states).forEach((worker, state) -> {
            if (!state.received) {
                incomplete.add(worker);
            }
        });
        return incomplete;
    }

    long sent(int worker) {
        return states.get(worker).sent;
    }

    boolean haveTrained() {
        return states.values().stream().anyMatch(state -> state.examples > 0);
    }

    /** What they trained so far. */
    Tally tally() {
        int minibatches = 0;
        long examples = 0;
        double score = 0;
        for (State state : states.values()) {
            minibatches += state.minibatches;
            examples += state.examples;
            score += state.score;
        }
        return Tally.of(states.size(), minibatches, examples, score);
    }

    /** They begin now. */
    void begin() {
        excused = System.nanoTime();
    }

    /** Throws where a node is no longer heard of, or a worker does not get on. To be called again and again. */
    void check(Iterable<NodeAddress> nodes, long updateNanos) {
        long now = System.nanoTime();
        if (now - looked > LATE_NANOS) {
            excused = now;
        }
        looked = now;
        for (NodeAddress address : nodes) {
            Long heard = node.heard(address.id);
            if (heard != null && now - Math.max(heard, excused) > SILENT_NANOS) {
                String what = address + " was not heard of for " + TimeUnit.NANOSECONDS.toSeconds(now - heard) + " s.";
                throw new PydlException("ExecutorLostError", what, null, new LostExecutor(address.executor, null));
            }
        }
        for (Map.Entry<Integer, State> worker : new TreeMap<>(states).entrySet()) {
            long still = now - Math.max(worker.getValue().moved, excused);
            if (!worker.getValue().ended && still > updateNanos) {
                throw new PydlException("ExecutorLostError", "worker " + worker.getKey() + " trained no minibatch for "
                        + TimeUnit.NANOSECONDS.toSeconds(still) + " s (update_timeout), after " + worker.getValue().minibatches + ".");
            }
        }
    }
}
