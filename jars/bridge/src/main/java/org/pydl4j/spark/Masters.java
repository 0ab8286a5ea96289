package org.pydl4j.spark;

import org.apache.spark.api.java.JavaSparkContext;
import org.nd4j.shade.jackson.databind.JsonNode;
import org.pydl4j.spark.shared.GradientSharing;

/** Training masters by the names that Python gives them. */
final class Masters {
    private Masters() {}

    /** @param options of the master, with its {@code @class} */
    static Master of(JavaSparkContext sc, JsonNode options) {
        String name = options.required("@class").asText();
        if (name.equals("ParameterAveragingTrainingMaster")) {
            return options.hasNonNull("rdd_training_approach") ? new StockAveraging(sc, options) : new ParameterAveraging(sc, options);
        }
        if (name.equals("SharedTrainingMaster")) {
            return new GradientSharing(options);
        }
        throw new IllegalArgumentException("no training master: " + name);
    }
}
