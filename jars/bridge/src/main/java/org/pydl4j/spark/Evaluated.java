package org.pydl4j.spark;

import java.io.Serializable;
import org.nd4j.evaluation.classification.Evaluation;
import org.nd4j.shade.jackson.databind.node.ArrayNode;
import org.nd4j.shade.jackson.databind.node.ObjectNode;
import org.pydl4j.Json;

/** Counts of an evaluation, which add up. */
final class Evaluated implements Serializable {
    private static final long serialVersionUID = 1L;

    private long examples;
    private double scoreSum;
    private int classes;
    private long[] counts = {};

    void addScore(double score, long rows) {
        scoreSum += score * rows;
        examples += rows;
    }

    void addCounts(Evaluation evaluation, int ofClasses) {
        classes = ofClasses;
        counts = new long[classes * classes];
        for (int i = 0; i < counts.length && evaluation.getConfusionMatrix() != null; i++) { // null where masks left nothing
            counts[i] = evaluation.getConfusionMatrix().getCount(i / classes, i % classes);
        }
    }

    Evaluated plus(Evaluated other) {
        scoreSum += other.scoreSum;
        examples += other.examples;
        if (counts.length == 0) {
            classes = other.classes;
            counts = other.counts;
        } else {
            for (int i = 0; i < other.counts.length; i++) {
                counts[i] += other.counts[i];
            }
        }
        return this;
    }

    double score() {
        return scoreSum / examples;
    }

    double accuracy() {
        long right = 0;
        long all = 0;
        for (int i = 0; i < counts.length; i++) {
            all += counts[i];
            right += i / classes == i % classes ? counts[i] : 0;
        }
        return right / (double) all;
    }

    /** {@code {score, counts}}: class i (row) was predicted as class j (column) so often, row by row. */
    ObjectNode toJson() {
        ArrayNode all = Json.array();
        for (long count : counts) {
            all.add(count);
        }
        ObjectNode json = Json.object().put("score", score());
        json.set("counts", all);
        return json;
    }
}
