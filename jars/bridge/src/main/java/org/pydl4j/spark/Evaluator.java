package org.pydl4j.spark;

import java.io.Serializable;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.api.MultiDataSet;
import org.pydl4j.PydlException;
import org.pydl4j.evaluation.Counts;
import org.pydl4j.nn.Net;
import org.pydl4j.spark.data.Loader;

/** Looks at the minibatches of a partition, on an executor. */
final class Evaluator implements FlatMapFunction<Iterator<String>, Evaluated> {
    private static final long serialVersionUID = 1L;

    private final SharedNet shared;
    private final Loader loader;
    private final Looks looks;

    /** What is looked at. */
    static final class Looks implements Serializable {
        private static final long serialVersionUID = 1L;

        final boolean score;
        final String evaluations;
        final int output;

        /**
         * @param score whether to calculate the score
         * @param evaluations what to count, as {@link Counts} reads it
         * @param output of which output
         */
        Looks(boolean score, String evaluations, int output) {
            this.score = score;
            this.evaluations = evaluations;
            this.output = output;
        }
    }

    private Evaluator(SharedNet shared, Loader loader, Looks looks) {
        this.shared = shared;
        this.loader = loader;
        this.looks = looks;
    }

    static Evaluated evaluate(JavaSparkContext sc, Net network, Dataset data, int batchSize, Looks looks) {
        List<String> minibatches = data.minibatches(batchSize, null);
        int partitions = Math.min(sc.defaultParallelism(), minibatches.size());
        Evaluated all = new Evaluated(Counts.of(looks.evaluations));
        try (SharedNet shared = SharedNet.of(sc, network)) {
            Evaluator evaluator = new Evaluator(shared, data.loader(), looks);
            data.again(() -> data.deal(sc, minibatches, partitions).mapPartitions(evaluator).collect()).forEach(all::plus);
        }
        if (all.examples != data.rows) {
            throw new PydlException("CountMismatchError",
                    "executors looked at " + all.examples + " examples of the " + data.rows + " that were handed in");
        }
        return all;
    }

    @Override
    public Iterator<Evaluated> call(Iterator<String> descriptors) throws Exception {
        Evaluated seen = shared.use(network -> look(network, descriptors));
        return List.of(seen).iterator();
    }

    private Evaluated look(Net network, Iterator<String> descriptors) throws Exception {
        Evaluated seen = new Evaluated(Counts.of(looks.evaluations));
        while (descriptors.hasNext()) {
            TaskContext.get().killTaskIfInterrupted();
            MultiDataSet minibatch = loader.load(descriptors.next());
            long rows = minibatch.getFeatures(0).size(0);
            seen.examples += rows;
            if (looks.score) {
                seen.addScore(score(network, minibatch), rows);
            }
            if (!seen.counts.isEmpty()) {
                count(network, minibatch, seen.counts);
            }
            Arrays.close(minibatch);
        }
        return seen;
    }

    // both on a copy: layers may work in place, and the features may lie in a mapped file that is looked at again

    private static double score(Net network, MultiDataSet minibatch) {
        MultiDataSet own = Arrays.ownFeatures(minibatch);
        double score = network.score(own);
        Arrays.close(own.getFeatures());
        return score;
    }

    private void count(Net network, MultiDataSet minibatch, Counts counts) {
        MultiDataSet own = Arrays.ownFeatures(minibatch);
        INDArray[] output = network.count(counts, looks.output, own);
        Arrays.close(output);
        Arrays.close(own.getFeatures());
    }
}
