package org.pydl4j.evaluation;

/** How many positives and negatives reach each threshold, from the highest down. */
final class Curve {
    private final double[] thresholds;
    private final long[] truePositives;
    private final long[] falsePositives;
    private final long positives;
    private final long negatives;

    Curve(double[] thresholds, long[] truePositives, long[] falsePositives, long positives, long negatives) {
        this.thresholds = thresholds;
        this.truePositives = truePositives;
        this.falsePositives = falsePositives;
        this.positives = positives;
        this.negatives = negatives;
    }

    boolean isDefined() {
        return positives > 0 && negatives > 0;
    }

    /** Under the receiver operating characteristic, by trapezoids. */
    double auc() {
        double area = 0;
        for (int i = 1; i < thresholds.length; i++) {
            area += (falsePositives[i] - falsePositives[i - 1]) / 2.0 * (truePositives[i] + truePositives[i - 1]);
        }
        int last = thresholds.length - 1; // with steps there may be outputs below the last
        area += (negatives - falsePositives[last]) / 2.0 * (positives + truePositives[last]);
        return area / positives / negatives;
    }

    /** Under precision against recall, by trapezoids. */
    double auprc() {
        double area = 0;
        for (int i = 1; i < thresholds.length; i++) {
            area += (truePositives[i] - truePositives[i - 1]) / 2.0 * (precision(i) + precision(i - 1));
        }
        return area / positives;
    }

    private double precision(int i) {
        long found = truePositives[i] + falsePositives[i];
        return found == 0 ? 1 : truePositives[i] / (double) found;
    }

    void write(Numbers numbers) {
        numbers.add(thresholds.length, positives, negatives);
        numbers.add(thresholds);
        numbers.add(truePositives);
        numbers.add(falsePositives);
    }
}
