package org.pydl4j.spark;

import java.io.IOException;
import java.net.URI;
import org.apache.spark.sql.SparkSession;
import org.deeplearning4j.nn.api.Model;
import org.pydl4j.evaluation.Counts;
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
     * @param options {@code {epochs, shuffle, classifier, checkpoint, master: {batch_size_per_worker, averaging_frequency, ...}}}
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

    /** The best network of a fit that early stopping ended, a copy of its own; null where no score was calculated. */
    public static Model best(Job fit) throws IOException {
        return ((FitJob) fit).stopping().best();
    }

    /** The network that such a fit saved last, a copy of its own; null where it was not to save it. */
    public static Model latest(Job fit) throws IOException {
        return ((FitJob) fit).stopping().latest();
    }

    /**
     * Starts to look at a dataset; the result is {@code {examples, score}}.
     *
     * @param score whether to calculate the score
     * @param evaluations what to count, as {@link Counts} reads it; {@link #counts} has it in the end
     * @param output of which output
     */
    public static Job evaluate(
            SparkSession session, Model network, String dataset, long rows, long batchSize, boolean score, String evaluations, long output) {
        Evaluator.Looks looks = new Evaluator.Looks(score, evaluations, Math.toIntExact(output));
        return Jobs.start(new EvaluateJob(session, Net.of(network), new Dataset(dataset, rows), Math.toIntExact(batchSize), looks));
    }

    /** What an evaluation counted. */
    public static Counts counts(Job evaluation) {
        return ((EvaluateJob) evaluation).counts();
    }

    /**
     * Starts writing what the network answers for a dataset into a directory, as another dataset of columns {@code output},
     * {@code output_1}, ...; the result is {@code {rows}}.
     *
     * @param answer one of {@link Answer}
     */
    public static Job output(
            SparkSession session, Model network, String dataset, long rows, long batchSize, String target, String answer) {
        return Jobs.start(new OutputJob(
                session, Net.of(network), new Dataset(dataset, rows), Math.toIntExact(batchSize), URI.create(target), Answer.named(answer)));
    }
}
