package org.pydl4j.spark;

import java.util.Iterator;
import java.util.List;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.nd4j.evaluation.classification.Evaluation;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.api.MultiDataSet;
import org.pydl4j.nn.Counting;
import org.pydl4j.nn.Net;
import org.pydl4j.spark.data.Loader;

/** Looks at the minibatches of a partition, on an executor. */
final class Evaluator implements FlatMapFunction<Iterator<String>, Evaluated> {
    private static final long serialVersionUID = 1L;

    private final SharedNet shared;
    private final Loader loader;
    private final int classes;

    private Evaluator(SharedNet shared, Loader loader, int classes) {
        this.shared = shared;
        this.loader = loader;
        this.classes = classes;
    }

    /** @param classes how many to count against each other; 0 for the score alone */
    static Evaluated evaluate(JavaSparkContext sc, Net network, Dataset data, int batchSize, int classes) {
        List<String> minibatches = data.minibatches(batchSize, null);
        int partitions = Math.min(sc.defaultParallelism(), minibatches.size());
        try (SharedNet shared = SharedNet.of(sc, network)) {
            return data.deal(sc, minibatches, partitions)
                    .mapPartitions(new Evaluator(shared, data.loader(), classes))
                    .collect()
                    .stream()
                    .reduce(new Evaluated(), Evaluated::plus);
        }
    }

    @Override
    public Iterator<Evaluated> call(Iterator<String> descriptors) throws Exception {
        Evaluated seen = shared.use(network -> look(network, descriptors));
        return List.of(seen).iterator();
    }

    private Evaluated look(Net network, Iterator<String> descriptors) throws Exception {
        Evaluated seen = new Evaluated();
        Evaluation evaluation = new Evaluation();
        while (descriptors.hasNext()) {
            TaskContext.get().killTaskIfInterrupted();
            MultiDataSet minibatch = loader.load(descriptors.next());
            seen.addScore(score(network, minibatch), minibatch.getFeatures(0).size(0));
            if (classes > 0) {
                count(network, minibatch, evaluation);
            }
            Arrays.close(minibatch);
        }
        seen.addCounts(evaluation, classes);
        return seen;
    }

    // both on a copy: layers may work in place, and the features may lie in a mapped file that is looked at again

    private static double score(Net network, MultiDataSet minibatch) {
        MultiDataSet own = Arrays.ownFeatures(minibatch);
        double score = network.score(own);
        Arrays.close(own.getFeatures());
        return score;
    }

    private static void count(Net network, MultiDataSet minibatch, Evaluation evaluation) {
        MultiDataSet own = Arrays.ownFeatures(minibatch);
        INDArray[] output = network.output(own);
        Counting.add(evaluation, network, 0, minibatch, output);
        Arrays.close(output);
        Arrays.close(own.getFeatures());
    }
}
