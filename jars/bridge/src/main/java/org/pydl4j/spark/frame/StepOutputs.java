package org.pydl4j.spark.frame;

import java.util.function.IntFunction;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;

/** Outputs for each time step as Spark has arrays, as long as the row's own sequence. */
final class StepOutputs {
    private final double[] numbers;
    private final boolean doubles;
    private final int[] steps;
    private final int size;
    private final int time;
    private final boolean timeLast;

    /**
     * @param output [rows, numbers, time], or with {@code timeLast} false [rows, time, numbers]
     * @param steps of each row
     */
    StepOutputs(INDArray output, int[] steps, boolean timeLast) {
        INDArray plain = output.dup('c');
        numbers = plain.data().asDouble();
        plain.close();
        doubles = output.dataType() == DataType.DOUBLE;
        this.steps = steps;
        this.timeLast = timeLast;
        size = (int) output.size(timeLast ? 1 : 2);
        time = (int) output.size(timeLast ? 2 : 1);
    }

    private double at(int row, int step, int number) {
        return numbers[row * size * time + (timeLast ? number * time + step : step * size + number)];
    }

    /** Arrays of the arrays of each time step. */
    Object[] numbers() {
        return each(row -> {
            Object[] outputs = new Object[steps[row]];
            for (int step = 0; step < outputs.length; step++) {
                outputs[step] = doubles ? UnsafeArrayData.fromPrimitiveArray(doubles(row, step))
                        : UnsafeArrayData.fromPrimitiveArray(floats(row, step));
            }
            return new GenericArrayData(outputs);
        });
    }

    private double[] doubles(int row, int step) {
        double[] values = new double[size];
        for (int i = 0; i < size; i++) {
            values[i] = at(row, step, i);
        }
        return values;
    }

    private float[] floats(int row, int step) {
        float[] values = new float[size];
        for (int i = 0; i < size; i++) {
            values[i] = (float) at(row, step, i);
        }
        return values;
    }

    /** Arrays of the index of the largest number at each time step; of a single number whether it is at least one half. */
    Object[] classes() {
        return each(row -> {
            int[] classes = new int[steps[row]];
            for (int step = 0; step < classes.length; step++) {
                classes[step] = largest(row, step);
            }
            return UnsafeArrayData.fromPrimitiveArray(classes);
        });
    }

    private int largest(int row, int step) {
        if (size == 1) {
            return at(row, step, 0) >= 0.5 ? 1 : 0;
        }
        int best = 0;
        for (int i = 1; i < size; i++) {
            best = at(row, step, i) > at(row, step, best) ? i : best;
        }
        return best;
    }

    private Object[] each(IntFunction<Object> of) {
        Object[] rows = new Object[steps.length];
        for (int row = 0; row < rows.length; row++) {
            rows[row] = of.apply(row);
        }
        return rows;
    }
}
