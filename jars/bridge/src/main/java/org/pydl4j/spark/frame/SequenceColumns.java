package org.pydl4j.spark.frame;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.StructField;
import org.pydl4j.PydlException;

/** Columns of sequences, arrays of time steps: as features that are padded with zeros, and as the mask of what is no padding. */
final class SequenceColumns {
    private SequenceColumns() {}

    static ColumnReader of(StructField field, int ordinal, TensorOptions options) {
        DataType step = field.dataType() instanceof ArrayType ? ((ArrayType) field.dataType()).elementType() : null;
        boolean numbers = step instanceof ArrayType && Numbers.is(((ArrayType) step).elementType());
        if (!numbers && !ColumnReader.isVector(step)) {
            throw new PydlException("DataError", "column '" + field.name() + "' is of type " + field.dataType().simpleString()
                    + "; expected sequences: arrays of time steps, which are arrays of numbers or vectors");
        }
        SequenceShape shape = options.sequence;
        return shape.mask ? new Mask(ordinal, shape) : new Features(ordinal, shape, numbers ? ((ArrayType) step).elementType() : null);
    }

    /** The time steps of a row, no more than there is room for. */
    private static ArrayData steps(InternalRow row, int ordinal, SequenceShape shape) {
        ArrayData steps = row.getArray(ordinal);
        int length = steps.numElements();
        if (length == 0) {
            throw new BadCell("a sequence without time steps");
        }
        if (length > shape.length) {
            throw new BadCell("a sequence of " + length + " time steps; expected at most " + shape.length);
        }
        return steps;
    }

    private static final class Mask extends ColumnReader {
        private final SequenceShape shape;

        Mask(int ordinal, SequenceShape shape) {
            super(ordinal);
            this.shape = shape;
        }

        @Override
        void read(InternalRow row, Cells into) {
            double[] counts = new double[shape.length];
            java.util.Arrays.fill(counts, 0, steps(row, ordinal, shape).numElements(), 1);
            into.add(counts);
        }
    }

    private static final class Features extends ColumnReader {
        private final SequenceShape shape;
        /** of the numbers of a time step; null where it is a vector */
        private final DataType number;

        Features(int ordinal, SequenceShape shape, DataType number) {
            super(ordinal);
            this.shape = shape;
            this.number = number;
        }

        @Override
        void read(InternalRow row, Cells into) {
            ArrayData steps = steps(row, ordinal, shape);
            double[] padded = new double[Math.multiplyExact(shape.length, shape.size)];
            for (int time = 0; time < steps.numElements(); time++) {
                if (steps.isNullAt(time)) {
                    throw new BadCell("a null at time step " + time);
                }
                double[] numbers = number == null ? ColumnReader.vector(steps.getStruct(time, 4)) : numbers(steps.getArray(time), time);
                if (numbers.length != shape.size) {
                    throw new BadCell(numbers.length + " numbers at time step " + time + "; expected " + shape.size);
                }
                for (int i = 0; i < numbers.length; i++) {
                    padded[shape.timeLast ? i * shape.length + time : time * shape.size + i] = numbers[i];
                }
            }
            into.add(padded);
        }

        private double[] numbers(ArrayData values, int time) {
            double[] numbers = new double[values.numElements()];
            for (int i = 0; i < numbers.length; i++) {
                if (values.isNullAt(i)) {
                    throw new BadCell("a null among the numbers of time step " + time);
                }
                numbers[i] = number instanceof FloatType ? values.getFloat(i)
                        : number instanceof DoubleType ? values.getDouble(i) : Numbers.toDouble(values.get(i, number));
            }
            return numbers;
        }
    }
}
