package org.pydl4j.spark;

import java.io.Serializable;
import org.nd4j.shade.jackson.databind.node.ObjectNode;
import org.pydl4j.Json;
import org.pydl4j.evaluation.Counts;

/** What a task saw of a dataset; the parts add up. */
final class Evaluated implements Serializable {
    private static final long serialVersionUID = 1L;

    final Counts counts;
    long examples;
    private boolean scored;
    private double scoreSum;

    Evaluated(Counts counts) {
        this.counts = counts;
    }

    void addScore(double score, long rows) {
        scoreSum += score * rows;
        scored = true;
    }

    Evaluated plus(Evaluated other) {
        counts.plus(other.counts);
        examples += other.examples;
        scoreSum += other.scoreSum;
        scored |= other.scored;
        return this;
    }

    double score() {
        return scoreSum / examples;
    }

    /** {@code {examples, score}}; the latter where it was asked for. */
    ObjectNode toJson() {
        ObjectNode json = Json.object().put("examples", examples);
        return scored ? json.put("score", score()) : json;
    }
}
