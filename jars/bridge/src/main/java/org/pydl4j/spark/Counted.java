package org.pydl4j.spark;

import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.util.LongAccumulator;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.spark.api.TrainingHook;
import org.nd4j.linalg.dataset.api.DataSet;
import org.nd4j.linalg.dataset.api.MultiDataSet;

/** Counts what DL4J's workers were fitted to, where they are; Spark adds it up of the tasks that succeeded. */
final class Counted implements TrainingHook {
    private static final long serialVersionUID = 1L;

    private final LongAccumulator minibatches;
    private final LongAccumulator examples;

    Counted(JavaSparkContext sc) {
        minibatches = sc.sc().longAccumulator();
        examples = sc.sc().longAccumulator();
    }

    void reset() {
        minibatches.reset();
        examples.reset();
    }

    int minibatches() {
        return Math.toIntExact(minibatches.value());
    }

    long examples() {
        return examples.value();
    }

    @Override
    public void preUpdate(DataSet minibatch, Model model) {
        // counted when it was trained
    }

    @Override
    public void postUpdate(DataSet minibatch, Model model) {
        count(minibatch.numExamples());
    }

    @Override
    public void preUpdate(MultiDataSet minibatch, Model model) {
        // counted when it was trained
    }

    @Override
    public void postUpdate(MultiDataSet minibatch, Model model) {
        count(minibatch.getFeatures(0).size(0));
    }

    private void count(long rows) {
        minibatches.add(1);
        examples.add(rows);
    }
}
