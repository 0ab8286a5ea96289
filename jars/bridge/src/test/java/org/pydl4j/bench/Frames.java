package org.pydl4j.bench;

import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.nd4j.linalg.dataset.api.MultiDataSet;
import org.pydl4j.spark.Arrays;
import org.pydl4j.spark.data.ArrowLoader;
import org.pydl4j.spark.data.Descriptor;

/** What making minibatches of a DataFrame takes. */
public final class Frames {
    private Frames() {}

    /** Reads rows of float columns one number at a time, into minibatches off the heap; returns the seconds. */
    public static double read(Dataset<Row> frame, long rows, long batchSize) {
        int width = frame.columns().length;
        int size = Math.toIntExact(batchSize);
        long start = System.nanoTime();
        long read = frame.queryExecution().toRdd().toJavaRDD()
                .mapPartitions(part -> List.of(read(part, size, width)).iterator())
                .reduce(Long::sum);
        return checked(read, rows, start);
    }

    private static long read(Iterator<InternalRow> rows, int size, int width) {
        FloatBuffer minibatch =
                ByteBuffer.allocateDirect(size * width * Float.BYTES).order(ByteOrder.nativeOrder()).asFloatBuffer();
        long count = 0;
        for (; rows.hasNext(); count++) {
            InternalRow row = rows.next();
            if (!minibatch.hasRemaining()) {
                minibatch.clear();
            }
            for (int i = 0; i < width; i++) {
                minibatch.put(row.getFloat(i));
            }
        }
        return count;
    }

    /** Makes every minibatch of a dataset as an epoch of training does, in an order of its own; returns the seconds. */
    public static double load(SparkSession session, String manifest, long rows, long batchSize) {
        List<String> minibatches = new ArrayList<>();
        for (long from = 0; from < rows; from += batchSize) {
            int size = Math.toIntExact(Math.min(batchSize, rows - from));
            minibatches.add(Descriptor.format(URI.create(manifest), from, size, 1L, size));
        }
        long start = System.nanoTime();
        long loaded = JavaSparkContext.fromSparkContext(session.sparkContext())
                .parallelize(minibatches)
                .mapPartitions(part -> List.of(load(part)).iterator())
                .reduce(Long::sum);
        return checked(loaded, rows, start);
    }

    private static long load(Iterator<String> minibatches) throws Exception {
        ArrowLoader loader = new ArrowLoader();
        long rows = 0;
        while (minibatches.hasNext()) {
            MultiDataSet minibatch = loader.load(minibatches.next());
            rows += minibatch.getFeatures(0).size(0);
            Arrays.close(minibatch);
        }
        return rows;
    }

    private static double checked(long found, long expected, long start) {
        if (found != expected) {
            throw new IllegalStateException(found + " rows of " + expected);
        }
        return (System.nanoTime() - start) / 1e9;
    }
}
