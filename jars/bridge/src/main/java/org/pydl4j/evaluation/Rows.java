package org.pydl4j.evaluation;

import java.util.Arrays;
import org.bytedeco.javacpp.DoublePointer;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.memory.pointers.PagedPointer;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.factory.ops.NDBase;
import org.pydl4j.PydlException;
import org.pydl4j.tensor.Tensors;

/**
 * Labels and output of a minibatch, a row for each example, time step or pixel that is not masked. (DL4J's own evaluations take masks of
 * sequences for those of NCW, whatever their format, and refuse those of images.)
 */
final class Rows {
    final int count;
    final int columns;
    /** row by row, as is {@link #output} */
    final double[] labels;
    final double[] output;
    /** row by row, what to leave out; null for nothing */
    private final boolean[] masked;
    private final boolean single;

    private Rows(int count, int columns, double[] labels, double[] output, boolean[] masked, boolean single) {
        this.count = count;
        this.columns = columns;
        this.labels = labels;
        this.output = output;
        this.masked = masked;
        this.single = single;
    }

    /**
     * @param labels of the output's shape, or indices of classes where that of a sparse loss is
     * @param mask of the labels: for each example, time step, pixel or number; null for none
     * @param axis where the output has a number for each class or column
     */
    static Rows of(INDArray labels, INDArray output, INDArray mask, int axis) {
        INDArray full = oneHot(labels, output);
        double[] out = numbers(output, axis);
        requireNumbers(out);
        int columns = (int) output.size(axis);
        boolean[] masked = mask == null ? null : masked(mask, output, axis);
        boolean single = output.dataType() != DataType.DOUBLE;
        Rows rows = new Rows(out.length / columns, columns, numbers(full, axis), out, masked, single);
        return masked == null ? rows : rows.withoutMasked();
    }

    /** A number that outputs are compared with, as precise as they are: 0.7 is not less than an output of 0.7. */
    double precisely(double number) {
        return single ? (float) number : number;
    }

    boolean isMasked(int row, int column) {
        return masked != null && masked[row * columns + column];
    }

    /** Of each number for itself; whole rows that are masked are not here any more. */
    void requireNoMask(String evaluation) {
        if (masked != null) {
            throw new PydlException("ConfigError", evaluation + " looks at whole rows, but the labels have a mask for each of their numbers. "
                    + "Expected a mask for each example, time step or pixel; EvaluationBinary, ROCBinary and RegressionEvaluation take both.");
        }
    }

    /** The column with the largest number of a row: the first of equals. */
    int largest(double[] values, int row) {
        int best = 0;
        for (int j = 1; j < columns; j++) {
            if (values[row * columns + j] > values[row * columns + best]) {
                best = j;
            }
        }
        return best;
    }

    private Rows withoutMasked() {
        double[] keptLabels = new double[labels.length];
        double[] keptOutput = new double[output.length];
        boolean[] keptMasked = new boolean[masked.length];
        boolean anyMasked = false;
        int n = 0;
        for (int i = 0; i < count; i++) {
            int hidden = 0;
            for (int j = 0; j < columns; j++) {
                hidden += masked[i * columns + j] ? 1 : 0;
            }
            if (hidden < columns) {
                System.arraycopy(labels, i * columns, keptLabels, n * columns, columns);
                System.arraycopy(output, i * columns, keptOutput, n * columns, columns);
                System.arraycopy(masked, i * columns, keptMasked, n * columns, columns);
                anyMasked |= hidden > 0;
                n++;
            }
        }
        return new Rows(n, columns, keptLabels, keptOutput, anyMasked ? keptMasked : null, single);
    }

    /** The mask of each number, in the order of the rows. */
    private static boolean[] masked(INDArray mask, INDArray output, int axis) {
        INDArray full = mask.reshape('c', broadcastable(mask, output, axis)).castTo(DataType.DOUBLE).broadcast(output.shape());
        double[] numbers = numbers(full, axis);
        boolean[] masked = new boolean[numbers.length];
        for (int i = 0; i < masked.length; i++) {
            masked[i] = numbers[i] == 0;
        }
        return masked;
    }

    private static long[] broadcastable(INDArray mask, INDArray output, int axis) {
        long[] shape = new long[output.rank()];
        Arrays.fill(shape, 1);
        long[] places = output.shape().clone();
        places[axis] = 1;
        if (mask.rank() == output.rank() && fits(mask.shape(), output.shape())) {
            return mask.shape();
        }
        if (mask.length() == output.size(0)) {
            shape[0] = output.size(0);
            return shape;
        }
        if (mask.length() == Arrays.stream(places).reduce(1, (a, b) -> a * b)) {
            return places;
        }
        throw new PydlException("ShapeError", "the mask of the labels has the shape " + Arrays.toString(mask.shape()) + "; expected one for each "
                + "example, time step, pixel or number of an output of the shape " + Arrays.toString(output.shape()));
    }

    private static boolean fits(long[] mask, long[] output) {
        for (int i = 0; i < mask.length; i++) {
            if (mask[i] != 1 && mask[i] != output[i]) {
                return false;
            }
        }
        return true;
    }

    /** All numbers, the axis of the columns last. */
    private static double[] numbers(INDArray array, int axis) {
        INDArray moved = array;
        for (int i = axis; i < array.rank() - 1; i++) {
            moved = moved.swapAxes(i, i + 1);
        }
        INDArray doubles = moved.castTo(DataType.DOUBLE);
        INDArray plain = Tensors.isContiguous(doubles) ? doubles : doubles.dup('c');
        double[] numbers = new double[Math.toIntExact(plain.length())];
        new DoublePointer(new PagedPointer(Tensors.address(plain))).get(numbers);
        if (plain != doubles) {
            plain.close();
        }
        if (doubles != moved) {
            doubles.close();
        }
        return numbers;
    }

    private static void requireNumbers(double[] output) {
        int nan = 0;
        for (double value : output) {
            nan += Double.isNaN(value) ? 1 : 0;
        }
        if (nan > 0) {
            throw new PydlException("NaNScoreError", nan + " of " + output.length + " numbers of the network's output are NaN. Expected numbers to "
                    + "evaluate: the parameters, or the features, have NaN or are too large.");
        }
    }

    private static INDArray oneHot(INDArray labels, INDArray output) {
        int axis = 1; // where the classes are
        while (axis < labels.rank() && labels.size(axis) == output.size(axis)) {
            axis++;
        }
        if (axis == labels.rank()) {
            return labels;
        }
        INDArray classes = Nd4j.squeeze(labels, axis).castTo(DataType.INT32);
        return new NDBase().oneHot(classes, (int) output.size(axis), axis, 1, 0, output.dataType());
    }
}
