package org.pydl4j.spark;

import java.io.Serializable;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.linalg.api.ndarray.INDArray;

/** What training changes in a network, as it travels between the driver and the workers. */
final class NetState implements Serializable {
    private static final long serialVersionUID = 1L;

    final Bytes params;
    /** null where the updater has no state, or where it stays where it is */
    final Bytes updater;
    final int iterations;
    final int epochs;

    NetState(Bytes params, Bytes updater, int iterations, int epochs) {
        this.params = params;
        this.updater = updater;
        this.iterations = iterations;
        this.epochs = epochs;
    }

    static NetState of(MultiLayerNetwork network, boolean withUpdater) {
        MultiLayerConfiguration conf = network.getLayerWiseConfigurations();
        INDArray updater = withUpdater ? network.getUpdater().getStateViewArray() : null;
        return new NetState(
                Bytes.of(network.params()),
                updater == null ? null : Bytes.of(updater),
                conf.getIterationCount(),
                conf.getEpochCount());
    }

    void copyTo(MultiLayerNetwork network) {
        params.copyTo(network.params());
        if (updater != null) {
            updater.copyTo(network.getUpdater().getStateViewArray());
        }
        network.getLayerWiseConfigurations().setIterationCount(iterations);
        network.getLayerWiseConfigurations().setEpochCount(epochs);
    }

    /** Bytes of a network's state, the updater's included, without a copy of it. */
    static long length(MultiLayerNetwork network) {
        return length(network.params()) + length(network.getUpdater().getStateViewArray());
    }

    private static long length(INDArray array) {
        return array == null ? 0 : Math.multiplyExact(array.length(), (long) array.dataType().width());
    }
}
