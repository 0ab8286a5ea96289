package org.pydl4j.spark.frame;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.pydl4j.spark.Arrays;
import org.pydl4j.spark.data.ArrowWriter;
import org.pydl4j.spark.data.FilePart;
import org.pydl4j.spark.data.Storage;

/** Writes a partition of a DataFrame, on its executor, to an Arrow file of tensors. A partition without rows makes no file. */
final class FrameWriter implements FlatMapFunction<Iterator<InternalRow>, FilePart> {
    private static final long serialVersionUID = 1L;

    private final FrameOptions options;
    private final StructType schema;
    private final URI target;
    private final RowCount count;

    FrameWriter(FrameOptions options, StructType schema, URI target, RowCount count) {
        this.options = options;
        this.schema = schema;
        this.target = target;
        this.count = count;
    }

    @Override
    public Iterator<FilePart> call(Iterator<InternalRow> rows) throws IOException {
        if (!rows.hasNext()) {
            return List.<FilePart>of().iterator();
        }
        if (!options.buckets.isEmpty()) {
            return buckets(rows).iterator();
        }
        String file = FilePart.name(TaskContext.get());
        ArrowWriter written;
        try (Batches batches = new Batches(options.tensors, options.batchSize, schema);
                ArrowWriter writer = writer(Storage.child(target, file), batches.examples())) {
            batches.each(rows, count, writer::write);
            written = writer;
        }
        return List.of(written.written(file)).iterator();
    }

    /** A file for each bucket of lengths, which a row goes to the first of that it fits into. */
    private List<FilePart> buckets(Iterator<InternalRow> rows) throws IOException {
        List<Bucket> buckets = new ArrayList<>();
        try {
            for (List<TensorOptions> tensors : options.buckets) {
                buckets.add(new Bucket(tensors, options, schema, target, count, buckets.size()));
            }
            Bucket last = buckets.get(buckets.size() - 1); // tells what is too long
            for (long index = 0; rows.hasNext(); index++) {
                InternalRow row = rows.next();
                buckets.stream().filter(bucket -> bucket.fits(row)).findFirst().orElse(last).add(row, index);
            }
            List<FilePart> files = new ArrayList<>();
            for (Bucket bucket : buckets) {
                files.add(bucket.end());
            }
            files.removeIf(Objects::isNull);
            return files;
        } finally {
            for (Bucket bucket : buckets) {
                bucket.close();
            }
        }
    }

    /** Closes the examples. */
    static ArrowWriter writer(URI file, Map<String, INDArray> examples) throws IOException {
        try {
            return new ArrowWriter(file, examples);
        } finally {
            examples.values().forEach(Arrays::close);
        }
    }
}
