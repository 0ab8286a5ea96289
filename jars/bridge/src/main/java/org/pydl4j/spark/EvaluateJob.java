package org.pydl4j.spark;

import org.apache.spark.sql.SparkSession;
import org.nd4j.shade.jackson.databind.node.ObjectNode;
import org.pydl4j.nn.Net;

/** Evaluates a network on executors: score, and for a classifier the confusion matrix. */
final class EvaluateJob extends SparkJob {
    private final Net network;
    private final Dataset data;
    private final int batchSize;
    private final int classes;

    EvaluateJob(SparkSession session, Net network, Dataset data, int batchSize, int classes) {
        super(session, "pydl4j: evaluate");
        this.network = network;
        this.data = data;
        this.batchSize = batchSize;
        this.classes = classes;
    }

    @Override
    protected ObjectNode sparkWork() {
        return Evaluator.evaluate(sc, network, data, batchSize, classes).toJson();
    }
}
