package org.pydl4j.evaluation;

import java.util.Arrays;

/** Outputs counted between thresholds 0, 1/n, 2/n, ... 1. At each, what is not less is positive; at 1 nothing is, as in DL4J. */
final class SteppedRanks extends Ranks {
    private static final long serialVersionUID = 1L;

    private final double[] thresholds;
    /** how many outputs have threshold i as the greatest that they reach; those below 0 reach none */
    private final long[] positives;
    private final long[] negatives;
    private long positivesInAll;
    private long negativesInAll;
    private transient double[] precise;

    SteppedRanks(int steps) {
        thresholds = new double[steps + 1];
        for (int i = 0; i <= steps; i++) {
            thresholds[i] = i * (1.0 / steps);
        }
        positives = new long[steps];
        negatives = new long[steps];
    }

    @Override
    void add(double output, boolean positive, Rows rows) {
        if (precise == null) {
            precise = Arrays.stream(thresholds).map(rows::precisely).toArray();
        }
        int found = Arrays.binarySearch(precise, output);
        int reached = Math.min(found >= 0 ? found : -found - 2, positives.length - 1);
        if (reached >= 0) {
            (positive ? positives : negatives)[reached]++;
        }
        positivesInAll += positive ? 1 : 0;
        negativesInAll += positive ? 0 : 1;
    }

    @Override
    void plus(Ranks other) {
        SteppedRanks more = (SteppedRanks) other;
        Numbers.plus(positives, more.positives);
        Numbers.plus(negatives, more.negatives);
        positivesInAll += more.positivesInAll;
        negativesInAll += more.negativesInAll;
    }

    @Override
    long held() {
        return 0;
    }

    @Override
    Curve curve() {
        int points = thresholds.length;
        double[] descending = new double[points];
        long[] truePositives = new long[points];
        long[] falsePositives = new long[points];
        descending[0] = thresholds[points - 1];
        for (int i = 1; i < points; i++) {
            int step = points - 1 - i;
            descending[i] = thresholds[step];
            truePositives[i] = truePositives[i - 1] + positives[step];
            falsePositives[i] = falsePositives[i - 1] + negatives[step];
        }
        return new Curve(descending, truePositives, falsePositives, positivesInAll, negativesInAll);
    }
}
