package org.pydl4j.spark.frame;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.sql.catalyst.InternalRow;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.pydl4j.spark.Arrays;
import org.pydl4j.spark.WrittenPart;
import org.pydl4j.spark.data.ArrowWriter;
import org.pydl4j.spark.data.Storage;

/** Writes a partition of a DataFrame, on its executor, to an Arrow file of tensors. A partition without rows makes no file. */
final class FrameWriter implements FlatMapFunction<Iterator<InternalRow>, WrittenPart> {
    private static final long serialVersionUID = 1L;
    private static final int BATCH_BYTES = 8 << 20;

    private final FrameOptions options;
    private final RowReader features;
    private final RowReader labels;
    private final URI target;

    /** @param labels null for none */
    FrameWriter(FrameOptions options, RowReader features, RowReader labels, URI target) {
        this.options = options;
        this.features = features;
        this.labels = labels;
        this.target = target;
    }

    @Override
    public Iterator<WrittenPart> call(Iterator<InternalRow> rows) throws IOException {
        if (!rows.hasNext()) {
            return List.<WrittenPart>of().iterator();
        }
        int rowBytes = features.rowBytes() + (labels == null ? 0 : labels.rowBytes());
        int size = Math.max(1, Math.min(8192, BATCH_BYTES / rowBytes));
        Batch x = new Batch(size, options.featureShape, options.doubleFeatures);
        Batch y = labels == null ? null : new Batch(size, options.labelShape, options.doublePrecision);
        Batch prepared = new Batch(1, options.featureShape, options.doublePrecision); // tells the writer what is to come
        String file = WrittenPart.name(TaskContext.get());
        Map<String, INDArray> columns = new LinkedHashMap<>();
        columns.put("features", prepared.rows(1));
        if (y != null) {
            columns.put("labels", y.rows(size));
        }
        try (ArrowWriter writer = new ArrowWriter(Storage.child(target, file), columns)) {
            int partition = TaskContext.getPartitionId();
            while (rows.hasNext()) {
                TaskContext.get().killTaskIfInterrupted();
                write(fill(rows, size, x, y, partition, writer.rows()), x, y, writer);
            }
            return List.of(new WrittenPart(file, writer.rows())).iterator();
        } finally {
            prepared.close();
            x.close();
            if (y != null) {
                y.close();
            }
        }
    }

    private int fill(Iterator<InternalRow> rows, int size, Batch x, Batch y, int partition, long before) {
        int n = 0;
        for (; n < size && rows.hasNext(); n++) {
            InternalRow row = rows.next();
            features.read(row, x.buffer(), partition, before + n);
            if (y != null) {
                labels.read(row, y.buffer(), partition, before + n);
            }
        }
        return n;
    }

    private void write(int n, Batch x, Batch y, ArrowWriter writer) throws IOException {
        INDArray collected = x.rows(n);
        INDArray features = options.prepared(collected);
        List<INDArray> arrays = new ArrayList<>();
        arrays.add(features);
        if (y != null) {
            arrays.add(y.rows(n));
        }
        writer.write(arrays);
        Arrays.closeUnlessOf(collected, features);
        x.clear();
        if (y != null) {
            y.clear();
        }
    }
}
