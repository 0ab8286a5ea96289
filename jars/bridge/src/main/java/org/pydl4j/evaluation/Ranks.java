package org.pydl4j.evaluation;

import java.io.Serializable;

/** Outputs of examples that are positive, and of those that are not. */
abstract class Ranks implements Serializable {
    private static final long serialVersionUID = 1L;

    abstract void add(double output, boolean positive, Rows rows);

    abstract void plus(Ranks other);

    /** How many outputs are kept. */
    abstract long held();

    abstract Curve curve();
}
