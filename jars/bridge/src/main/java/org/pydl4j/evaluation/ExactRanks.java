package org.pydl4j.evaluation;

import java.util.Arrays;

/** Every output, kept. Equal outputs make one point of the curve. (In DL4J they make as many, in the order that a sort leaves them.) */
final class ExactRanks extends Ranks {
    private static final long serialVersionUID = 1L;

    /** outputs that are kept at most, of all columns: 256 MiB */
    static final long MOST = 1L << 25;

    private double[] positives = {};
    private double[] negatives = {};
    private int positiveCount;
    private int negativeCount;

    @Override
    void add(double output, boolean positive, Rows rows) {
        if (positive) {
            positives = room(positives, positiveCount + 1);
            positives[positiveCount++] = output;
        } else {
            negatives = room(negatives, negativeCount + 1);
            negatives[negativeCount++] = output;
        }
    }

    private static double[] room(double[] values, int length) {
        return length <= values.length ? values : Arrays.copyOf(values, Math.max(length, values.length + values.length / 2 + 16));
    }

    @Override
    void plus(Ranks other) {
        ExactRanks more = (ExactRanks) other;
        positives = room(positives, positiveCount + more.positiveCount);
        System.arraycopy(more.positives, 0, positives, positiveCount, more.positiveCount);
        positiveCount += more.positiveCount;
        negatives = room(negatives, negativeCount + more.negativeCount);
        System.arraycopy(more.negatives, 0, negatives, negativeCount, more.negativeCount);
        negativeCount += more.negativeCount;
    }

    @Override
    long held() {
        return (long) positiveCount + negativeCount;
    }

    /** Points from the highest threshold down: nothing is positive at the first, everything is at the last. */
    @Override
    Curve curve() {
        double[] yes = Arrays.copyOf(positives, positiveCount);
        double[] no = Arrays.copyOf(negatives, negativeCount);
        Arrays.parallelSort(yes);
        Arrays.parallelSort(no);
        double[] thresholds = new double[yes.length + no.length + 1];
        long[] truePositives = new long[thresholds.length];
        long[] falsePositives = new long[thresholds.length];
        thresholds[0] = Double.POSITIVE_INFINITY;
        int points = 1;
        int p = yes.length;
        int n = no.length;
        while (p > 0 || n > 0) {
            double threshold = Math.max(p > 0 ? yes[p - 1] : Double.NEGATIVE_INFINITY, n > 0 ? no[n - 1] : Double.NEGATIVE_INFINITY);
            while (p > 0 && yes[p - 1] == threshold) {
                p--;
            }
            while (n > 0 && no[n - 1] == threshold) {
                n--;
            }
            // of points that differ in false positives alone the first and the last will do
            boolean between = points > 1 && truePositives[points - 1] == yes.length - p && truePositives[points - 2] == yes.length - p;
            int at = between ? points - 1 : points++;
            thresholds[at] = threshold;
            truePositives[at] = yes.length - p;
            falsePositives[at] = no.length - n;
        }
        return new Curve(
                Arrays.copyOf(thresholds, points), Arrays.copyOf(truePositives, points), Arrays.copyOf(falsePositives, points),
                yes.length, no.length);
    }
}
