package org.pydl4j.nn;

import org.deeplearning4j.earlystopping.EarlyStoppingModelSaver;
import org.deeplearning4j.nn.api.Model;

/** DL4J's InMemoryModelSaver, also for networks with frozen layers. */
final class MemorySaver implements EarlyStoppingModelSaver<Model> {
    private static final long serialVersionUID = 1L;

    private transient Model best;
    private transient Model latest;

    @Override
    public void saveBestModel(Model network, double score) {
        best = refreshed(best, network);
    }

    @Override
    public void saveLatestModel(Model network, double score) {
        latest = refreshed(latest, network);
    }

    /** In the memory of the copy that there is: the JVM would not hurry to give it back. */
    private static Model refreshed(Model copy, Model network) {
        if (copy == null) {
            return Net.of(network).copy().model();
        }
        try (Snapshot now = Snapshot.of(Net.of(network))) {
            now.restore(Net.of(copy));
        }
        return copy;
    }

    @Override
    public Model getBestModel() {
        return best;
    }

    @Override
    public Model getLatestModel() {
        return latest;
    }
}
