package org.pydl4j.spark.frame;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.Map;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.util.TaskCompletionListener;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.pydl4j.spark.Arrays;
import org.pydl4j.spark.data.Block;
import org.pydl4j.spark.data.BlockWriter;

/** A partition of a DataFrame as blocks of tensors, one after the other: they need not fit into memory together. */
final class FrameBlocks implements FlatMapFunction<Iterator<InternalRow>, Block> {
    private static final long serialVersionUID = 1L;

    private final FrameOptions options;
    private final StructType schema;
    private final RowCount count;

    FrameBlocks(FrameOptions options, StructType schema, RowCount count) {
        this.options = options;
        this.schema = schema;
        this.count = count;
    }

    @Override
    public Iterator<Block> call(Iterator<InternalRow> rows) {
        Batches batches = new Batches(options.tensors, 0, schema);
        TaskContext task = TaskContext.get();
        task.addTaskCompletionListener((TaskCompletionListener) ended -> batches.close());
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return rows.hasNext();
            }

            @Override
            public Block next() {
                task.killTaskIfInterrupted();
                count.add(batches.fill(rows));
                try {
                    return batches.use(tensors -> block(tensors, batches.examples()));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        };
    }

    private static Block block(java.util.List<INDArray> tensors, Map<String, INDArray> examples) throws IOException {
        try {
            BlockWriter writer = new BlockWriter(examples);
            writer.write(tensors);
            return writer.end();
        } finally {
            examples.values().forEach(Arrays::close);
        }
    }
}
