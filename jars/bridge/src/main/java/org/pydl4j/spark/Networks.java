package org.pydl4j.spark;

import java.net.URI;
import org.apache.spark.sql.SparkSession;
import org.deeplearning4j.nn.api.Model;
import org.pydl4j.job.Job;
import org.pydl4j.job.Jobs;
import org.pydl4j.nn.Net;

/** What Python does with a network on Spark. Datasets come as the URI of their manifest and their number of rows. */
public final class Networks {
    private Networks() {}

    /**
     * Starts training.
     *
     * @param validation looked at after each epoch; null for none
     * @param options {@code {epochs, shuffle, classes, checkpoint, master: {batch_size_per_worker, averaging_frequency, ...}}}
     */
    public static Job fit(
            SparkSession session,
            Model network,
            String training,
            long rows,
            String validation,
            long validationRows,
            String options) {
        Dataset validated = validation == null ? null : new Dataset(validation, validationRows);
        return Jobs.start(new FitJob(session, Net.of(network), new Dataset(training, rows), validated, FitOptions.parse(options)));
    }

    /**
     * Starts an evaluation; the result is {@code {score, counts}}.
     *
     * @param classes how many to count, actual (row) against predicted (column), row by row; 0 for the score alone
     */
    public static Job evaluate(
            SparkSession session, Model network, String dataset, long rows, long batchSize, long classes) {
        return Jobs.start(new EvaluateJob(session, Net.of(network), new Dataset(dataset, rows), Math.toIntExact(batchSize), Math.toIntExact(classes)));
    }

    /** Starts writing the network's output for a dataset into a directory, as another dataset; the result is {@code {rows}}. */
    public static Job output(
            SparkSession session, Model network, String dataset, long rows, long batchSize, String target) {
        return Jobs.start(new OutputJob(session, Net.of(network), new Dataset(dataset, rows), Math.toIntExact(batchSize), URI.create(target)));
    }
}
