package org.pydl4j.spark.data;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.FieldNode;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.spark.unsafe.Platform;

/** One record batch of a mapped file: for each column the memory of its rows, one after the other. */
final class ArrowBlock {
    final int rows;
    private final ByteBuffer[] columns;
    private final long[] addresses;

    private ArrowBlock(int rows, ByteBuffer[] columns) {
        this.rows = rows;
        this.columns = columns;
        addresses = Arrays.stream(columns).mapToLong(Native::address).toArray();
    }

    /** Copies a row of a column to an address. */
    void copyRow(int column, long rowBytes, long row, long to) {
        Platform.copyMemory(null, addresses[column] + row * rowBytes, null, to, rowBytes);
    }

    /** Rows {@code from} to {@code to} of a column. Each call gives a buffer of its own. */
    ByteBuffer rows(int column, long rowBytes, int from, int to) {
        ByteBuffer memory = columns[column].duplicate();
        memory.limit(Math.toIntExact(to * rowBytes)).position(Math.toIntExact(from * rowBytes));
        return memory;
    }

    /** Nothing in the metadata is trusted: it is checked against the body before any of it is looked at. */
    static ArrowBlock of(RecordBatch batch, List<Column> schema, ByteBuffer body) {
        if (batch.compression() != null) {
            throw new ArrowFormatException("its record batches are compressed; expected uncompressed ones");
        }
        int rows = Math.toIntExact(batch.length());
        ByteBuffer[] columns = new ByteBuffer[schema.size()];
        int node = 0;
        int buffer = 0;
        for (int i = 0; i < columns.length; i++) {
            Column column = schema.get(i);
            boolean tensor = column.shape.length > 0;
            requireFull(batch, node, rows, column);
            if (tensor) {
                requireFull(batch, node + 1, rows * column.rowElements(), column);
            }
            node += tensor ? 2 : 1;
            buffer += tensor ? 3 : 2; // a validity bitmap for each level, then the data
            columns[i] = data(batch, buffer - 1, rows * column.rowBytes(), column, body);
        }
        return new ArrowBlock(rows, columns);
    }

    private static void requireFull(RecordBatch batch, int index, long length, Column column) {
        FieldNode node = index < batch.nodesLength() ? batch.nodes(index) : null;
        if (node == null || node.length() != length) {
            throw new ArrowFormatException("column '" + column.name + "' has " + (node == null ? "no" : node.length())
                    + " elements in a record batch; expected " + length);
        }
        if (node.nullCount() != 0) {
            throw new ArrowFormatException("column '" + column.name + "' has " + node.nullCount() + " nulls; expected none");
        }
    }

    private static ByteBuffer data(RecordBatch batch, int index, long length, Column column, ByteBuffer body) {
        Buffer buffer = index < batch.buffersLength() ? batch.buffers(index) : null;
        if (buffer == null
                || buffer.offset() < 0
                || buffer.length() < length
                || buffer.offset() > body.capacity() - length) {
            throw new ArrowFormatException("the data of column '" + column.name + "' do not lie inside their record batch");
        }
        ByteBuffer memory = body.duplicate();
        memory.limit(Math.toIntExact(buffer.offset() + length)).position(Math.toIntExact(buffer.offset()));
        return memory.slice();
    }
}
