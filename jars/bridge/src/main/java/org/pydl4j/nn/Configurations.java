package org.pydl4j.nn;

import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.nd4j.shade.jackson.core.JsonProcessingException;
import org.nd4j.shade.jackson.databind.JsonNode;

/** Reads DL4J's configuration objects. */
final class Configurations {
    private Configurations() {}

    /** The object that {@code tree} is DL4J's JSON of. */
    static <T> T read(JsonNode tree, Class<T> type) {
        try {
            return NeuralNetConfiguration.mapper().treeToValue(tree, type);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("not DL4J's JSON of a " + type.getSimpleName() + ": " + tree, e);
        }
    }
}
