package org.pydl4j.nn;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.zip.ZipFile;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.conf.ComputationGraphConfiguration;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.optimize.api.TrainingListener;
import org.deeplearning4j.optimize.solvers.accumulation.GradientsAccumulator;
import org.deeplearning4j.util.ModelSerializer;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.api.MultiDataSet;
import org.pydl4j.Json;
import org.pydl4j.evaluation.Counts;

/**
 * A network to train and to ask, whichever of DL4J's two kinds it is: they share hardly a method. Arrays of features and labels come in the
 * order in which the configuration names inputs and outputs; a multi-layer network has one of each.
 */
public abstract class Net {
    private static final long INSTEAD_OF_ZERO = 0x5EEDL;

    Net() {}

    public static Net of(Model model) {
        if (model instanceof MultiLayerNetwork) {
            return new MultiLayerNet((MultiLayerNetwork) model);
        }
        if (model instanceof ComputationGraph) {
            return new GraphNet((ComputationGraph) model);
        }
        throw new IllegalArgumentException("neither a MultiLayerNetwork nor a ComputationGraph: " + model.getClass().getName());
    }

    /** A new network with first parameters. */
    public static Net create(String json) {
        if (isGraph(json)) {
            ComputationGraph graph = new ComputationGraph(ComputationGraphConfiguration.fromJson(json));
            return seeded(of(graph), graph::init);
        }
        MultiLayerNetwork network = new MultiLayerNetwork(MultiLayerConfiguration.fromJson(json));
        return seeded(of(network), network::init);
    }

    /** ND4J takes 0, which many a user gives, and which is the default, for none, and seeds from the clock. */
    private static Net seeded(Net net, Runnable init) {
        NeuralNetConfiguration conf = net.model().conf();
        long given = conf.getSeed();
        conf.setSeed(given == 0 ? INSTEAD_OF_ZERO : given);
        init.run();
        conf.setSeed(given);
        return net;
    }

    /** A trained network of either kind, from DL4J's model zip, with its updater's state. */
    public static Net load(File file) throws IOException {
        return isGraph(configurationIn(file))
                ? of(ModelSerializer.restoreComputationGraph(file, true))
                : of(ModelSerializer.restoreMultiLayerNetwork(file, true));
    }

    private static String configurationIn(File file) throws IOException {
        try (ZipFile zip = new ZipFile(file);
                InputStream stream = zip.getInputStream(zip.getEntry(ModelSerializer.CONFIGURATION_JSON))) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** A graph's configuration has vertices. */
    private static boolean isGraph(String json) {
        return Json.parse(json).has("vertices");
    }

    /** A network of the same configuration, with parameters and an updater's state of its own. */
    public abstract Net copy();

    /** DL4J's own object. */
    public abstract Model model();

    /** The configuration as JSON. */
    public abstract String configuration();

    public abstract long seed();

    /** All parameters as one vector: the network's own memory. */
    public final INDArray params() {
        return model().params();
    }

    /** The updater's state as one vector: the network's own memory; null where the updater has none. */
    public abstract INDArray updaterState();

    /** Minibatches trained so far: what schedules and Adam's bias correction count. */
    public abstract int iterations();

    /** Epochs trained so far. */
    public abstract int epochs();

    public abstract void setCounters(int iterations, int epochs);

    /** Tells DL4J's own listeners that an epoch begins. */
    public final void epochStarts() {
        for (TrainingListener listener : listeners()) {
            listener.onEpochStart(model());
        }
    }

    /** Tells DL4J's own listeners that an epoch has ended, and counts it. */
    public final void epochEnds() {
        for (TrainingListener listener : listeners()) {
            listener.onEpochEnd(model());
        }
        incrementEpochs();
    }

    abstract void incrementEpochs();

    /** One step. What is masked does not count. */
    public final void fit(MultiDataSet minibatch) {
        step(LabelsMasks.completed(this, minibatch));
    }

    abstract void step(MultiDataSet minibatch);

    /** Of the last minibatch trained. */
    public final double score() {
        return model().score();
    }

    public abstract void setScore(double score);

    /** Mean score of the minibatch's examples, regularization included. Layers may write to the features. */
    public final double score(MultiDataSet minibatch) {
        return loss(LabelsMasks.completed(this, minibatch));
    }

    abstract double loss(MultiDataSet minibatch);

    /**
     * The score of each example, [examples, 1]. Layers may write to the features.
     *
     * @param regularization whether to add it to each
     */
    public final INDArray scoreExamples(MultiDataSet minibatch, boolean regularization) {
        INDArray losses = losses(LabelsMasks.completed(this, minibatch), regularization);
        long rows = minibatch.getFeatures(0).size(0);
        return losses.size(0) == rows ? losses : Minibatches.rows(losses.dup('c'), 0, rows); // one example may have been given twice
    }

    abstract INDArray losses(MultiDataSet minibatch, boolean regularization);

    /** Activations of the output layers. Layers may write to the features. */
    public abstract INDArray[] output(MultiDataSet minibatch);

    /** What the masks of features, of which some may be null, have become before each output; null for none. */
    abstract INDArray[] arriving(INDArray[] masks, int rows);

    /** Counts what one output gives for a minibatch, and returns the activations of all. Layers may write to the features. */
    public final INDArray[] count(Counts counts, int output, MultiDataSet minibatch) {
        INDArray[] activations = output(minibatch);
        INDArray[] masks = LabelsMasks.of(this, minibatch);
        counts.add(minibatch.getLabels(output), activations[output], masks == null ? null : masks[output], outputLayer(output));
        return activations;
    }

    public abstract int outputs();

    /** The configuration of an output layer. */
    public abstract Layer outputLayer(int index);

    abstract Collection<TrainingListener> listeners();

    public abstract void setGradientsAccumulator(GradientsAccumulator accumulator);
}
