package org.pydl4j.spark.frame;

import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** Some rows of columns of numbers without nulls, few enough to stay in the processor's cache; and one of them, as Spark has rows. */
final class Tile extends GenericInternalRow {
    /** so many that what is read of a column follows each other in memory for a while */
    static final int ROWS = 128;
    private static final long serialVersionUID = 1L;

    private final int width;
    /** how many of the columns before each are of float32 */
    private final int[] floatsBefore;
    /** float32 as it is, and all else as float64: each has room for all columns where it has some */
    private final float[] floats;
    private final double[] doubles;
    private int at;

    Tile(ColumnarBatch batch) {
        super(0);
        width = batch.numCols();
        floatsBefore = new int[width + 1];
        for (int i = 0; i < width; i++) {
            floatsBefore[i + 1] = floatsBefore[i] + (batch.column(i).dataType().equals(DataTypes.FloatType) ? 1 : 0);
        }
        int size = Math.multiplyExact(ROWS, width);
        floats = new float[floatsBefore[width] > 0 ? size : 0];
        doubles = new double[floatsBefore[width] < width ? size : 0];
    }

    /** Reads the rows from {@code start} on, or those that are left. */
    void fill(ColumnarBatch batch, int start) {
        int rows = Math.min(ROWS, batch.numRows() - start);
        for (int i = 0; i < width; i++) {
            read(batch.column(i), start, rows, i);
        }
    }

    Tile row(int row) {
        at = row * width;
        return this;
    }

    /** Appends the row's numbers from column {@code from} on. */
    void addTo(Cells cells, int from, int count) {
        int floating = floatsBefore[from + count] - floatsBefore[from];
        if (floating == count) {
            cells.add(floats, at + from, count);
        } else if (floating == 0) {
            cells.add(doubles, at + from, count);
        } else {
            for (int i = from; i < from + count; i++) {
                cells.add(number(i));
            }
        }
    }

    private void read(ColumnVector column, int start, int rows, int to) {
        DataType type = column.dataType();
        if (type.equals(DataTypes.FloatType)) {
            float[] values = column.getFloats(start, rows);
            for (int i = 0; i < rows; i++) {
                floats[i * width + to] = values[i];
            }
        } else if (type.equals(DataTypes.DoubleType)) {
            double[] values = column.getDoubles(start, rows);
            for (int i = 0; i < rows; i++) {
                doubles[i * width + to] = values[i];
            }
        } else {
            for (int i = 0; i < rows; i++) {
                doubles[i * width + to] = whole(column, type, start + i);
            }
        }
    }

    private static double whole(ColumnVector column, DataType type, int row) {
        if (type.equals(DataTypes.IntegerType)) {
            return column.getInt(row);
        }
        if (type.equals(DataTypes.LongType)) {
            return column.getLong(row);
        }
        if (type.equals(DataTypes.ShortType)) {
            return column.getShort(row);
        }
        if (type.equals(DataTypes.ByteType)) {
            return column.getByte(row);
        }
        return column.getBoolean(row) ? 1 : 0;
    }

    private double number(int column) {
        return floatsBefore[column] < floatsBefore[column + 1] ? floats[at + column] : doubles[at + column];
    }

    @Override
    public int numFields() {
        return width;
    }

    @Override
    public boolean isNullAt(int ordinal) {
        return false;
    }

    @Override
    public Object get(int ordinal, DataType type) {
        return number(ordinal);
    }
}
