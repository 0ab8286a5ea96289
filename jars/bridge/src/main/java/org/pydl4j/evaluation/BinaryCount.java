package org.pydl4j.evaluation;

import org.nd4j.shade.jackson.databind.JsonNode;
import org.pydl4j.PydlException;

/** Yes or no for each output on its own: DL4J's EvaluationBinary. */
final class BinaryCount extends Count {
    private static final long serialVersionUID = 1L;

    private final double[] given;
    /** of each output: true positives, false positives, true negatives, false negatives */
    private long[] counts;

    BinaryCount(JsonNode options) {
        JsonNode thresholds = options.path("decision_threshold");
        given = new double[thresholds.size()];
        for (int i = 0; i < given.length; i++) {
            given[i] = thresholds.get(i).asDouble();
        }
    }

    @Override
    void begin() {
        if (given.length > 1 && given.length != columns) {
            throw new PydlException("ConfigError", "decision_threshold: expected one for all, or one for each of the " + columns
                    + " outputs. Received: " + given.length, "decision_threshold", null);
        }
        counts = new long[4 * columns];
    }

    @Override
    void count(Rows rows) {
        for (int i = 0; i < rows.count; i++) {
            for (int j = 0; j < columns; j++) {
                if (!rows.isMasked(i, j)) {
                    boolean actual = rows.labels[i * columns + j] > 0.5;
                    boolean predicted = rows.output[i * columns + j] > rows.precisely(threshold(j));
                    counts[4 * j + (predicted ? (actual ? 0 : 1) : (actual ? 3 : 2))]++;
                }
            }
        }
    }

    private double threshold(int column) {
        return given.length == 0 ? 0.5 : given[given.length == 1 ? 0 : column];
    }

    @Override
    void plus(Count other) {
        Numbers.plus(counts, ((BinaryCount) other).counts);
    }

    @Override
    void write(Numbers numbers) {
        numbers.add(counts);
    }
}
