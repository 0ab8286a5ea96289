package org.pydl4j.spark;

import org.deeplearning4j.spark.impl.paramavg.ParameterAveragingTrainingMaster;
import org.nd4j.shade.jackson.databind.JsonNode;
import org.pydl4j.Json;

/** What Python says about a fit on Spark. */
final class FitOptions {
    final int epochs;
    final int batchSize;
    final boolean shuffle;
    final int classes;
    final boolean collectStats;
    final Long orderSeed;
    final ParameterAveragingTrainingMaster.Builder master;

    private FitOptions(JsonNode json) {
        epochs = json.required("epochs").asInt();
        shuffle = json.required("shuffle").asBoolean();
        classes = json.required("classes").asInt();
        JsonNode options = json.required("master");
        batchSize = options.required("batch_size_per_worker").asInt();
        collectStats = options.required("collect_training_stats").asBoolean();
        orderSeed = options.path("rng_seed").isNumber() ? options.path("rng_seed").asLong() : null;
        master = master(options, batchSize);
    }

    static FitOptions parse(String json) {
        return new FitOptions(Json.parse(json));
    }

    private static ParameterAveragingTrainingMaster.Builder master(JsonNode options, int batchSize) {
        JsonNode workers = options.path("num_workers");
        return new ParameterAveragingTrainingMaster.Builder(workers.isNumber() ? workers.asInt() : null, batchSize)
                .batchSizePerWorker(batchSize)
                .averagingFrequency(options.required("averaging_frequency").asInt())
                .aggregationDepth(options.required("aggregation_depth").asInt())
                .workerPrefetchNumBatches(options.required("worker_prefetch_num_batches").asInt())
                .saveUpdater(options.required("save_updater").asBoolean());
    }
}
