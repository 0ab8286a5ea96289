package org.pydl4j.evaluation;

import org.nd4j.shade.jackson.databind.JsonNode;

/**
 * Whether outputs are probabilities: DL4J's EvaluationCalibration. (DL4J's merge counts the first part twice, and forgets all but the
 * reliability diagrams of the others.)
 */
final class CalibrationCount extends Count {
    private static final long serialVersionUID = 1L;

    private final int bins;
    private final int histogramBins;
    // of each bin, column by column
    private long[] positives;
    private long[] totals;
    private double[] sums;
    // of each column
    private long[] labels;
    private long[] predictions;
    // of each bin of the histograms: of all outputs; column by column, where the label is 1
    private long[] residuals;
    private long[] residualsOfClass;
    private long[] probabilities;
    private long[] probabilitiesOfClass;

    CalibrationCount(JsonNode options) {
        bins = options.required("reliability_diag_num_bins").asInt();
        histogramBins = options.required("histogram_num_bins").asInt();
    }

    @Override
    void begin() {
        positives = new long[bins * columns];
        totals = new long[bins * columns];
        sums = new double[bins * columns];
        labels = new long[columns];
        predictions = new long[columns];
        residuals = new long[histogramBins];
        residualsOfClass = new long[histogramBins * columns];
        probabilities = new long[histogramBins];
        probabilitiesOfClass = new long[histogramBins * columns];
    }

    @Override
    void count(Rows rows) {
        rows.requireNoMask("EvaluationCalibration");
        for (int i = 0; i < rows.count; i++) {
            predictions[rows.largest(rows.output, i)]++;
            for (int j = 0; j < columns; j++) {
                count(rows, j, rows.output[i * columns + j], rows.labels[i * columns + j] > 0.5);
            }
        }
    }

    private void count(Rows rows, int column, double output, boolean positive) {
        int bin = bin(rows, output, bins) * columns + column;
        totals[bin]++;
        sums[bin] += output;
        int probability = bin(rows, output, histogramBins);
        int residual = bin(rows, rows.precisely(Math.abs((positive ? 1 : 0) - output)), histogramBins);
        probabilities[probability]++;
        residuals[residual]++;
        if (positive) {
            labels[column]++;
            positives[bin]++;
            probabilitiesOfClass[probability * columns + column]++;
            residualsOfClass[residual * columns + column]++;
        }
    }

    /** Bins are closed below and open above, but for the last; what rounding put outside of 0 and 1 is in the first or the last. */
    private static int bin(Rows rows, double value, int count) {
        double width = 1.0 / count;
        int bin = (int) Math.max(0, Math.min(count - 1, value * count));
        if (bin + 1 < count && value >= rows.precisely((bin + 1) * width)) {
            return bin + 1;
        }
        return bin > 0 && value < rows.precisely(bin * width) ? bin - 1 : bin;
    }

    @Override
    void plus(Count other) {
        CalibrationCount more = (CalibrationCount) other;
        Numbers.plus(positives, more.positives);
        Numbers.plus(totals, more.totals);
        Numbers.plus(sums, more.sums);
        Numbers.plus(labels, more.labels);
        Numbers.plus(predictions, more.predictions);
        Numbers.plus(residuals, more.residuals);
        Numbers.plus(residualsOfClass, more.residualsOfClass);
        Numbers.plus(probabilities, more.probabilities);
        Numbers.plus(probabilitiesOfClass, more.probabilitiesOfClass);
    }

    @Override
    void write(Numbers numbers) {
        numbers.add(positives);
        numbers.add(totals);
        numbers.add(sums);
        numbers.add(labels);
        numbers.add(predictions);
        numbers.add(residuals);
        numbers.add(residualsOfClass);
        numbers.add(probabilities);
        numbers.add(probabilitiesOfClass);
    }
}
