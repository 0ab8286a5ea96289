package org.pydl4j.spark.frame;

import java.nio.ByteBuffer;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.pydl4j.spark.data.Native;

/** Rows of one shape being collected in one array. */
final class Batch {
    private final INDArray array;
    private final ByteBuffer buffer;

    Batch(int rows, long[] rowShape, boolean doublePrecision) {
        long[] shape = new long[rowShape.length + 1];
        shape[0] = rows;
        System.arraycopy(rowShape, 0, shape, 1, rowShape.length);
        array = Nd4j.createUninitialized(doublePrecision ? DataType.DOUBLE : DataType.FLOAT, shape, 'c');
        buffer = Native.buffer(array);
    }

    /** To be written to, a row at a time. */
    ByteBuffer buffer() {
        return buffer;
    }

    /** The rows that were written, in place: valid until {@link #clear()}. */
    INDArray rows(int count) {
        if (count == array.size(0)) {
            return array;
        }
        long[] shape = array.shape().clone();
        shape[0] = count;
        return Nd4j.create(array.data(), shape, array.stride(), 0, 'c', array.dataType());
    }

    void clear() {
        buffer.clear();
    }

    void close() {
        array.close();
    }
}
