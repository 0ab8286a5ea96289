package org.pydl4j.spark;

import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.DataSet;

/** Off-heap memory given back at once: the garbage collector sees only the small Java objects in front of it. */
final class Arrays {
    private Arrays() {}

    static void close(DataSet minibatch) {
        close(minibatch.getFeatures());
        close(minibatch.getLabels());
        close(minibatch.getFeaturesMaskArray());
        close(minibatch.getLabelsMaskArray());
    }

    static void close(INDArray array) {
        if (array != null && array.closeable()) {
            array.close();
        }
    }
}
