package org.pydl4j.spark.data;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.nd4j.linalg.api.buffer.DataType;

/** A column of tensors of one shape: a row of it is one example. */
final class Column {
    final String name;
    final DataType type;
    /** of one row; empty for a column of numbers */
    final long[] shape;
    private final long rowElements;
    private final long rowBytes;

    Column(String name, DataType type, long... shape) {
        this.name = name;
        this.type = type;
        this.shape = shape;
        rowElements = Arrays.stream(shape).reduce(1, Math::multiplyExact);
        rowBytes = Math.multiplyExact(rowElements, (long) type.width());
    }

    long rowElements() {
        return rowElements;
    }

    long rowBytes() {
        return rowBytes;
    }

    /** Appends a row of this column to those of another, whose rows may have more time steps: the rest is left out. */
    void copy(ByteBuffer row, ByteBuffer into, Column wider) {
        int last = shape.length - 1;
        if (last < 0 || shape[last] == wider.shape[last]) { // what there is more lies at the end
            into.put(row);
            return;
        }
        int run = Math.toIntExact(shape[last] * type.width());
        int gap = Math.toIntExact(wider.shape[last] * type.width()) - run;
        int end = row.limit();
        while (row.position() < end) {
            row.limit(row.position() + run);
            into.put(row);
            row.limit(end);
            into.position(into.position() + gap);
        }
    }

    /** Of {@code rows} of them in one array. A column of numbers becomes a matrix of one column: DL4J has no rank 1. */
    long[] shapeOf(long rows) {
        if (shape.length == 0) {
            return new long[] {rows, 1};
        }
        long[] all = new long[shape.length + 1];
        all[0] = rows;
        System.arraycopy(shape, 0, all, 1, shape.length);
        return all;
    }
}
