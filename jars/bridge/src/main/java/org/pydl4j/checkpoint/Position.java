package org.pydl4j.checkpoint;

import org.nd4j.shade.jackson.databind.JsonNode;
import org.nd4j.shade.jackson.databind.node.ObjectNode;
import org.pydl4j.Json;

/** How far a fit is: so many whole epochs, and so many minibatches of the next one. */
public final class Position {
    public static final Position START = new Position(0, 0, 0, 0);

    public final int epochs;
    public final int minibatches;
    /** of those minibatches */
    public final long examples;
    /** mean over those examples */
    public final double score;

    public Position(int epochs, int minibatches, long examples, double score) {
        this.epochs = epochs;
        this.minibatches = minibatches;
        this.examples = examples;
        this.score = score;
    }

    public static Position afterEpoch(int epochs) {
        return new Position(epochs, 0, 0, 0);
    }

    static Position parse(JsonNode json) {
        return new Position(
                json.required("epochs").asInt(),
                json.required("minibatches").asInt(),
                json.required("examples").asLong(),
                json.required("score").asDouble());
    }

    ObjectNode toJson() {
        return Json.object()
                .put("epochs", epochs)
                .put("minibatches", minibatches)
                .put("examples", examples)
                .put("score", score);
    }
}
