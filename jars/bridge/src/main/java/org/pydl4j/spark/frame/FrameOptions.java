package org.pydl4j.spark.frame;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.shade.jackson.databind.JsonNode;
import org.pydl4j.Json;
import org.pydl4j.PydlException;
import org.pydl4j.spark.Arrays;

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
    /** least and greatest number that the loss has a meaning for in labels; empty where that is any */
    final double[] labelRange;
    /** whether the network's numbers are float64 */
    final boolean doublePrecision;
    /** whether features are collected as float64: what float32 cuts off, a normalizer cannot bring back */
    final boolean doubleFeatures;
    /** what a single number as label may name; 0 where labels are no classes */
    final int classes;
    /** null for none */
    final Normalization normalizer;

    private FrameOptions(JsonNode json) {
        features = strings(json.required("features"));
        featureShape = longs(json.required("feature_shape"));
        labels = strings(json.path("labels"));
        labelShape = longs(json.path("label_shape"));
        labelRange = doubles(json.path("label_range"));
        doublePrecision = "float64".equals(json.required("dtype").asText());
        classes = json.path("classes").asInt(0);
        normalizer = json.path("normalizer").isTextual() ? new Normalization(json.path("normalizer").asText()) : null;
        doubleFeatures = doublePrecision || normalizer != null;
    }

    static FrameOptions parse(String json) {
        return new FrameOptions(Json.parse(json));
    }

    /** Features as collected, normalized in place; in the network's precision, which takes a copy where they were collected in another. */
    INDArray prepared(INDArray collected) {
        if (normalizer == null) {
            return collected;
        }
        normalizer.transform(collected);
        INDArray prepared = collected.castTo(doublePrecision ? DataType.DOUBLE : DataType.FLOAT);
        if (!Arrays.isFinite(prepared)) {
            throw new PydlException("DataError", "columns " + String.join(", ", features)
                    + ": NaN or infinity among the normalized features; expected numbers like those that the normalizer was fitted to");
        }
        return prepared;
    }

    private static String[] strings(JsonNode array) {
        List<String> values = new ArrayList<>();
        array.forEach(item -> values.add(item.asText()));
        return values.toArray(new String[0]);
    }

    private static double[] doubles(JsonNode array) {
        List<Double> values = new ArrayList<>();
        array.forEach(item -> values.add(item.asDouble()));
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }

    private static long[] longs(JsonNode array) {
        List<Long> values = new ArrayList<>();
        array.forEach(item -> values.add(item.asLong()));
        return values.stream().mapToLong(Long::longValue).toArray();
    }
}
