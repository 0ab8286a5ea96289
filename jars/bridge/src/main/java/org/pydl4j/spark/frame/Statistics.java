package org.pydl4j.spark.frame;

import java.io.Serializable;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.pydl4j.spark.data.Native;

/** Two statistics for each feature (axis 1), from any number of batches and partitions, in float64. */
abstract class Statistics implements Serializable {
    private static final long serialVersionUID = 1L;

    protected final int features;

    private Statistics(int features) {
        this.features = features;
    }

    /** @param kind the normalizer's type as DL4J writes it */
    static Statistics of(String kind, long[] rowShape) {
        int features = Math.toIntExact(rowShape[0]);
        return "MIN_MAX".equals(kind) ? new Bounds(features) : new Moments(features);
    }

    abstract void add(double[] batch, int rows);

    abstract void merge(Statistics other);

    /** Whether there was anything to learn of. */
    final boolean isKnown() {
        return java.util.Arrays.stream(pair()).flatMapToDouble(java.util.Arrays::stream).allMatch(Double::isFinite);
    }

    /** The first statistic of each feature, then the second of each. */
    abstract double[][] pair();

    /** @param batch float64, contiguous */
    final void add(INDArray batch) {
        double[] numbers = new double[Math.toIntExact(batch.length())];
        Native.buffer(batch).asDoubleBuffer().get(numbers);
        add(numbers, Math.toIntExact(batch.size(0)));
    }

    /** Mean and population standard deviation, merged by Chan's parallel update. */
    private static final class Moments extends Statistics {
        private static final long serialVersionUID = 1L;

        private final double[] mean;
        private final double[] squares; // sum of squared deviations from the mean
        private long count;

        Moments(int features) {
            super(features);
            mean = new double[features];
            squares = new double[features];
        }

        @Override
        void add(double[] batch, int rows) {
            Moments added = new Moments(features);
            int places = batch.length / rows / features;
            added.count = (long) rows * places;
            for (int row = 0, at = 0; row < rows; row++) {
                for (int f = 0; f < features; f++) {
                    for (int i = 0; i < places; i++) {
                        added.mean[f] += batch[at++];
                    }
                }
            }
            for (int f = 0; f < features; f++) {
                added.mean[f] /= added.count;
            }
            for (int row = 0, at = 0; row < rows; row++) {
                for (int f = 0; f < features; f++) {
                    for (int i = 0; i < places; i++) {
                        double delta = batch[at++] - added.mean[f];
                        added.squares[f] += delta * delta;
                    }
                }
            }
            merge(added);
        }

        @Override
        void merge(Statistics statistics) {
            Moments other = (Moments) statistics;
            long total = count + other.count;
            if (total == 0) {
                return;
            }
            double share = other.count / (double) total;
            for (int f = 0; f < features; f++) {
                double delta = other.mean[f] - mean[f];
                mean[f] += delta * share;
                squares[f] += other.squares[f] + delta * delta * share * count;
            }
            count = total;
        }

        @Override
        double[][] pair() {
            double[] deviation = new double[features];
            for (int f = 0; f < features; f++) {
                deviation[f] = Math.sqrt(squares[f] / count);
            }
            return new double[][] {mean, deviation};
        }
    }

    /** Smallest and largest. */
    private static final class Bounds extends Statistics {
        private static final long serialVersionUID = 1L;

        private final double[] lower;
        private final double[] upper;

        Bounds(int features) {
            super(features);
            lower = new double[features];
            upper = new double[features];
            java.util.Arrays.fill(lower, Double.POSITIVE_INFINITY);
            java.util.Arrays.fill(upper, Double.NEGATIVE_INFINITY);
        }

        @Override
        void add(double[] batch, int rows) {
            int places = batch.length / rows / features;
            for (int row = 0, at = 0; row < rows; row++) {
                for (int f = 0; f < features; f++) {
                    for (int i = 0; i < places; i++, at++) {
                        lower[f] = Math.min(lower[f], batch[at]);
                        upper[f] = Math.max(upper[f], batch[at]);
                    }
                }
            }
        }

        @Override
        void merge(Statistics statistics) {
            Bounds other = (Bounds) statistics;
            for (int f = 0; f < features; f++) {
                lower[f] = Math.min(lower[f], other.lower[f]);
                upper[f] = Math.max(upper[f], other.upper[f]);
            }
        }

        @Override
        double[][] pair() {
            return new double[][] {lower, upper};
        }
    }
}
