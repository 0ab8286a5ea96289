package org.pydl4j.nn;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.deeplearning4j.earlystopping.saver.LocalFileModelSaver;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.util.ModelSerializer;
import org.nd4j.linalg.dataset.api.preprocessor.DataNormalization;

/** DL4J's saver, but files are replaced whole and have the network's normalizer. */
final class DirectorySaver extends LocalFileModelSaver {
    private static final long serialVersionUID = 1L;

    private final transient Path directory;
    private final transient DataNormalization normalizer;

    /** @param normalizer null for none */
    DirectorySaver(Path directory, DataNormalization normalizer) {
        super(directory.toString());
        this.directory = directory;
        this.normalizer = normalizer;
    }

    @Override
    public void saveBestModel(MultiLayerNetwork network, double score) throws IOException {
        save(network, "bestModel.bin");
    }

    @Override
    public void saveLatestModel(MultiLayerNetwork network, double score) throws IOException {
        save(network, "latestModel.bin");
    }

    private void save(MultiLayerNetwork network, String name) throws IOException {
        Path temporary = directory.resolve("." + name + ".tmp");
        try {
            ModelSerializer.writeModel(network, temporary.toFile(), true);
            if (normalizer != null) { // writeModel cannot write one: it closes the file too early
                ModelSerializer.addNormalizerToModel(temporary.toFile(), normalizer);
            }
            Files.move(temporary, directory.resolve(name), StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }
}
