package org.pydl4j.spark.data;

import java.io.IOException;
import java.net.URI;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.ReferenceManager;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowFileWriter;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.pydl4j.tensor.Tensors;

/**
 * Writes floating-point tensors, c order, to an Arrow IPC file: a record batch per call, of float32 and float64 straight from the arrays'
 * memory. float16 is written as float32: pyarrow has no tensors of it.
 */
public final class ArrowWriter implements AutoCloseable {
    private static final BufferAllocator ALLOCATOR = new RootAllocator();

    private final CheckedChannel out;
    private final VectorSchemaRoot root;
    private final BatchWriter writer;
    private long rows;

    /** @param first arrays like those to come, by the names of their columns, in order */
    public ArrowWriter(URI uri, Map<String, INDArray> first) throws IOException {
        this(Storage.channel(uri), first);
    }

    ArrowWriter(WritableByteChannel target, Map<String, INDArray> first) throws IOException {
        List<Field> fields = new ArrayList<>();
        first.forEach((name, array) -> fields.add(field(name, array)));
        root = VectorSchemaRoot.create(new Schema(fields), ALLOCATOR);
        out = new CheckedChannel(target);
        writer = new BatchWriter(root, out);
        writer.start();
    }

    private static Field field(String name, INDArray array) {
        long[] row = Arrays.copyOfRange(array.shape(), 1, array.rank());
        int size = Math.toIntExact(Arrays.stream(row).reduce(1, Math::multiplyExact));
        Map<String, String> tensor = new LinkedHashMap<>();
        tensor.put(ArrowSchema.EXTENSION_NAME, ArrowSchema.TENSOR);
        tensor.put(ArrowSchema.EXTENSION_METADATA, "{\"shape\":" + Arrays.toString(row) + "}");
        Field item = new Field("item", FieldType.notNullable(new ArrowType.FloatingPoint(precision(name, array.dataType()))), null);
        FieldType list = new FieldType(false, new ArrowType.FixedSizeList(size), null, tensor);
        return new Field(name, list, List.of(item));
    }

    private static FloatingPointPrecision precision(String name, DataType type) {
        switch (type) {
            case DOUBLE:
                return FloatingPointPrecision.DOUBLE;
            case FLOAT:
            case HALF:
                return FloatingPointPrecision.SINGLE;
            default:
                throw new UnsupportedOperationException(
                        "column '" + name + "' is of type " + type + "; expected DOUBLE, FLOAT or HALF, which can be written as Arrow tensors");
        }
    }

    /** Arrays in the order of the columns; the first dimension is the number of rows of all. */
    public void write(List<INDArray> arrays) throws IOException {
        List<INDArray> written = new ArrayList<>();
        List<ArrowFieldNode> nodes = new ArrayList<>();
        List<ArrowBuf> buffers = new ArrayList<>();
        int count = Math.toIntExact(arrays.get(0).size(0));
        for (INDArray array : arrays) {
            INDArray plain = array.dataType() == DataType.FLOAT16 ? array.castTo(DataType.FLOAT) : array;
            written.add(plain);
            nodes.add(new ArrowFieldNode(count, 0));
            nodes.add(new ArrowFieldNode(plain.length(), 0));
            buffers.addAll(List.of(ALLOCATOR.getEmpty(), ALLOCATOR.getEmpty(), memory(plain)));
        }
        try (ArrowRecordBatch batch = new ArrowRecordBatch(count, nodes, buffers)) {
            writer.write(batch);
        }
        for (int i = 0; i < arrays.size(); i++) {
            org.pydl4j.spark.Arrays.closeUnlessOf(arrays.get(i), written.get(i));
        }
        rows += count;
    }

    private static ArrowBuf memory(INDArray array) {
        long bytes = array.length() * array.dataType().width();
        return new ArrowBuf(ReferenceManager.NO_OP, null, bytes, Tensors.address(array)).writerIndex(bytes);
    }

    /** Writes batches without bitmaps of what is null, since nothing is: Arrow's vectors would make them, and count all their bits. */
    private static final class BatchWriter extends ArrowFileWriter {
        BatchWriter(VectorSchemaRoot root, WritableByteChannel out) {
            super(root, null, out);
        }

        void write(ArrowRecordBatch batch) throws IOException {
            writeRecordBatch(batch);
        }
    }

    public long rows() {
        return rows;
    }

    /** What was written, once it is {@link #close closed}. */
    public FilePart written(String file) {
        return new FilePart(file, rows, writer.bytesWritten(), out.crc32());
    }

    @Override
    public void close() throws IOException {
        try {
            writer.end();
        } finally {
            root.close();
            out.close();
        }
    }
}
