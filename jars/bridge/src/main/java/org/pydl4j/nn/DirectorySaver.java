package org.pydl4j.nn;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.deeplearning4j.earlystopping.EarlyStoppingModelSaver;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.util.ModelSerializer;
import org.nd4j.linalg.dataset.api.preprocessor.DataNormalization;

/** DL4J's LocalFileModelSaver and LocalFileGraphSaver, but files are replaced whole and have the network's normalizer. */
final class DirectorySaver implements EarlyStoppingModelSaver<Model> {
    private static final long serialVersionUID = 1L;

    private final transient Path directory;
    private final transient DataNormalization normalizer;
    private transient Path best;
    private transient Path latest;

    /** @param normalizer null for none */
    DirectorySaver(Path directory, DataNormalization normalizer) {
        this.directory = directory;
        this.normalizer = normalizer;
    }

    @Override
    public void saveBestModel(Model network, double score) throws IOException {
        best = save(network, "best");
    }

    @Override
    public void saveLatestModel(Model network, double score) throws IOException {
        latest = save(network, "latest");
    }

    @Override
    public Model getBestModel() throws IOException {
        return Net.load(best.toFile()).model();
    }

    @Override
    public Model getLatestModel() throws IOException {
        return Net.load(latest.toFile()).model();
    }

    private Path save(Model network, String which) throws IOException {
        Path file = directory.resolve(which + (network instanceof ComputationGraph ? "Graph.bin" : "Model.bin")); // DL4J's names
        Path temporary = directory.resolve("." + file.getFileName() + ".tmp");
        try {
            ModelSerializer.writeModel(network, temporary.toFile(), true);
            if (normalizer != null) { // writeModel cannot write one: it closes the file too early
                ModelSerializer.addNormalizerToModel(temporary.toFile(), normalizer);
            }
            Files.move(temporary, file, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(temporary);
        }
        return file;
    }
}
