package org.pydl4j.spark.frame;

import java.nio.ByteBuffer;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.pydl4j.spark.data.Native;

/** Rows of one tensor being collected in one array. */
final class Batch implements AutoCloseable {
    final TensorOptions options;
    private final RowReader reader;
    private final INDArray array;
    private final ByteBuffer buffer;

    Batch(int rows, TensorOptions options, StructType schema) {
        this.options = options;
        reader = RowReader.of(options, schema);
        array = uninitialized(rows, options.shape, options.collectsDoubles());
        buffer = Native.buffer(array);
    }

    private static INDArray uninitialized(int rows, long[] rowShape, boolean doublePrecision) {
        long[] shape = new long[rowShape.length + 1];
        shape[0] = rows;
        System.arraycopy(rowShape, 0, shape, 1, rowShape.length);
        return Nd4j.createUninitialized(doublePrecision ? DataType.DOUBLE : DataType.FLOAT, shape, 'c');
    }

    /** @param index the row's place in its partition */
    void add(InternalRow row, int partition, long index) {
        reader.read(row, buffer, partition, index);
    }

    /** The rows that were added, in place: valid until {@link #clear()}. */
    INDArray rows(int count) {
        if (count == array.size(0)) {
            return array;
        }
        long[] shape = array.shape().clone();
        shape[0] = count;
        return Nd4j.create(array.data(), shape, array.stride(), 0, 'c', array.dataType());
    }

    /** The same as the network takes them, in place where nothing has to be done for that; {@code mask} as for the options. */
    INDArray prepared(int count, INDArray mask) {
        return options.prepared(rows(count), mask);
    }

    /** An array like those of {@link #prepared}, of one row, whose numbers mean nothing. */
    INDArray example() {
        return uninitialized(1, options.shape, options.doublePrecision);
    }

    void clear() {
        buffer.clear();
    }

    @Override
    public void close() {
        array.close();
    }
}
