package org.pydl4j.nn;

import org.deeplearning4j.earlystopping.EarlyStoppingModelSaver;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;

/** DL4J's InMemoryModelSaver, also for networks with frozen layers. */
final class MemorySaver implements EarlyStoppingModelSaver<MultiLayerNetwork> {
    private static final long serialVersionUID = 1L;

    private transient MultiLayerNetwork best;
    private transient MultiLayerNetwork latest;

    @Override
    public void saveBestModel(MultiLayerNetwork network, double score) {
        best = refreshed(best, network);
    }

    @Override
    public void saveLatestModel(MultiLayerNetwork network, double score) {
        latest = refreshed(latest, network);
    }

    /** In the memory of the copy that there is: the JVM would not hurry to give it back. */
    private static MultiLayerNetwork refreshed(MultiLayerNetwork copy, MultiLayerNetwork network) {
        if (copy == null) {
            return Copies.of(network);
        }
        try (Snapshot now = Snapshot.of(network)) {
            now.restore(copy);
        }
        return copy;
    }

    @Override
    public MultiLayerNetwork getBestModel() {
        return best;
    }

    @Override
    public MultiLayerNetwork getLatestModel() {
        return latest;
    }
}
