package org.pydl4j.nn;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.nd4j.linalg.api.ndarray.INDArray;

/**
 * Arrays to train on or to look at, joined along their first axis, in c order: features and labels in the order in which the network's
 * configuration names inputs and outputs, each with its mask where it has one.
 */
public final class Examples {
    private final List<INDArray> features = new ArrayList<>();
    private final List<INDArray> featuresMasks = new ArrayList<>();
    private final List<INDArray> labels = new ArrayList<>();
    private final List<INDArray> labelsMasks = new ArrayList<>();

    private Examples() {}

    public static Examples create() {
        return new Examples();
    }

    /** Those of the next input. */
    public static void addFeatures(Examples examples, INDArray features, INDArray mask) {
        examples.features.add(features);
        examples.featuresMasks.add(mask);
    }

    /** Those of the next output; both null for an output that is not looked at. */
    public static void addLabels(Examples examples, INDArray labels, INDArray mask) {
        examples.labels.add(labels);
        examples.labelsMasks.add(mask);
    }

    int size() {
        return Math.toIntExact(features.get(0).size(0));
    }

    INDArray[] features() {
        return features.toArray(new INDArray[0]);
    }

    INDArray[] labels() {
        return labels.toArray(new INDArray[0]);
    }

    /** null where there are none at all, as DL4J has it */
    INDArray[] featuresMasks() {
        return orNull(featuresMasks);
    }

    /** null where there are none at all, as DL4J has it */
    INDArray[] labelsMasks() {
        return orNull(labelsMasks);
    }

    private static INDArray[] orNull(List<INDArray> masks) {
        return masks.stream().allMatch(Objects::isNull) ? null : masks.toArray(new INDArray[0]);
    }
}
