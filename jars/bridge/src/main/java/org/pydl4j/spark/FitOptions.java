package org.pydl4j.spark;

import org.nd4j.shade.jackson.databind.JsonNode;
import org.pydl4j.Json;

/** What Python says about a fit on Spark. */
final class FitOptions {
    final int epochs;
    final int batchSize;
    final boolean shuffle;
    /** the output whose accuracy is told of; -1 for none */
    final int classifier;
    final boolean collectStats;
    final Long orderSeed;
    final JsonNode master;
    final JsonNode checkpoint;
    final JsonNode earlyStopping;

    private FitOptions(JsonNode json) {
        epochs = json.required("epochs").asInt();
        shuffle = json.required("shuffle").asBoolean();
        classifier = json.required("classifier").asInt();
        master = json.required("master");
        checkpoint = json.required("checkpoint");
        earlyStopping = json.required("early_stopping");
        batchSize = master.required("batch_size_per_worker").asInt();
        collectStats = master.required("collect_training_stats").asBoolean();
        orderSeed = master.path("rng_seed").isNumber() ? master.path("rng_seed").asLong() : null;
    }

    static FitOptions parse(String json) {
        return new FitOptions(Json.parse(json));
    }
}
