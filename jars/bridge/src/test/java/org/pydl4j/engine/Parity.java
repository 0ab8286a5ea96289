package org.pydl4j.engine;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.conf.layers.RnnOutputLayer;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.nn.weights.WeightInit;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.learning.config.Sgd;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

/** One small network computed three ways: with helpers, without, and in double precision without. */
final class Parity {
    private static final int CLASSES = 3;

    private final List<Layer> layers;
    private final InputType input;
    private final int batch;

    Parity(List<Layer> layers, InputType input, int batch) {
        this.layers = layers;
        this.input = input;
        this.batch = batch;
    }

    /**
     * Fails where helpers are further from double precision than ten times what ND4J's own code is, and than the floor:
     * all relative to the largest magnitude of the array.
     */
    void check(DataType type, double floor) {
        Map<String, INDArray> exact = compute(DataType.DOUBLE, false);
        Map<String, INDArray> off = compute(type, false);
        Map<String, INDArray> on = compute(type, true);
        exact.forEach((name, reference) -> {
            double scale = Math.max(reference.amaxNumber().doubleValue(), 1e-3);
            double without = distance(off.get(name), reference) / scale;
            double with = distance(on.get(name), reference) / scale;
            assertTrue(
                    with <= Math.max(floor, 10 * without),
                    () -> name + ": relative error " + with + " with helpers, " + without + " without");
        });
    }

    private static double distance(INDArray a, INDArray reference) {
        double distance = a.sub(reference).amaxNumber().doubleValue();
        return Double.isNaN(distance) ? Double.POSITIVE_INFINITY : distance;
    }

    private Map<String, INDArray> compute(DataType type, boolean helpers) {
        Nd4j.getEnvironment().allowHelpers(helpers);
        try {
            return results(network(type), type);
        } finally {
            Nd4j.getEnvironment().allowHelpers(true);
        }
    }

    private Map<String, INDArray> results(MultiLayerNetwork network, DataType type) {
        INDArray x = features().castTo(type);
        INDArray y = labels(network.output(x)).castTo(type);
        Map<String, INDArray> results = new LinkedHashMap<>();
        keep(results, "output", network.output(x));
        List<INDArray> activations = network.feedForward(x, true);
        for (int i = 1; i < activations.size(); i++) {
            keep(results, "training activations of layer " + (i - 1), activations.get(i));
        }
        network.setInput(x);
        network.setLabels(y);
        network.computeGradientAndScore();
        Map<String, INDArray> gradients = network.gradient().gradientForVariable();
        network.paramTable().keySet().forEach(name -> keep(results, "gradient of " + name, gradients.get(name)));
        for (int step = 0; step < 3; step++) {
            network.fit(x, y);
        }
        network.paramTable().forEach((name, value) -> keep(results, name + " after training", value));
        keep(results, "output after training", network.output(x));
        return results;
    }

    private static void keep(Map<String, INDArray> results, String name, INDArray array) {
        results.put(name, array.castTo(DataType.DOUBLE).dup('c'));
    }

    private MultiLayerNetwork network(DataType type) {
        NeuralNetConfiguration.ListBuilder list = new NeuralNetConfiguration.Builder()
                .seed(1)
                .dataType(type)
                .updater(new Sgd(0.05))
                .activation(Activation.TANH)
                .weightInit(WeightInit.XAVIER)
                .list();
        layers.forEach(layer -> list.layer(layer.clone()));
        list.layer(input.getType() == InputType.Type.RNN
                ? new RnnOutputLayer.Builder(LossFunction.MCXENT).nOut(CLASSES).activation(Activation.SOFTMAX).build()
                : new OutputLayer.Builder(LossFunction.MCXENT).nOut(CLASSES).activation(Activation.SOFTMAX).build());
        MultiLayerNetwork network = new MultiLayerNetwork(list.setInputType(input).build());
        network.init();
        Nd4j.getRandom().setSeed(1);
        network.paramTable().forEach((name, value) -> value.assign(start(name, value.shape()).castTo(type)));
        return network;
    }

    /** Values that no layer starts with: running variances other than 1, scales other than 1, biases other than 0. */
    private static INDArray start(String name, long[] shape) {
        INDArray noise = Nd4j.randn(DataType.DOUBLE, shape).muli(0.3);
        if (name.endsWith("_var")) {
            return noise.muli(noise).addi(0.5);
        }
        return name.endsWith("_gamma") ? noise.addi(1) : noise;
    }

    private INDArray features() {
        long[] example = input.getShape(false);
        long[] shape = new long[example.length + 1];
        shape[0] = batch;
        System.arraycopy(example, 0, shape, 1, example.length);
        Nd4j.getRandom().setSeed(2);
        return Nd4j.randn(DataType.DOUBLE, shape);
    }

    /** Class i % 3 for example i, at every time step. */
    private static INDArray labels(INDArray output) {
        INDArray labels = Nd4j.zeros(DataType.DOUBLE, output.shape());
        for (int i = 0; i < output.size(0); i++) {
            labels.slice(i).slice(i % CLASSES).assign(1);
        }
        return labels;
    }
}
