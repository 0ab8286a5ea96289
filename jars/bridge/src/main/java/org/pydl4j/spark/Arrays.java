package org.pydl4j.spark;

import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.api.MultiDataSet;

/** What ND4J's arrays are asked, and told, here. */
public final class Arrays {
    private Arrays() {}

    /** Gives off-heap memory back at once: the garbage collector sees only the small Java objects in front of it. */
    public static void close(MultiDataSet minibatch) {
        close(minibatch.getFeatures());
        close(minibatch.getLabels());
        close(minibatch.getFeaturesMaskArrays());
        close(minibatch.getLabelsMaskArrays());
    }

    /** Gives off-heap memory back at once. */
    public static void close(INDArray[] arrays) {
        if (arrays != null) {
            for (INDArray array : arrays) {
                close(array);
            }
        }
    }

    /** The minibatch with features in memory of their own, which layers may write to. */
    public static MultiDataSet ownFeatures(MultiDataSet minibatch) {
        INDArray[] features = minibatch.getFeatures().clone();
        for (int i = 0; i < features.length; i++) {
            features[i] = features[i].dup();
        }
        return new org.nd4j.linalg.dataset.MultiDataSet(
                features, minibatch.getLabels(), minibatch.getFeaturesMaskArrays(), minibatch.getLabelsMaskArrays());
    }

    /** Gives off-heap memory back at once. */
    public static void close(INDArray array) {
        if (array != null && array.closeable()) {
            array.close();
        }
    }

    /** Gives off-heap memory back at once, unless it is that of {@code kept}: casts and layers may return what they were given. */
    public static void closeUnlessOf(INDArray kept, INDArray array) {
        if (array.data().address() != kept.data().address()) {
            close(array);
        }
    }
}
