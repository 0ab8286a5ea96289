package org.pydl4j.nn;

import org.nd4j.linalg.api.ndarray.INDArray;

/** What training changes in a network, copied so that it can be put back. Closing it gives the copies' memory back at once. */
final class Snapshot implements AutoCloseable {
    private final INDArray params;
    private final INDArray updaterState;
    private final int iterations;
    private final int epochs;

    private Snapshot(Net network) {
        params = network.params().dup();
        INDArray state = network.updaterState();
        updaterState = state == null ? null : state.dup();
        iterations = network.iterations();
        epochs = network.epochs();
    }

    static Snapshot of(Net network) {
        return new Snapshot(network);
    }

    void restore(Net network) {
        network.params().assign(params);
        if (updaterState != null) {
            network.updaterState().assign(updaterState);
        }
        network.setCounters(iterations, epochs);
    }

    @Override
    public void close() {
        params.close();
        if (updaterState != null) {
            updaterState.close();
        }
    }
}
