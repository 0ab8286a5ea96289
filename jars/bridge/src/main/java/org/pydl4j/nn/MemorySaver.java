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
        best = Copies.of(network);
    }

    @Override
    public void saveLatestModel(MultiLayerNetwork network, double score) {
        latest = Copies.of(network);
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
