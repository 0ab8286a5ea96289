package org.pydl4j.spark.data;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.ReferenceManager;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.ipc.ArrowFileWriter;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
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

    private final OutputStream out;
    private final VectorSchemaRoot root;
    private final ArrowFileWriter writer;
    private long rows;

    /** @param first arrays like those to come, by the names of their columns, in order */
    public ArrowWriter(URI uri, Map<String, INDArray> first) throws IOException {
        List<Field> fields = new ArrayList<>();
        first.forEach((name, array) -> fields.add(field(name, array)));
        root = VectorSchemaRoot.create(new Schema(fields), ALLOCATOR);
        out = Storage.write(uri);
        writer = new ArrowFileWriter(root, null, Channels.newChannel(out));
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
        for (INDArray array : arrays) {
            written.add(array.dataType() == DataType.FLOAT16 ? array.castTo(DataType.FLOAT) : array);
            load((FixedSizeListVector) root.getVector(written.size() - 1), written.get(written.size() - 1));
        }
        int count = Math.toIntExact(arrays.get(0).size(0));
        root.setRowCount(count);
        writer.writeBatch();
        for (int i = 0; i < arrays.size(); i++) {
            org.pydl4j.spark.Arrays.closeUnlessOf(arrays.get(i), written.get(i));
        }
        rows += count;
    }

    private static void load(FixedSizeListVector vector, INDArray array) {
        int count = Math.toIntExact(array.size(0));
        int elements = Math.toIntExact(array.length());
        long bytes = elements * (long) array.dataType().width();
        // the validity bitmaps are made by Arrow: there are no nulls
        ArrowBuf data = new ArrowBuf(ReferenceManager.NO_OP, null, bytes, Tensors.address(array));
        FieldVector items = vector.getDataVector();
        items.loadFieldBuffers(new ArrowFieldNode(elements, 0), Arrays.asList(empty(), data));
        vector.loadFieldBuffers(new ArrowFieldNode(count, 0), List.of(empty()));
    }

    private static ArrowBuf empty() {
        return ALLOCATOR.getEmpty();
    }

    public long rows() {
        return rows;
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
