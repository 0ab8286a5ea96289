package org.pydl4j.nn;

import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.linalg.api.ndarray.INDArray;

/** What training changes in a network, copied so that it can be put back. Closing it gives the copies' memory back at once. */
final class Snapshot implements AutoCloseable {
    private final INDArray params;
    private final INDArray updaterState;
    private final int iterations;
    private final int epochs;

    private Snapshot(MultiLayerNetwork network) {
        params = network.params().dup();
        INDArray state = network.getUpdater().getStateViewArray();
        updaterState = state == null ? null : state.dup();
        iterations = network.getLayerWiseConfigurations().getIterationCount();
        epochs = network.getLayerWiseConfigurations().getEpochCount();
    }

    static Snapshot of(MultiLayerNetwork network) {
        return new Snapshot(network);
    }

    void restore(MultiLayerNetwork network) {
        network.params().assign(params);
        if (updaterState != null) {
            network.getUpdater().getStateViewArray().assign(updaterState);
        }
        network.getLayerWiseConfigurations().setIterationCount(iterations);
        network.getLayerWiseConfigurations().setEpochCount(epochs);
    }

    @Override
    public void close() {
        params.close();
        if (updaterState != null) {
            updaterState.close();
        }
    }
}
