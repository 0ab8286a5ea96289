package org.pydl4j.spark;

import java.util.Iterator;
import java.util.List;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.evaluation.classification.Evaluation;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.DataSet;
import org.pydl4j.nn.Counting;
import org.pydl4j.spark.data.ArrowDataSetLoader;

/** Looks at the minibatches of a partition, on an executor. */
final class Evaluator implements FlatMapFunction<Iterator<String>, Evaluated> {
    private static final long serialVersionUID = 1L;

    private final SharedNet shared;
    private final int classes;

    private Evaluator(SharedNet shared, int classes) {
        this.shared = shared;
        this.classes = classes;
    }

    /** @param classes how many to count against each other; 0 for the score alone */
    static Evaluated evaluate(JavaSparkContext sc, MultiLayerNetwork network, Dataset data, int batchSize, int classes) {
        List<String> minibatches = new java.util.ArrayList<>(data.minibatches(batchSize, null));
        int partitions = Math.min(sc.defaultParallelism(), minibatches.size());
        try (SharedNet shared = SharedNet.of(sc, network)) {
            return sc.parallelize(minibatches, partitions)
                    .mapPartitions(new Evaluator(shared, classes))
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

    private Evaluated look(MultiLayerNetwork network, Iterator<String> descriptors) throws Exception {
        Evaluated seen = new Evaluated();
        Evaluation evaluation = Counting.of(network);
        ArrowDataSetLoader loader = new ArrowDataSetLoader();
        while (descriptors.hasNext()) {
            TaskContext.get().killTaskIfInterrupted();
            DataSet minibatch = loader.load(new PathSource(descriptors.next()));
            seen.addScore(score(network, minibatch), minibatch.numExamples());
            if (classes > 0) {
                count(network, minibatch, evaluation);
            }
            Arrays.close(minibatch);
        }
        seen.addCounts(evaluation, classes);
        return seen;
    }

    // both on a copy: layers may work in place, and the features may lie in a mapped file that is looked at again

    private static double score(MultiLayerNetwork network, DataSet minibatch) {
        INDArray features = minibatch.getFeatures().dup();
        double score = network.score(
                new DataSet(features, minibatch.getLabels(), minibatch.getFeaturesMaskArray(), minibatch.getLabelsMaskArray()), false);
        Arrays.close(features);
        return score;
    }

    private static void count(MultiLayerNetwork network, DataSet minibatch, Evaluation evaluation) {
        INDArray features = minibatch.getFeatures().dup();
        INDArray output = network.output(features, false, minibatch.getFeaturesMaskArray(), minibatch.getLabelsMaskArray());
        Counting.add(evaluation, minibatch.getLabels(), output, minibatch.getLabelsMaskArray());
        Arrays.close(output);
        Arrays.close(features);
    }
}
