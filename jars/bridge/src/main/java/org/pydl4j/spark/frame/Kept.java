package org.pydl4j.spark.frame;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.pydl4j.PydlException;

/** A column of 0 and 1 that says what counts: a number for each row, or an array of them for its time steps. */
final class Kept {
    private final String name;
    private final int ordinal;
    private final DataType number;

    private Kept(String name, int ordinal, DataType number) {
        this.name = name;
        this.ordinal = ordinal;
        this.number = number;
    }

    /** Null where there is none: everything counts. */
    static Kept of(TensorOptions options, StructType schema) {
        if (options.kept == null) {
            return null;
        }
        int ordinal = schema.fieldIndex(options.kept);
        StructField field = schema.fields()[ordinal];
        boolean ofSteps = options.sequence != null;
        DataType number = !ofSteps ? field.dataType()
                : field.dataType() instanceof ArrayType ? ((ArrayType) field.dataType()).elementType() : null;
        if (number == null || !Numbers.is(number)) {
            throw new PydlException("DataError", "column '" + field.name() + "' is of type " + field.dataType().simpleString()
                    + "; expected a mask: " + (ofSteps ? "an array of 0 and 1 for the time steps of each row" : "0 or 1 for each row"));
        }
        return new Kept(field.name(), ordinal, number);
    }

    /** Whether the row counts. */
    boolean row(InternalRow row) {
        if (row.isNullAt(ordinal)) {
            throw new BadCell("a null in its mask, column '" + name + "'");
        }
        return counts(row.get(ordinal, number), "");
    }

    /** Which of the time steps of a sequence count. */
    boolean[] steps(InternalRow row, int length) {
        if (row.isNullAt(ordinal)) {
            throw new BadCell("a null in its mask, column '" + name + "'");
        }
        ArrayData mask = row.getArray(ordinal);
        if (mask.numElements() != length) {
            throw new BadCell("a sequence of " + length + " time steps, but " + mask.numElements() + " in its mask, column '" + name + "'");
        }
        boolean[] counts = new boolean[length];
        for (int time = 0; time < length; time++) {
            if (mask.isNullAt(time)) {
                throw new BadCell("a null in its mask, column '" + name + "', at time step " + time);
            }
            counts[time] = counts(mask.get(time, number), " at time step " + time);
        }
        return counts;
    }

    private boolean counts(Object value, String where) {
        double found = Numbers.toDouble(value);
        if (found != 0 && found != 1) {
            throw new BadCell(found + " in its mask, column '" + name + "'," + where + "; expected 1 where something counts and 0 where not");
        }
        return found == 1;
    }
}
