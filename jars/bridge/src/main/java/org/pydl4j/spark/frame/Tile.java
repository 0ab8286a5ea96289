package org.pydl4j.spark.frame;

import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** Some rows of columns of numbers without nulls, few enough to stay in the processor's cache; and one of them, as Spark has rows. */
final class Tile extends GenericInternalRow {
    static final int ROWS = 32;
    private static final long serialVersionUID = 1L;

    private final double[] numbers;
    private final int width;
    private int at;

    Tile(int width) {
        super(0);
        this.width = width;
        numbers = new double[Math.multiplyExact(ROWS, width)];
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
        cells.add(numbers, at + from, count);
    }

    private void read(ColumnVector column, int start, int rows, int to) {
        DataType type = column.dataType();
        if (type.equals(DataTypes.FloatType)) {
            float[] values = column.getFloats(start, rows);
            for (int i = 0; i < rows; i++) {
                numbers[i * width + to] = values[i];
            }
        } else if (type.equals(DataTypes.DoubleType)) {
            double[] values = column.getDoubles(start, rows);
            for (int i = 0; i < rows; i++) {
                numbers[i * width + to] = values[i];
            }
        } else {
            for (int i = 0; i < rows; i++) {
                numbers[i * width + to] = whole(column, type, start + i);
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
        return numbers[at + ordinal];
    }
}
