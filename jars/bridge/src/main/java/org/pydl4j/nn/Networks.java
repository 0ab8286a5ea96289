package org.pydl4j.nn;

import java.io.File;
import java.io.IOException;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.util.ModelSerializer;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.pydl4j.Json;
import org.pydl4j.evaluation.Counts;
import org.pydl4j.job.Job;
import org.pydl4j.job.Jobs;
import org.pydl4j.tensor.Tensors;

/** What Python does with a network, a MultiLayerNetwork or a ComputationGraph. */
public final class Networks {
    private Networks() {}

    public static Model create(String json) {
        return Net.create(json).model();
    }

    public static Model load(String path) throws IOException {
        return Net.load(new File(path)).model();
    }

    /** DL4J's model zip, with the updater's state. */
    public static void save(Model network, String path) throws IOException {
        ModelSerializer.writeModel(network, new File(path), true);
    }

    public static String configuration(Model network) {
        return Net.of(network).configuration();
    }

    /** All parameters as one vector: the network's own memory. */
    public static INDArray params(Model network) {
        return network.params();
    }

    public static void setParams(Model network, INDArray params) {
        network.params().assign(params);
    }

    /** The updater's state as one vector: the network's own memory; null where the updater has none. */
    public static INDArray updaterState(Model network) {
        return Net.of(network).updaterState();
    }

    /** {@code {iteration, epoch}}: what schedules and Adam's bias correction count. */
    public static String counters(Model network) {
        Net net = Net.of(network);
        return Json.object().put("iteration", net.iterations()).put("epoch", net.epochs()).toString();
    }

    /** Activations of the output layers, computed in minibatches; see {@link #item}. */
    public static INDArray[] output(Model network, Examples examples, long batchSize) {
        Net net = Net.of(network);
        Minibatches minibatches = new Minibatches(examples, batchSize);
        INDArray[] all = new INDArray[net.outputs()];
        for (int k = 0; k < minibatches.count(); k++) {
            INDArray[] part = net.output(minibatches.copy(k));
            for (int i = 0; i < all.length; i++) {
                if (minibatches.count() == 1) {
                    all[i] = Tensors.contiguous(part[i]);
                    continue;
                }
                if (k == 0) {
                    all[i] = uninitialized(part[i], minibatches.examples());
                }
                Minibatches.rows(all[i], minibatches.from(k), minibatches.to(k)).assign(part[i]);
            }
        }
        return all;
    }

    private static INDArray uninitialized(INDArray like, long rows) {
        long[] shape = like.shape().clone();
        shape[0] = rows;
        return Nd4j.createUninitialized(like.dataType(), shape, 'c');
    }

    /** One of several arrays. */
    public static INDArray item(INDArray[] arrays, long index) {
        return arrays[Math.toIntExact(index)];
    }

    /** Mean score per example, regularization included, computed in minibatches. */
    public static double score(Model network, Examples examples, long batchSize) {
        return score(Net.of(network), new Minibatches(examples, batchSize), () -> {});
    }

    /** @param before called before each minibatch; what it throws ends the work */
    static double score(Net network, Minibatches minibatches, Runnable before) {
        double sum = 0;
        for (int k = 0; k < minibatches.count(); k++) {
            before.run();
            sum += network.score(minibatches.copy(k)) * (minibatches.to(k) - minibatches.from(k));
        }
        return sum / minibatches.examples();
    }

    /** The score of each example, as one vector, computed in minibatches. */
    public static INDArray scoreExamples(Model network, Examples examples, boolean regularization, long batchSize) {
        Net net = Net.of(network);
        Minibatches minibatches = new Minibatches(examples, batchSize);
        INDArray all = Nd4j.createUninitialized(net.params().dataType(), minibatches.examples());
        for (int k = 0; k < minibatches.count(); k++) {
            INDArray scores = net.scoreExamples(minibatches.copy(k), regularization);
            Minibatches.rows(all, minibatches.from(k), minibatches.to(k)).assign(scores.reshape(scores.length()));
        }
        return all;
    }

    /** Counts what an output gives, in minibatches, and adds it to {@code counts}. */
    public static void evaluate(Model network, Examples examples, long output, Counts counts, long batchSize) {
        evaluate(Net.of(network), new Minibatches(examples, batchSize), Math.toIntExact(output), counts, () -> {});
    }

    /** @param before called before each minibatch; what it throws ends the work */
    static void evaluate(Net network, Minibatches minibatches, int output, Counts counts, Runnable before) {
        for (int k = 0; k < minibatches.count(); k++) {
            before.run();
            network.count(counts, output, minibatches.copy(k));
        }
    }

    /**
     * Starts training.
     *
     * @param validation looked at after each epoch; null for none
     * @param options {@code {epochs, batch_size, shuffle, classifier, early_stopping, checkpoint}}
     */
    public static Job fit(Model network, Examples training, Examples validation, String options) {
        FitOptions parsed = FitOptions.parse(options);
        Minibatches validated = validation == null ? null : new Minibatches(validation, parsed.batchSize);
        return Jobs.start(new FitJob(Net.of(network), new Minibatches(training, parsed.batchSize), validated, parsed));
    }

    /** The best network of a fit that early stopping ended, a copy of its own; null where no score was calculated. */
    public static Model best(Job fit) throws IOException {
        return ((FitJob) fit).stopping().best();
    }

    /** The network that such a fit saved last, a copy of its own; null where it was not to save it. */
    public static Model latest(Job fit) throws IOException {
        return ((FitJob) fit).stopping().latest();
    }
}
