package org.pydl4j.spark.frame;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
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
    /** columns of sequences, as long as one of which each has to be; none for any length */
    final List<String> like = new ArrayList<>();

    /** whether the length is that of the longest in each batch, whatever is said here */
    final boolean open;

    SequenceShape(JsonNode json) {
        open = json.path("open").asBoolean(false);
        length = json.required("length").asInt();
        size = json.required("size").asInt();
        timeLast = json.required("time_last").asBoolean();
        json.path("like").forEach(column -> like.add(column.asText()));
    }

    private SequenceShape(SequenceShape of, int length) {
        this.length = length;
        size = of.size;
        timeLast = of.timeLast;
        like.addAll(of.like);
        open = of.open;
    }

    SequenceShape ofLength(int steps) {
        return new SequenceShape(this, steps);
    }

    /** The place of a number in an example. */
    int index(int time, int number) {
        return timeLast ? number * length + time : time * size + number;
    }
}
