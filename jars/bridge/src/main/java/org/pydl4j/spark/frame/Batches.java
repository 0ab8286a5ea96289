package org.pydl4j.spark.frame;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.pydl4j.spark.Arrays;
import org.pydl4j.spark.data.Block;

/** The tensors of a partition's rows, some rows at a time. */
final class Batches implements AutoCloseable {
    private static final int MOST_ROWS = 8192;

    private final List<Batch> tensors = new ArrayList<>();
    private final int partition = TaskContext.getPartitionId();
    private final int size;
    private long seen;
    private int filled;

    /** @param size rows at a time; 0 for as many as suit */
    Batches(List<TensorOptions> options, int size, StructType schema) {
        long rowBytes = options.stream().mapToLong(Batches::rowBytes).sum();
        this.size = size > 0 ? size : (int) Math.max(1, Math.min(MOST_ROWS, Block.BYTES / rowBytes));
        options.forEach(tensor -> tensors.add(new Batch(this.size, tensor, schema)));
    }

    private static long rowBytes(TensorOptions tensor) {
        long numbers = java.util.Arrays.stream(tensor.shape).reduce(1, Math::multiplyExact);
        return numbers * (tensor.collectsDoubles() ? Double.BYTES : Float.BYTES);
    }

    /** Reads the next rows; their number, 0 at the end. */
    int fill(Iterator<InternalRow> rows) {
        clear();
        while (filled < size && rows.hasNext()) {
            add(rows.next());
        }
        return filled;
    }

    boolean isFull() {
        return filled == size;
    }

    void add(InternalRow row) {
        add(row, seen++);
    }

    /** @param index the row's place in its partition */
    void add(InternalRow row, long index) {
        for (Batch tensor : tensors) {
            tensor.add(row, partition, index);
        }
        filled++;
    }

    int filled() {
        return filled;
    }

    void clear() {
        tensors.forEach(Batch::clear);
        filled = 0;
    }

    /** What a use of the tensors gives: they are as the network takes them, and valid during it. */
    @FunctionalInterface
    interface Use<T, E extends Exception> {
        T with(List<INDArray> tensors) throws E;
    }

    <T, E extends Exception> T use(Use<T, E> use) throws E {
        List<INDArray> prepared = new ArrayList<>();
        tensors.forEach(tensor -> prepared.add(tensor.prepared(filled, maskOf(tensor))));
        T result = use.with(prepared);
        for (int i = 0; i < prepared.size(); i++) {
            Arrays.closeUnlessOf(tensors.get(i).rows(filled), prepared.get(i));
        }
        return result;
    }

    /** What counts of normalized sequences; null for other tensors. */
    private INDArray maskOf(Batch tensor) {
        if (tensor.options.normalizer == null || tensor.options.sequence == null) {
            return null;
        }
        return tensors.stream().filter(other -> other.options.isFeaturesMask()).findFirst().orElseThrow().rows(filled);
    }

    /** Takes the tensors of some rows. */
    @FunctionalInterface
    interface Sink<E extends Exception> {
        void take(List<INDArray> tensors) throws E;
    }

    /** Hands all rows over, some at a time, and counts them. */
    <E extends Exception> void each(Iterator<InternalRow> rows, RowCount count, Sink<E> sink) throws E {
        while (fill(rows) > 0) {
            TaskContext.get().killTaskIfInterrupted();
            use(tensors -> {
                sink.take(tensors);
                return null;
            });
            count.add(filled);
        }
    }

    /** By name, an array of one row like those to come; whoever asks closes them. */
    Map<String, INDArray> examples() {
        Map<String, INDArray> examples = new LinkedHashMap<>();
        tensors.forEach(tensor -> examples.put(tensor.options.name, tensor.example()));
        return examples;
    }

    @Override
    public void close() {
        tensors.forEach(Batch::close);
    }
}
