package org.pydl4j.evaluation;

import org.nd4j.evaluation.EvaluationUtils;
import org.nd4j.evaluation.classification.Evaluation;
import org.nd4j.shade.jackson.databind.JsonNode;
import org.pydl4j.PydlException;

/** Which classes are predicted: DL4J's Evaluation. */
final class ClassCount extends Count {
    private static final long serialVersionUID = 1L;

    private final int topN;
    private final double threshold;
    private final boolean hasThreshold;
    private final double[] cost;
    private int classes;
    /** class i predicted as class j, i by i */
    private long[] confusion;
    private long inTop;

    ClassCount(JsonNode options) {
        topN = options.path("top_n").asInt(1);
        hasThreshold = options.path("threshold").isNumber();
        threshold = options.path("threshold").asDouble(0.5);
        JsonNode costs = options.path("cost_array");
        cost = new double[costs.size()];
        for (int i = 0; i < cost.length; i++) {
            cost[i] = costs.get(i).asDouble();
        }
    }

    @Override
    void begin() {
        classes = columns == 1 ? 2 : columns;
        if (hasThreshold && classes != 2) {
            throw new PydlException("ConfigError", "binary_decision_threshold tells two classes apart; this network has " + classes,
                    "binary_decision_threshold", null);
        }
        if (cost.length > 0 && cost.length != columns) {
            throw new PydlException("ConfigError", "cost_array: expected a number for each of the " + columns + " outputs. Received: " + cost.length,
                    "cost_array", null);
        }
        confusion = new long[Math.multiplyExact(classes, classes)];
    }

    @Override
    void count(Rows rows) {
        rows.requireNoMask("Evaluation");
        double limit = rows.precisely(threshold);
        for (int i = 0; i < rows.count; i++) {
            int actual = columns == 1 ? (rows.labels[i] > 0.5 ? 1 : 0) : rows.largest(rows.labels, i);
            confusion[actual * classes + predicted(rows, i, limit)]++;
            inTop += topN > 1 && columns > 1 && isInTop(rows, i, actual) ? 1 : 0;
        }
    }

    private int predicted(Rows rows, int row, double limit) {
        if (columns == 1 || hasThreshold) {
            return rows.output[(row + 1) * columns - 1] > limit ? 1 : 0;
        }
        return cost.length == 0 ? rows.largest(rows.output, row) : costliest(rows, row);
    }

    private int costliest(Rows rows, int row) {
        int best = 0;
        for (int j = 1; j < columns; j++) {
            if (cost[j] * rows.output[row * columns + j] > cost[best] * rows.output[row * columns + best]) {
                best = j;
            }
        }
        return best;
    }

    private boolean isInTop(Rows rows, int row, int actual) {
        int greater = 0;
        for (int j = 0; j < columns; j++) {
            greater += rows.output[row * columns + j] > rows.output[row * columns + actual] ? 1 : 0;
        }
        return greater < topN;
    }

    @Override
    void plus(Count other) {
        Numbers.plus(confusion, ((ClassCount) other).confusion);
        inTop += ((ClassCount) other).inTop;
    }

    @Override
    void write(Numbers numbers) {
        numbers.add(inTop);
        numbers.add(confusion);
    }

    double accuracy() {
        long right = 0;
        long all = 0;
        for (int i = 0; i < confusion.length; i++) {
            all += confusion[i];
            right += i / classes == i % classes ? confusion[i] : 0;
        }
        return right / (double) all;
    }

    /** As DL4J gives it: of class 1 where there are two, else a mean over classes. */
    double metric(Evaluation.Metric metric) {
        if (metric == Evaluation.Metric.ACCURACY) {
            return accuracy();
        }
        boolean mean = classes > 2 || metric == Evaluation.Metric.GMEASURE || metric == Evaluation.Metric.MCC;
        double sum = 0;
        int counted = 0;
        for (int i = mean ? 0 : 1; i < classes; i++) {
            double value = metric(metric, i);
            if (!Double.isNaN(value)) {
                sum += value;
                counted++;
            }
        }
        return counted == 0 ? 0 : sum / counted;
    }

    /** NaN for a class that does not count in a mean. */
    private double metric(Evaluation.Metric metric, int index) {
        long[] seen = outcomes(index);
        double undefined = classes > 2 ? Double.NaN : 0;
        double precision = EvaluationUtils.precision(seen[0], seen[1], undefined);
        double recall = EvaluationUtils.recall(seen[0], seen[2], undefined);
        switch (metric) {
            case PRECISION:
                return precision;
            case RECALL:
                return recall;
            case F1:
                return Double.isNaN(precision + recall) ? Double.NaN : EvaluationUtils.fBeta(1, precision, recall);
            case GMEASURE:
                return EvaluationUtils.gMeasure(zero(precision), zero(recall));
            case MCC:
                return EvaluationUtils.matthewsCorrelation(seen[0], seen[1], seen[2], seen[3]);
            default:
                throw new IllegalArgumentException("no metric: " + metric);
        }
    }

    private static double zero(double value) {
        return Double.isNaN(value) ? 0 : value;
    }

    /** True positives, false positives, false negatives and true negatives of a class. */
    private long[] outcomes(int index) {
        long[] seen = new long[4];
        for (int i = 0; i < confusion.length; i++) {
            boolean actual = i / classes == index;
            boolean predicted = i % classes == index;
            seen[actual ? (predicted ? 0 : 2) : (predicted ? 1 : 3)] += confusion[i];
        }
        return seen;
    }
}
