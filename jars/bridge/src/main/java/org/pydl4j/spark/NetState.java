package org.pydl4j.spark;

import java.io.Serializable;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.pydl4j.nn.Net;

/** What training changes in a network, as it travels between the driver and the workers. */
public final class NetState implements Serializable {
    private static final long serialVersionUID = 1L;

    /** null where they stay where they are */
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

    public static NetState of(Net network, boolean withUpdater) {
        INDArray updater = withUpdater ? network.updaterState() : null;
        return new NetState(
                Bytes.of(network.params()),
                updater == null ? null : Bytes.of(updater),
                network.iterations(),
                network.epochs());
    }

    /** What a worker sends back whose updates have gone to the driver before. */
    public static NetState ofUpdater(Net network) {
        INDArray updater = network.updaterState();
        return new NetState(null, updater == null ? null : Bytes.of(updater), network.iterations(), network.epochs());
    }

    public void copyTo(Net network) {
        params.copyTo(network.params());
        if (updater != null) {
            updater.copyTo(network.updaterState());
        }
        network.setCounters(iterations, epochs);
    }

    long length() {
        return (params == null ? 0 : params.length()) + (updater == null ? 0 : updater.length());
    }

    /** Bytes of a network's state, the updater's included, without a copy of it. */
    public static long length(Net network) {
        return length(network.params()) + length(network.updaterState());
    }

    private static long length(INDArray array) {
        return array == null ? 0 : Math.multiplyExact(array.length(), (long) array.dataType().width());
    }
}
