package org.pydl4j.nn;

import org.nd4j.shade.jackson.databind.JsonNode;
import org.pydl4j.Json;

/** What Python says about a fit. */
final class FitOptions {
    final int epochs;
    final long batchSize;
    final boolean shuffle;
    /** the output whose accuracy is told of; -1 for none */
    final int classifier;
    final JsonNode earlyStopping;
    final JsonNode checkpoint;

    private FitOptions(JsonNode json) {
        epochs = json.required("epochs").asInt();
        batchSize = json.required("batch_size").asLong();
        shuffle = json.required("shuffle").asBoolean();
        classifier = json.required("classifier").asInt();
        earlyStopping = json.required("early_stopping");
        checkpoint = json.required("checkpoint");
    }

    static FitOptions parse(String json) {
        return new FitOptions(Json.parse(json));
    }
}
