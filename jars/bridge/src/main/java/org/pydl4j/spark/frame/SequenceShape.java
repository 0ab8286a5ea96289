package org.pydl4j.spark.frame;

import java.io.Serializable;
import org.nd4j.shade.jackson.databind.JsonNode;

/** What becomes of a column of sequences. */
final class SequenceShape implements Serializable {
    private static final long serialVersionUID = 1L;

    /** time steps, padding included */
    final int length;
    /** numbers of a time step */
    final int size;
    /** whether all times of a number lie side by side, or else all numbers of a time */
    final boolean timeLast;
    /** whether it becomes the mask, [length] */
    final boolean mask;

    SequenceShape(JsonNode json) {
        length = json.required("length").asInt();
        size = json.required("size").asInt();
        timeLast = json.required("time_last").asBoolean();
        mask = json.required("mask").asBoolean();
    }
}
