package org.pydl4j.spark;

import java.io.Serializable;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.nd4j.shade.jackson.databind.node.ObjectNode;
import org.pydl4j.Json;

/** Where the time of a worker's share of a round went, by the clock of its machine. */
public final class WorkerTimes implements Serializable {
    private static final long serialVersionUID = 1L;

    private final int worker = TaskContext.getPartitionId();
    private final String executor = SparkEnv.get().executorId();
    private final String host = SparkEnv.get().blockManager().blockManagerId().host();
    private final double began = now();
    private double ended;
    /** getting the state that the driver sent, and the network that it goes into */
    public double receive;
    double load;
    double fit;
    /** waiting until all that others sent has come */
    public double drain;
    public double serialize;
    private int minibatches;
    private long bytes;

    /** Seconds since 1970, to the microsecond. */
    static double now() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()) / 1e6;
    }

    public static double since(long nanos) {
        return (System.nanoTime() - nanos) / 1e9;
    }

    void end(int trained, long sent) {
        minibatches = trained;
        bytes = sent;
        ended = now();
    }

    ObjectNode toJson() {
        return Json.object()
                .put("worker", worker)
                .put("executor", executor)
                .put("host", host)
                .put("began", began)
                .put("ended", ended)
                .put("receive", receive)
                .put("load", load)
                .put("fit", fit)
                .put("drain", drain)
                .put("serialize", serialize)
                .put("minibatches", minibatches)
                .put("bytes", bytes);
    }
}
