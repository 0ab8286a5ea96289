package org.pydl4j.spark.frame;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.UserDefinedType;
import org.apache.spark.unsafe.Platform;
import org.pydl4j.PydlException;

/** Reads a column's numbers out of Spark's own rows: arrays and vectors in bulk. */
abstract class ColumnReader {
    protected final int ordinal;

    ColumnReader(int ordinal) {
        this.ordinal = ordinal;
    }

    /** Appends the column's numbers of this row; the column is not null in it. */
    abstract void read(InternalRow row, Cells into);

    boolean isScalar() {
        return false;
    }

    static ColumnReader of(StructField field, int ordinal, TensorOptions options) {
        DataType type = field.dataType();
        if (ImageColumns.are(type)) {
            return ImageColumns.of(field, ordinal, options);
        }
        if (Numbers.is(type)) {
            return new Scalar(ordinal, type);
        }
        if (Nested.is(type)) {
            return new Nested(ordinal, (ArrayType) type);
        }
        if (type instanceof ArrayType && Numbers.is(((ArrayType) type).elementType())) {
            return new Array(ordinal, ((ArrayType) type).elementType(), ((ArrayType) type).containsNull());
        }
        if (isVector(type)) {
            return new Vector(ordinal);
        }
        throw new PydlException("DataError", "column '" + field.name() + "' is of type " + type.simpleString()
                + "; expected a number, an array of numbers or of such arrays, a vector of pyspark.ml, or an image");
    }

    static boolean isVector(DataType type) {
        return type instanceof UserDefinedType && type.getClass().getSimpleName().equals("VectorUDT");
    }

    /** The numbers of a vector, zeros included. Stored as (type, size, indices, values); type 0 is sparse, 1 is dense. */
    static double[] vector(InternalRow vector) {
        double[] values = vector.getArray(3).toDoubleArray();
        if (vector.getByte(0) == 1) {
            return values;
        }
        double[] numbers = new double[vector.getInt(1)];
        int[] indices = vector.getArray(2).toIntArray();
        for (int i = 0; i < indices.length; i++) {
            numbers[indices[i]] = values[i];
        }
        return numbers;
    }

    private static final class Scalar extends ColumnReader {
        private final DataType type;

        Scalar(int ordinal, DataType type) {
            super(ordinal);
            this.type = type;
        }

        @Override
        boolean isScalar() {
            return true;
        }

        @Override
        void read(InternalRow row, Cells into) {
            into.add(number(row));
        }

        private double number(InternalRow row) {
            return Numbers.toDouble(row.get(ordinal, type));
        }
    }

    /** The class that a scalar column names: as a row of zeros and a one, or as it is where labels are one number wide. */
    static final class ClassIndex extends ColumnReader {
        private final Scalar column;

        private final int classes;

        ClassIndex(ColumnReader column, int classes) {
            super(column.ordinal);
            this.column = (Scalar) column;
            this.classes = classes;
        }

        @Override
        void read(InternalRow row, Cells into) {
            into.addClass(column.number(row), classes);
        }
    }

    private static final class Array extends ColumnReader {
        private final DataType element;
        private final boolean nulls;

        Array(int ordinal, DataType element, boolean nulls) {
            super(ordinal);
            this.element = element;
            this.nulls = nulls;
        }

        @Override
        void read(InternalRow row, Cells into) {
            ArrayData values = row.getArray(ordinal);
            if (nulls) {
                requireNoNulls(values);
            }
            if (element instanceof FloatType && values instanceof UnsafeArrayData) {
                UnsafeArrayData floats = (UnsafeArrayData) values;
                int header = UnsafeArrayData.calculateHeaderPortionInBytes(floats.numElements());
                into.addFloats(floats.getBaseObject(), floats.getBaseOffset() + header, floats.numElements());
            } else if (element instanceof FloatType) {
                into.add(values.toFloatArray());
            } else if (element instanceof DoubleType) {
                into.add(values.toDoubleArray());
            } else {
                for (int i = 0; i < values.numElements(); i++) {
                    into.add(Numbers.toDouble(values.get(i, element)));
                }
            }
        }

        private static void requireNoNulls(ArrayData values) {
            if (values instanceof UnsafeArrayData && hasNoNulls((UnsafeArrayData) values)) {
                return;
            }
            for (int i = 0; i < values.numElements(); i++) {
                if (values.isNullAt(i)) {
                    throw new BadCell("a null at element " + i);
                }
            }
        }

        /** 64 elements at a time: the number of elements stands before a bitmap of the nulls. */
        private static boolean hasNoNulls(UnsafeArrayData values) {
            int end = UnsafeArrayData.calculateHeaderPortionInBytes(values.numElements());
            long nulls = 0;
            for (int at = Long.BYTES; at < end; at += Long.BYTES) {
                nulls |= Platform.getLong(values.getBaseObject(), values.getBaseOffset() + at);
            }
            return nulls == 0;
        }
    }

    /** Arrays of arrays of numbers, as [height][width][channels]: their numbers one after the other. */
    private static final class Nested extends ColumnReader {
        private final ColumnReader inner;

        Nested(int ordinal, ArrayType outer) {
            super(ordinal);
            ArrayType element = (ArrayType) outer.elementType();
            inner = is(element) ? new Nested(0, element) : new Array(0, element.elementType(), element.containsNull());
        }

        static boolean is(DataType type) {
            if (!(type instanceof ArrayType) || !(((ArrayType) type).elementType() instanceof ArrayType)) {
                return false;
            }
            ArrayType element = (ArrayType) ((ArrayType) type).elementType();
            return is(element) || Numbers.is(element.elementType());
        }

        @Override
        void read(InternalRow row, Cells into) {
            read(row.getArray(ordinal), into);
        }

        private void read(ArrayData arrays, Cells into) {
            GenericInternalRow one = new GenericInternalRow(1);
            int width = -1;
            for (int i = 0; i < arrays.numElements(); i++) {
                if (arrays.isNullAt(i)) {
                    throw new BadCell("a null at element " + i);
                }
                ArrayData element = arrays.getArray(i);
                if (width >= 0 && element.numElements() != width) {
                    throw new BadCell("arrays of " + width + " and of " + element.numElements() + " elements; expected one length");
                }
                width = element.numElements();
                one.update(0, element);
                inner.read(one, into);
            }
        }
    }

    private static final class Vector extends ColumnReader {
        Vector(int ordinal) {
            super(ordinal);
        }

        @Override
        void read(InternalRow row, Cells into) {
            into.add(vector(row.getStruct(ordinal, 4)));
        }
    }
}
