package org.pydl4j.evaluation;

import org.nd4j.evaluation.regression.RegressionEvaluation;

/**
 * Errors and moments of each column: DL4J's RegressionEvaluation. Moments are kept about the means, so that they are exact for labels
 * around any number, and so that counts can be put together. (DL4J subtracts sums of squares, and loses the sum of the labels in a merge.)
 */
final class RegressionCount extends Count {
    private static final long serialVersionUID = 1L;

    private static final int COUNT = 0;
    private static final int LABEL_MEAN = 1;
    private static final int OUTPUT_MEAN = 2;
    private static final int LABEL_SQUARES = 3;
    private static final int OUTPUT_SQUARES = 4;
    private static final int PRODUCTS = 5;
    private static final int SQUARED_ERRORS = 6;
    private static final int ABSOLUTE_ERRORS = 7;
    private static final int EACH = 8;

    /** eight numbers of each column */
    private double[] moments;

    @Override
    void begin() {
        moments = new double[EACH * columns];
    }

    @Override
    void count(Rows rows) {
        for (int i = 0; i < rows.count; i++) {
            for (int j = 0; j < columns; j++) {
                if (!rows.isMasked(i, j)) {
                    add(EACH * j, rows.labels[i * columns + j], rows.output[i * columns + j]);
                }
            }
        }
    }

    private void add(int at, double label, double output) {
        double n = ++moments[at + COUNT];
        double fromLabelMean = label - moments[at + LABEL_MEAN];
        double fromOutputMean = output - moments[at + OUTPUT_MEAN];
        moments[at + LABEL_MEAN] += fromLabelMean / n;
        moments[at + OUTPUT_MEAN] += fromOutputMean / n;
        moments[at + LABEL_SQUARES] += fromLabelMean * (label - moments[at + LABEL_MEAN]);
        moments[at + OUTPUT_SQUARES] += fromOutputMean * (output - moments[at + OUTPUT_MEAN]);
        moments[at + PRODUCTS] += fromLabelMean * (output - moments[at + OUTPUT_MEAN]);
        double error = output - label;
        moments[at + SQUARED_ERRORS] += error * error;
        moments[at + ABSOLUTE_ERRORS] += Math.abs(error);
    }

    @Override
    void plus(Count other) {
        for (int at = 0; at < moments.length; at += EACH) {
            plus(at, ((RegressionCount) other).moments);
        }
    }

    private void plus(int at, double[] other) {
        double mine = moments[at + COUNT];
        double theirs = other[at + COUNT];
        double all = mine + theirs;
        if (theirs == 0) {
            return;
        }
        double labels = other[at + LABEL_MEAN] - moments[at + LABEL_MEAN];
        double outputs = other[at + OUTPUT_MEAN] - moments[at + OUTPUT_MEAN];
        double weight = mine * theirs / all;
        moments[at + LABEL_SQUARES] += other[at + LABEL_SQUARES] + labels * labels * weight;
        moments[at + OUTPUT_SQUARES] += other[at + OUTPUT_SQUARES] + outputs * outputs * weight;
        moments[at + PRODUCTS] += other[at + PRODUCTS] + labels * outputs * weight;
        moments[at + LABEL_MEAN] += labels * theirs / all;
        moments[at + OUTPUT_MEAN] += outputs * theirs / all;
        moments[at + SQUARED_ERRORS] += other[at + SQUARED_ERRORS];
        moments[at + ABSOLUTE_ERRORS] += other[at + ABSOLUTE_ERRORS];
        moments[at + COUNT] = all;
    }

    @Override
    void write(Numbers numbers) {
        numbers.add(moments);
    }

    /** Mean over the columns. */
    double metric(RegressionEvaluation.Metric metric) {
        double sum = 0;
        for (int j = 0; j < columns; j++) {
            sum += metric(metric, EACH * j);
        }
        return sum / columns;
    }

    private double metric(RegressionEvaluation.Metric metric, int at) {
        double n = moments[at + COUNT];
        switch (metric) {
            case MSE:
                return moments[at + SQUARED_ERRORS] / n;
            case MAE:
                return moments[at + ABSOLUTE_ERRORS] / n;
            case RMSE:
                return Math.sqrt(moments[at + SQUARED_ERRORS] / n);
            case RSE:
                return moments[at + SQUARED_ERRORS] / moments[at + LABEL_SQUARES];
            case PC:
                return moments[at + PRODUCTS] / Math.sqrt(moments[at + LABEL_SQUARES] * moments[at + OUTPUT_SQUARES]);
            case R2:
                return 1 - moments[at + SQUARED_ERRORS] / moments[at + LABEL_SQUARES];
            default:
                throw new IllegalArgumentException("no metric: " + metric);
        }
    }
}
