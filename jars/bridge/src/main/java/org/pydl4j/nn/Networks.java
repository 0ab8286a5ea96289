package org.pydl4j.nn;

import java.io.File;
import java.io.IOException;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.util.ModelSerializer;
import org.nd4j.evaluation.IEvaluation;
import org.nd4j.evaluation.classification.Evaluation;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.shade.jackson.databind.node.ArrayNode;
import org.pydl4j.Json;
import org.pydl4j.job.Job;
import org.pydl4j.job.Jobs;
import org.pydl4j.tensor.Tensors;

/** What Python does with a MultiLayerNetwork. Arrays come in c order, joined along their first axis. */
public final class Networks {
    private Networks() {}

    public static MultiLayerNetwork create(String json) {
        MultiLayerNetwork network = new MultiLayerNetwork(MultiLayerConfiguration.fromJson(json));
        network.init();
        return network;
    }

    public static MultiLayerNetwork load(String path) throws IOException {
        return ModelSerializer.restoreMultiLayerNetwork(new File(path), true);
    }

    /** DL4J's model zip, with the updater's state. */
    public static void save(MultiLayerNetwork network, String path) throws IOException {
        ModelSerializer.writeModel(network, new File(path), true);
    }

    public static String configuration(MultiLayerNetwork network) {
        return network.getLayerWiseConfigurations().toJson();
    }

    /** All parameters as one vector: the network's own memory. */
    public static INDArray params(MultiLayerNetwork network) {
        return network.params();
    }

    public static void setParams(MultiLayerNetwork network, INDArray params) {
        network.params().assign(params);
    }

    /** The updater's state as one vector: the network's own memory; null where the updater has none. */
    public static INDArray updaterState(MultiLayerNetwork network) {
        return network.getUpdater().getStateViewArray();
    }

    /** {@code {iteration, epoch}}: what schedules and Adam's bias correction count. */
    public static String counters(MultiLayerNetwork network) {
        MultiLayerConfiguration conf = network.getLayerWiseConfigurations();
        return Json.object().put("iteration", conf.getIterationCount()).put("epoch", conf.getEpochCount()).toString();
    }

    /** Activations of the last layer, computed in minibatches. */
    public static INDArray output(MultiLayerNetwork network, INDArray features, long batchSize) {
        INDArray all = null;
        RowCopies copies = new RowCopies(features);
        int rows = Math.toIntExact(features.size(0));
        for (int from = 0, to; from < rows; from = to) {
            to = (int) Math.min(rows, from + batchSize);
            INDArray part = network.output(copies.of(from, to), false);
            if (all == null && to == rows) {
                return Tensors.contiguous(part);
            }
            if (all == null) {
                long[] shape = part.shape().clone();
                shape[0] = rows;
                all = Nd4j.createUninitialized(part.dataType(), shape, 'c');
            }
            Minibatches.rows(all, from, to).assign(part);
        }
        return all;
    }

    /** Mean score per example, regularization included, computed in minibatches. */
    public static double score(MultiLayerNetwork network, INDArray features, INDArray labels, long batchSize) {
        return score(network, new Minibatches(features, labels, batchSize), () -> {});
    }

    /** @param before called before each minibatch; what it throws ends the work */
    static double score(MultiLayerNetwork network, Minibatches minibatches, Runnable before) {
        double sum = 0;
        for (int k = 0; k < minibatches.count(); k++) {
            before.run();
            DataSet minibatch = minibatches.copy(k);
            sum += network.score(minibatch, false) * minibatch.numExamples();
        }
        return sum / minibatches.examples();
    }

    /** How often class i was predicted as class j: a JSON array of classes x classes numbers, i by i. */
    public static String confusion(
            MultiLayerNetwork network, INDArray features, INDArray labels, long classes, long batchSize) {
        Evaluation evaluation = evaluate(network, new Minibatches(features, labels, batchSize), () -> {});
        ArrayNode counts = Json.array();
        for (int actual = 0; actual < classes; actual++) {
            for (int predicted = 0; predicted < classes; predicted++) {
                counts.add(evaluation.getConfusionMatrix().getCount(actual, predicted));
            }
        }
        return counts.toString();
    }

    /** @param before called before each minibatch; what it throws ends the work */
    static Evaluation evaluate(MultiLayerNetwork network, Minibatches minibatches, Runnable before) {
        Evaluation evaluation = Counting.of(Net.of(network));
        evaluate(network, minibatches, evaluation, before);
        return evaluation;
    }

    static void evaluate(
            MultiLayerNetwork network, Minibatches minibatches, IEvaluation<?> evaluation, Runnable before) {
        for (int k = 0; k < minibatches.count(); k++) {
            before.run();
            DataSet minibatch = minibatches.copy(k);
            INDArray output = network.output(minibatch.getFeatures(), false);
            Counting.add(evaluation, minibatch.getLabels(), output, null);
        }
    }

    /**
     * Starts training.
     *
     * @param validationFeatures looked at after each epoch, with {@code validationLabels}; both null for none
     * @param options {@code {epochs, batch_size, shuffle, classification, early_stopping, checkpoint}}
     */
    public static Job fit(
            MultiLayerNetwork network,
            INDArray features,
            INDArray labels,
            INDArray validationFeatures,
            INDArray validationLabels,
            String options) {
        FitOptions parsed = FitOptions.parse(options);
        Minibatches training = new Minibatches(features, labels, parsed.batchSize);
        Minibatches validation = validationFeatures == null
                ? null
                : new Minibatches(validationFeatures, validationLabels, parsed.batchSize);
        return Jobs.start(new FitJob(network, training, validation, parsed));
    }

    /** The best network of a fit that early stopping ended, a copy of its own; null where no score was calculated. */
    public static MultiLayerNetwork best(Job fit) throws IOException {
        return ((FitJob) fit).stopping().best();
    }

    /** The network that such a fit saved last, a copy of its own; null where it was not to save it. */
    public static MultiLayerNetwork latest(Job fit) throws IOException {
        return ((FitJob) fit).stopping().latest();
    }
}
