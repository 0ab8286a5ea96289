package org.pydl4j.spark.frame;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.shade.jackson.databind.JsonNode;
import org.pydl4j.PydlException;
import org.pydl4j.tensor.Tensors;

/** What Python says about one tensor: of which columns of a DataFrame it is made, and what is expected of their numbers. */
final class TensorOptions implements Serializable {
    private static final long serialVersionUID = 1L;

    /** features, features_1, ..., labels, labels_1, ... */
    final String name;
    /** joined, in this order, to one row */
    final String[] columns;
    /** of one row */
    final long[] shape;
    /** least and greatest number that has a meaning; empty where that is any */
    final double[] range;
    /** whether the network's numbers are float64 */
    final boolean doublePrecision;
    /** what a single number may name as label; 0 where it names no class */
    final int classes;
    /** whether numbers are indices, and so have no fraction */
    final boolean indices;
    /** of features that may be images; else null */
    final ImageShape image;
    /** where the column is one of sequences; else null */
    final SequenceShape sequence;
    /** whether it says what counts of another tensor, of the same columns */
    final boolean mask;
    /** the column that says which time steps count, or whether a row does; null where all do */
    final String kept;
    /** null for none */
    final Normalization normalizer;

    TensorOptions(JsonNode json) {
        name = json.required("name").asText();
        columns = strings(json.required("columns"));
        shape = doubles(json.required("shape")).stream().mapToLong(Double::longValue).toArray();
        range = doubles(json.path("range")).stream().mapToDouble(Double::doubleValue).toArray();
        doublePrecision = "float64".equals(json.required("dtype").asText());
        classes = json.path("classes").asInt(0);
        indices = json.path("indices").asBoolean(false);
        image = json.path("image").isObject() ? new ImageShape(json.path("image")) : null;
        sequence = json.path("sequence").isObject() ? new SequenceShape(json.path("sequence")) : null;
        mask = json.path("mask").asBoolean(false);
        kept = json.path("kept").asText(null);
        normalizer = json.path("normalizer").isTextual() ? new Normalization(json.path("normalizer").asText()) : null;
    }

    private TensorOptions(TensorOptions of, SequenceShape sequence) {
        name = of.name;
        columns = of.columns;
        range = of.range;
        doublePrecision = of.doublePrecision;
        classes = of.classes;
        indices = of.indices;
        image = of.image;
        mask = of.mask;
        kept = of.kept;
        normalizer = of.normalizer;
        this.sequence = sequence;
        shape = of.shape.clone();
        shape[shape.length == 1 || !sequence.timeLast ? 0 : 1] = sequence.length;
    }

    /** The same with so many time steps. */
    TensorOptions ofLength(int steps) {
        return new TensorOptions(this, sequence.ofLength(steps));
    }

    boolean isFeatures() {
        return name.startsWith("features") && !mask;
    }

    /** Whether it says what counts of some features. */
    boolean isFeaturesMask() {
        return name.startsWith("features") && mask;
    }

    /** All that is read of a row. */
    List<String> needed() {
        List<String> needed = new ArrayList<>(List.of(columns));
        if (kept != null) {
            needed.add(kept);
        }
        if (sequence != null) {
            needed.addAll(sequence.like);
        }
        return needed;
    }

    /** Of the input or output, counted from 0. */
    int number() {
        String digits = name.replaceAll("\\D", "");
        return digits.isEmpty() ? 0 : Integer.parseInt(digits);
    }

    /** "features" or "labels", for messages */
    String what() {
        return mask ? "numbers of a mask" : isFeatures() ? "features" : "labels";
    }

    /** Whether rows are collected as float64: what float32 cuts off, a normalizer cannot bring back. */
    boolean collectsDoubles() {
        return doublePrecision || normalizer != null;
    }

    /**
     * Rows as collected, normalized in place; in the network's precision, which takes a copy where they were collected in another.
     *
     * @param mask what counts of sequences, the rest of which stays zero; null where there are none, or no normalizer
     */
    INDArray prepared(INDArray collected, INDArray mask) {
        if (normalizer == null) {
            return collected;
        }
        normalizer.transform(collected);
        if (mask != null) {
            new MaskedSteps(sequence, mask).clearOthers(collected);
        }
        INDArray prepared = collected.castTo(doublePrecision ? DataType.DOUBLE : DataType.FLOAT);
        if (!Tensors.isFinite(prepared)) {
            throw new PydlException("DataError", "columns " + String.join(", ", columns)
                    + ": NaN or infinity among the normalized features; expected numbers like those that the normalizer was fitted to");
        }
        return prepared;
    }

    private static String[] strings(JsonNode array) {
        List<String> values = new ArrayList<>();
        array.forEach(item -> values.add(item.asText()));
        return values.toArray(new String[0]);
    }

    private static List<Double> doubles(JsonNode array) {
        List<Double> values = new ArrayList<>();
        array.forEach(item -> values.add(item.asDouble()));
        return values;
    }
}
