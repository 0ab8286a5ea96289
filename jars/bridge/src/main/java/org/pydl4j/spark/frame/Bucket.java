package org.pydl4j.spark.frame;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.pydl4j.spark.data.ArrowWriter;
import org.pydl4j.spark.data.FilePart;
import org.pydl4j.spark.data.Storage;

/** The rows of a partition whose sequences are not longer than some length, on their way to a file of their own; none makes no file. */
final class Bucket implements AutoCloseable {
    private final List<TensorOptions> sequences;
    private final int[] ordinals;
    private final Batches batches;
    private final URI target;
    private final String file;
    private final RowCount count;
    private ArrowWriter writer;

    /** @param number of the bucket */
    Bucket(List<TensorOptions> tensors, FrameOptions options, StructType schema, URI target, RowCount count, int number) {
        sequences = tensors.stream().filter(tensor -> tensor.isFeatures() && tensor.sequence != null).collect(Collectors.toList());
        ordinals = sequences.stream().mapToInt(tensor -> schema.fieldIndex(tensor.columns[0])).toArray();
        batches = new Batches(tensors, options.batchSize, schema);
        this.target = target;
        this.count = count;
        file = FilePart.name(TaskContext.get()).replace(".arrow", "-" + number + ".arrow");
    }

    boolean fits(InternalRow row) {
        for (int i = 0; i < ordinals.length; i++) {
            if (!row.isNullAt(ordinals[i]) && row.getArray(ordinals[i]).numElements() > sequences.get(i).sequence.length) {
                return false;
            }
        }
        return true;
    }

    void add(InternalRow row, long index) throws IOException {
        batches.add(row, index);
        if (batches.isFull()) {
            flush();
        }
    }

    private void flush() throws IOException {
        TaskContext.get().killTaskIfInterrupted();
        if (writer == null) {
            writer = FrameWriter.writer(Storage.child(target, file), batches.examples());
        }
        batches.use(tensors -> {
            writer.write(tensors);
            return null;
        });
        count.add(batches.filled());
        batches.clear();
    }

    /** Ends the file; null for none. */
    FilePart end() throws IOException {
        if (batches.filled() > 0) {
            flush();
        }
        if (writer == null) {
            return null;
        }
        ArrowWriter written = writer;
        writer = null;
        written.close();
        return written.written(file).ofLength(sequences.stream().mapToInt(tensor -> tensor.sequence.length).max().orElseThrow());
    }

    @Override
    public void close() throws IOException {
        batches.close();
        if (writer != null) { // something failed
            writer.close();
        }
    }
}
