package org.pydl4j.spark;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkStatusTracker;
import org.apache.spark.api.java.JavaSparkContext;
import org.nd4j.shade.jackson.databind.node.ObjectNode;

/** The {@code progress} events of a fit: at most ten a second, and where nothing moves one every five seconds, with who is alive. */
final class Pulse implements AutoCloseable {
    private static final long SHORTEST_NANOS = 100_000_000L;
    private static final long LONGEST_MILLIS = 5_000;

    private final SparkContext sc;
    private final Consumer<ObjectNode> emit;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread thread = new Thread(work, "pydl4j-pulse");
        thread.setDaemon(true);
        return thread;
    });
    private ObjectNode last; // of this epoch; null before its first minibatch
    private long began;
    private long emitted;

    Pulse(JavaSparkContext sc, Consumer<ObjectNode> emit) {
        this.sc = sc.sc();
        this.emit = emit;
        timer.scheduleWithFixedDelay(this::beat, LONGEST_MILLIS, LONGEST_MILLIS, TimeUnit.MILLISECONDS);
    }

    synchronized void epochStarts() {
        began = System.nanoTime();
        last = null;
    }

    synchronized void epochEnded() {
        last = null;
    }

    synchronized void moved(ObjectNode progress) {
        last = progress;
        if (System.nanoTime() - emitted >= SHORTEST_NANOS) {
            emitNow();
        }
    }

    private synchronized void beat() {
        if (last != null && System.nanoTime() - emitted >= TimeUnit.MILLISECONDS.toNanos(LONGEST_MILLIS) && !sc.isStopped()) {
            emitNow();
        }
    }

    private void emitNow() {
        emitted = System.nanoTime();
        ObjectNode event = last.deepCopy().put("seconds", (emitted - began) / 1e9);
        int executors = executors();
        if (executors >= 0) {
            event.put("executors", executors);
        }
        emit.accept(event);
    }

    /** That are alive; -1 where the workers are in the driver. */
    private int executors() {
        if (sc.isLocal()) {
            return -1;
        }
        SparkStatusTracker tracker = sc.statusTracker();
        return tracker.getExecutorInfos().length - 1; // the driver is among them
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
