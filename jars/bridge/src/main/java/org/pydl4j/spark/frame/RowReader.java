package org.pydl4j.spark.frame;

import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;
import org.pydl4j.PydlException;

/** Reads the features, or the labels, of Spark's rows: the numbers of some columns, one after the other. */
final class RowReader implements Serializable {
    private static final long serialVersionUID = 1L;

    private final String what;
    private final String[] names;
    private final ColumnReader[] columns;
    private final int width;
    private final boolean doublePrecision;
    private final double[] range;
    private transient Cells cells;

    private RowReader(String what, String[] names, ColumnReader[] columns, int width, boolean doublePrecision, double[] range) {
        this.what = what;
        this.names = names;
        this.columns = columns;
        this.width = width;
        this.doublePrecision = doublePrecision;
        this.range = range;
    }

    static RowReader features(FrameOptions options, StructType schema) {
        return of("features", options.features, options.featureShape, schema, options.doubleFeatures, new double[0]);
    }

    /** A single column of numbers where classes are expected is taken for the classes' indices. */
    static RowReader labels(FrameOptions options, StructType schema) {
        RowReader reader = of("labels", options.labels, options.labelShape, schema, options.doublePrecision, options.labelRange);
        if (options.classes > 0 && reader.columns.length == 1 && reader.columns[0].isScalar()) {
            reader.columns[0] = new ColumnReader.ClassIndex(reader.columns[0], options.classes);
        }
        return reader;
    }

    private static RowReader of(
            String what, String[] names, long[] shape, StructType schema, boolean doublePrecision, double[] range) {
        ColumnReader[] columns = new ColumnReader[names.length];
        for (int i = 0; i < names.length; i++) {
            int ordinal = schema.fieldIndex(names[i]);
            columns[i] = ColumnReader.of(schema.fields()[ordinal], ordinal);
        }
        int width = Math.toIntExact(Arrays.stream(shape).reduce(1, Math::multiplyExact));
        return new RowReader(what, names, columns, width, doublePrecision, range);
    }

    int rowBytes() {
        return width * (doublePrecision ? Double.BYTES : Float.BYTES);
    }

    /**
     * Appends the row's numbers to {@code buffer}.
     *
     * @param partition for the error message, as is {@code index}: the row's place in its partition
     */
    void read(InternalRow row, ByteBuffer buffer, int partition, long index) {
        if (cells == null) {
            cells = new Cells(what, width, doublePrecision, range);
        }
        cells.clear();
        int column = 0;
        try {
            for (; column < columns.length; column++) {
                if (row.isNullAt(columns[column].ordinal)) {
                    throw new BadCell("a null");
                }
                columns[column].read(row, cells);
            }
            cells.writeTo(buffer);
        } catch (BadCell e) {
            boolean one = column < columns.length || columns.length == 1; // else it is the row as a whole
            String name = one ? "column '" + names[Math.min(column, names.length - 1)] + "'" : "columns " + String.join(", ", names);
            throw new PydlException("DataError", name + " has " + e.getMessage() + " (row " + index + " of partition " + partition
                    + " of the DataFrame, both counted from 0)");
        }
    }
}
