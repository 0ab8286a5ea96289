package org.pydl4j.spark.frame;

import java.nio.ByteBuffer;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;
import org.pydl4j.PydlException;

/** Reads one tensor of Spark's rows: the numbers of some columns, one after the other. */
final class RowReader {
    private final String[] names;
    private final ColumnReader[] columns;
    private final Cells cells;
    /** where all columns are numbers that stand side by side, the place of the first; else -1 */
    private final int firstOfRun;
    /** whether rows count; null where time steps do, or all of them */
    private final Kept kept;

    private RowReader(TensorOptions options, ColumnReader[] columns, Kept kept) {
        names = options.columns;
        this.columns = columns;
        this.kept = kept;
        cells = new Cells(options);
        firstOfRun = isRun(columns) ? columns[0].ordinal : -1;
    }

    private static boolean isRun(ColumnReader[] columns) {
        for (int i = 0; i < columns.length; i++) {
            if (!columns[i].isScalar() || columns[i].ordinal != columns[0].ordinal + i) {
                return false;
            }
        }
        return true;
    }

    /** A single column of numbers where classes are expected is taken for the classes' indices. */
    static RowReader of(TensorOptions options, StructType schema) {
        if (options.sequence != null) {
            return new RowReader(options, new ColumnReader[] {SequenceColumns.of(options, schema)}, null);
        }
        ColumnReader[] columns = new ColumnReader[options.columns.length];
        for (int i = 0; i < columns.length; i++) {
            int ordinal = schema.fieldIndex(options.columns[i]);
            columns[i] = ColumnReader.of(schema.fields()[ordinal], ordinal, options);
        }
        if (options.classes > 0 && columns.length == 1 && columns[0].isScalar()) {
            columns[0] = new ColumnReader.ClassIndex(columns[0], options.classes);
        }
        return new RowReader(options, columns, Kept.of(options, schema));
    }

    /**
     * Appends the row's numbers to {@code buffer}.
     *
     * @param partition for the error message, as is {@code index}: the row's place in its partition
     */
    void read(InternalRow row, ByteBuffer buffer, int partition, long index) {
        cells.clear();
        int column = 0;
        try {
            if (kept != null && !kept.row(row)) { // what is masked may be anything
                cells.addZeros();
                cells.writeTo(buffer);
                return;
            }
            if (firstOfRun >= 0 && row instanceof Tile) {
                ((Tile) row).addTo(cells, firstOfRun, columns.length);
                column = columns.length;
            }
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
