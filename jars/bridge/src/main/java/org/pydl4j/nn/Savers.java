package org.pydl4j.nn;

import java.io.File;
import java.nio.file.Paths;
import org.deeplearning4j.earlystopping.EarlyStoppingModelSaver;
import org.deeplearning4j.nn.api.Model;
import org.nd4j.linalg.dataset.api.preprocessor.DataNormalization;
import org.nd4j.linalg.dataset.api.preprocessor.serializer.NormalizerSerializer;
import org.nd4j.shade.jackson.databind.JsonNode;

/** Where networks are kept while training goes on. */
final class Savers {
    private Savers() {}

    /** @param json {@code {directory, normalizer}}, the latter a file; without a directory: in memory */
    static EarlyStoppingModelSaver<Model> of(JsonNode json) {
        if (!json.hasNonNull("directory")) {
            return new MemorySaver();
        }
        return new DirectorySaver(Paths.get(json.get("directory").asText()), normalizer(json.path("normalizer")));
    }

    private static DataNormalization normalizer(JsonNode path) {
        if (path.isMissingNode()) {
            return null;
        }
        try {
            return NormalizerSerializer.getDefault().restore(new File(path.asText()));
        } catch (Exception e) { // declared so by DL4J
            throw new IllegalStateException("the normalizer cannot be read back from " + path, e);
        }
    }
}
