package org.pydl4j.spark.frame;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.pydl4j.PydlException;

/**
 * Columns of sequences, arrays of time steps: as features or labels that are padded with zeros, and as the mask of what counts: what is
 * no padding, and what a column of masks does not leave out.
 */
final class SequenceColumns extends ColumnReader {
    private final TensorOptions options;
    private final SequenceShape shape;
    /** numbers of a time step; null where only the mask is read */
    private final Step step;
    private final Kept kept;
    /** ordinals of the columns as long as one of which each sequence has to be */
    private final int[] like;

    private SequenceColumns(int ordinal, TensorOptions options, Step step, StructType schema) {
        super(ordinal);
        this.options = options;
        this.shape = options.sequence;
        this.step = step;
        kept = Kept.of(options, schema);
        like = shape.like.stream().mapToInt(schema::fieldIndex).toArray();
    }

    static SequenceColumns of(TensorOptions options, StructType schema) {
        int ordinal = schema.fieldIndex(options.columns[0]);
        StructField field = schema.fields()[ordinal];
        DataType type = field.dataType();
        Step step = type instanceof ArrayType ? step(((ArrayType) type).elementType(), options) : null;
        if (step == null && !options.mask) {
            boolean numbers = options.classes > 0 || options.sequence.size == 1;
            throw new PydlException("DataError", "column '" + field.name() + "' is of type " + type.simpleString()
                    + "; expected sequences: arrays of time steps, which are arrays of numbers or vectors"
                    + (options.classes > 0 ? ", or numbers of classes" : numbers ? ", or numbers" : ""));
        }
        return new SequenceColumns(ordinal, options, options.mask ? null : step, schema);
    }

    /** The numbers of one time step. */
    @FunctionalInterface
    private interface Step {
        double[] numbers(ArrayData steps, int time);
    }

    /** Null for a type that cannot be one. */
    private static Step step(DataType type, TensorOptions options) {
        if (ColumnReader.isVector(type)) {
            return (steps, time) -> ColumnReader.vector(steps.getStruct(time, 4));
        }
        if (type instanceof ArrayType && Numbers.is(((ArrayType) type).elementType())) {
            DataType number = ((ArrayType) type).elementType();
            return (steps, time) -> numbers(steps.getArray(time), number, time);
        }
        if (!Numbers.is(type)) {
            return null;
        }
        int size = options.sequence.size;
        if (options.classes > 0) {
            return (steps, time) -> ofClass(Numbers.toDouble(steps.get(time, type)), options.classes, size);
        }
        return size == 1 ? (steps, time) -> new double[] {Numbers.toDouble(steps.get(time, type))} : null;
    }

    private static double[] numbers(ArrayData values, DataType number, int time) {
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

    /** One at the class' index and zero elsewhere, or the index itself where there is room for one number only. */
    private static double[] ofClass(double label, int classes, int size) {
        int index = Cells.classIndex(label, classes);
        double[] numbers = new double[size];
        numbers[size == 1 ? 0 : index] = size == 1 ? label : 1;
        return numbers;
    }

    @Override
    void read(InternalRow row, Cells into) {
        ArrayData steps = row.getArray(ordinal);
        int length = steps.numElements();
        requireLength(row, length);
        boolean[] counts = kept == null ? null : kept.steps(row, length);
        into.add(step == null ? mask(counts, length) : padded(steps, counts, length));
    }

    private void requireLength(InternalRow row, int length) {
        if (length == 0) {
            throw new BadCell("a sequence without time steps");
        }
        int[] others = Arrays.stream(like).filter(other -> !row.isNullAt(other)).map(other -> row.getArray(other).numElements()).toArray();
        if (others.length > 0 && Arrays.stream(others).noneMatch(other -> other == length)) {
            String expected = Arrays.stream(others).mapToObj(String::valueOf).distinct().collect(Collectors.joining(" or "));
            throw new BadCell("a sequence of " + length + " time steps; expected as many as the features have, " + expected
                    + " (a mask may leave some out)");
        }
        if (length > shape.length) {
            throw new BadCell("a sequence of " + length + " time steps; expected at most " + shape.length);
        }
    }

    private double[] mask(boolean[] counts, int length) {
        double[] mask = new double[shape.length];
        for (int time = 0; time < length; time++) {
            mask[time] = counts == null || counts[time] ? 1 : 0;
        }
        return mask;
    }

    private double[] padded(ArrayData steps, boolean[] counts, int length) {
        double[] padded = new double[Math.multiplyExact(shape.length, shape.size)];
        for (int time = 0; time < length; time++) {
            if (counts == null || counts[time]) { // what is masked may be anything
                double[] numbers = numbers(steps, time);
                for (int i = 0; i < numbers.length; i++) {
                    padded[shape.index(time, i)] = numbers[i];
                }
            }
        }
        return padded;
    }

    private double[] numbers(ArrayData steps, int time) {
        if (steps.isNullAt(time)) {
            throw new BadCell("a null at time step " + time);
        }
        double[] numbers;
        try {
            numbers = step.numbers(steps, time);
        } catch (BadCell e) {
            throw options.classes > 0 ? new BadCell(e.getMessage() + ", at time step " + time) : e;
        }
        if (numbers.length != shape.size) {
            throw new BadCell(numbers.length + " numbers at time step " + time + "; expected " + shape.size);
        }
        return numbers;
    }
}
