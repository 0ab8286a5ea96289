package org.pydl4j.nn;

import org.deeplearning4j.nn.conf.ComputationGraphConfiguration;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.deeplearning4j.nn.conf.layers.misc.FrozenLayer;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.linalg.api.ndarray.INDArray;

/** Copies of networks. DL4J's clone freezes frozen layers once more, and such a network cannot be trained. */
final class Copies {
    private Copies() {}

    /** A network of the same configuration, with parameters and an updater's state of its own. */
    static MultiLayerNetwork of(MultiLayerNetwork network) {
        MultiLayerConfiguration conf = network.getLayerWiseConfigurations().clone();
        for (NeuralNetConfiguration layer : conf.getConfs()) {
            layer.setLayer(frozenOnce(layer.getLayer()));
        }
        MultiLayerNetwork copy = new MultiLayerNetwork(conf);
        copy.init(network.params().dup(), false);
        INDArray state = network.getUpdater().getStateViewArray();
        if (state != null) {
            copy.getUpdater().setStateViewArray(copy, state.dup(), false);
        }
        return copy;
    }

    static ComputationGraph of(ComputationGraph graph) {
        ComputationGraph copy = new ComputationGraph(ComputationGraphConfiguration.fromJson(graph.getConfiguration().toJson()));
        copy.init(graph.params().dup(), false);
        INDArray state = graph.getUpdater().getStateViewArray();
        if (state != null) {
            copy.getUpdater().setStateViewArray(state.dup());
        }
        return copy;
    }

    private static Layer frozenOnce(Layer layer) {
        if (layer instanceof FrozenLayer && ((FrozenLayer) layer).getLayer() instanceof FrozenLayer) {
            return frozenOnce(((FrozenLayer) layer).getLayer());
        }
        return layer;
    }
}
