package org.pydl4j.evaluation;

import org.nd4j.shade.jackson.databind.JsonNode;
import org.pydl4j.PydlException;

/** How outputs rank yes and no: DL4J's ROC of one output, its ROCBinary of each, its ROCMultiClass of each class against the others. */
final class RocCount extends Count {
    private static final long serialVersionUID = 1L;

    private final String name;
    private final int steps;
    private Ranks[] ranks;

    /** @param options {@code threshold_steps}, 0 for all outputs that there are */
    RocCount(String name, JsonNode options) {
        this.name = name;
        this.steps = options.path("threshold_steps").asInt(0);
    }

    private boolean isOne() {
        return name.equals("ROC");
    }

    @Override
    void begin() {
        if (isOne() && columns > 2) {
            throw new PydlException("ConfigError", "ROC takes an output of one number, or of two for two classes; this one has " + columns
                    + ". Expected ROCMultiClass, for classes, or ROCBinary, for outputs on their own.");
        }
        ranks = new Ranks[isOne() ? 1 : columns];
        for (int j = 0; j < ranks.length; j++) {
            ranks[j] = steps == 0 ? new ExactRanks() : new SteppedRanks(steps);
        }
    }

    @Override
    void count(Rows rows) {
        if (!name.equals("ROCBinary")) {
            rows.requireNoMask(name);
        }
        for (int j = 0; j < ranks.length; j++) {
            int column = isOne() ? columns - 1 : j; // of two classes the second
            for (int i = 0; i < rows.count; i++) {
                if (!rows.isMasked(i, column)) {
                    ranks[j].add(rows.output[i * columns + column], rows.labels[i * columns + column] > 0.5, rows);
                }
            }
        }
        requireRoom();
    }

    @Override
    void plus(Count other) {
        for (int j = 0; j < ranks.length; j++) {
            ranks[j].plus(((RocCount) other).ranks[j]);
        }
        requireRoom();
    }

    private void requireRoom() {
        long held = 0;
        for (Ranks rank : ranks) {
            held += rank.held();
        }
        if (held > ExactRanks.MOST) {
            throw new PydlException("ConfigError", name + " with threshold_steps=0 keeps every output, and these are more than " + ExactRanks.MOST
                    + ". Expected threshold_steps, as in " + name + "(threshold_steps=200): it counts at so many thresholds.", "threshold_steps", null);
        }
    }

    @Override
    void write(Numbers numbers) {
        for (Ranks rank : ranks) {
            rank.curve().write(numbers);
        }
    }

    /** Mean over the curves that there are: those with both yes and no. */
    double area(boolean underRoc) {
        double sum = 0;
        int counted = 0;
        for (Ranks rank : ranks) {
            Curve curve = rank.curve();
            if (curve.isDefined()) {
                sum += underRoc ? curve.auc() : curve.auprc();
                counted++;
            }
        }
        return sum / counted;
    }
}
