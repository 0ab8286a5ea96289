package org.pydl4j.spark;

import java.util.Locale;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.api.MultiDataSet;
import org.pydl4j.nn.Net;

/** What a network is asked about each example. */
public enum Answer {
    /** the activations of each output */
    OUTPUT,
    /** the loss; labels are needed for it */
    SCORE,
    /** the loss, with the network's regularization */
    REGULARIZED_SCORE;

    /** @param name in Python's letters */
    public static Answer named(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT));
    }

    /** Arrays with a row for each example. Layers may write to the features. */
    public INDArray[] of(Net network, MultiDataSet minibatch) {
        return this == OUTPUT
                ? network.output(minibatch)
                : new INDArray[] {network.scoreExamples(minibatch, this == REGULARIZED_SCORE)};
    }
}
