package org.pydl4j.spark;

import org.apache.spark.sql.SparkSession;
import org.nd4j.shade.jackson.databind.node.ObjectNode;
import org.pydl4j.evaluation.Counts;
import org.pydl4j.nn.Net;

/** Looks at a dataset on executors. */
final class EvaluateJob extends SparkJob {
    private final Net network;
    private final Dataset data;
    private final int batchSize;
    private final Evaluator.Looks looks;
    private volatile Evaluated seen;

    EvaluateJob(SparkSession session, Net network, Dataset data, int batchSize, Evaluator.Looks looks) {
        super(session, "pydl4j: evaluate");
        this.network = network;
        this.data = data;
        this.batchSize = batchSize;
        this.looks = looks;
    }

    @Override
    protected ObjectNode sparkWork() {
        seen = Evaluator.evaluate(sc, network, data, batchSize, looks);
        return seen.toJson();
    }

    /** What was counted, once the job is done. */
    Counts counts() {
        return seen.counts;
    }
}
