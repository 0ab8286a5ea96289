package org.pydl4j.spark.frame;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.nd4j.shade.jackson.databind.JsonNode;
import org.pydl4j.Json;

/** What Python says about the columns of a DataFrame. */
final class FrameOptions implements Serializable {
    private static final long serialVersionUID = 1L;

    /** joined, in this order, to a row of features */
    final String[] features;
    final long[] featureShape;
    /** empty where there are none */
    final String[] labels;
    /** of one row of labels; empty where there are none */
    final long[] labelShape;
    final boolean doublePrecision;
    /** what a single number as label may name; 0 where labels are no classes */
    final int classes;
    /** null for none */
    final Normalization normalizer;

    private FrameOptions(JsonNode json) {
        features = strings(json.required("features"));
        featureShape = longs(json.required("feature_shape"));
        labels = strings(json.path("labels"));
        labelShape = longs(json.path("label_shape"));
        doublePrecision = "float64".equals(json.required("dtype").asText());
        classes = json.path("classes").asInt(0);
        normalizer = json.path("normalizer").isTextual() ? new Normalization(json.path("normalizer").asText()) : null;
    }

    static FrameOptions parse(String json) {
        return new FrameOptions(Json.parse(json));
    }

    private static String[] strings(JsonNode array) {
        List<String> values = new ArrayList<>();
        array.forEach(item -> values.add(item.asText()));
        return values.toArray(new String[0]);
    }

    private static long[] longs(JsonNode array) {
        List<Long> values = new ArrayList<>();
        array.forEach(item -> values.add(item.asLong()));
        return values.stream().mapToLong(Long::longValue).toArray();
    }
}
