package org.pydl4j.nn;

import org.pydl4j.evaluation.Counts;

/** What was seen of the validation data after an epoch. */
public final class Validated {
    /** mean of the examples, regularization included */
    public final double loss;
    public final long examples;
    public final Counts counts;

    public Validated(double loss, long examples, Counts counts) {
        this.loss = loss;
        this.examples = examples;
        this.counts = counts;
    }
}
