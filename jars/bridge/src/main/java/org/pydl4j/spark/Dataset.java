package org.pydl4j.spark;

import java.net.URI;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.pydl4j.spark.data.ArrowLoader;
import org.pydl4j.spark.data.Descriptor;
import org.pydl4j.spark.data.Loader;

/** A dataset on storage that the executors see, or with the executors themselves, cut into minibatches. */
public final class Dataset {
    private static final int ATTEMPTS = 4;

    final URI manifest;
    final long rows;

    Dataset(String manifest, long rows) {
        this.manifest = URI.create(manifest);
        this.rows = rows;
    }

    /** @param order seed of the order of the rows, or null for the order in which they are stored */
    List<String> minibatches(int size, Long order) {
        int count = Math.toIntExact((rows + size - 1) / size);
        return new AbstractList<>() {
            @Override
            public String get(int k) {
                long from = (long) k * size;
                return Descriptor.format(manifest, from, (int) Math.min(size, rows - from), order, size);
            }

            @Override
            public int size() {
                return count;
            }
        };
    }

    /** Minibatches for tasks: each partition has as many as any other, or one less. */
    public JavaRDD<String> deal(JavaSparkContext sc, List<String> minibatches, int partitions) {
        BlockStore blocks = BlockStore.of(manifest);
        if (blocks != null) {
            blocks.ensure();
        }
        return sc.parallelize(new ArrayList<>(minibatches), partitions); // a copy, since lists of descriptors are views
    }

    /**
     * Runs a job whose tasks load minibatches that were {@link #deal dealt} in it; once more where all executors that held some examples were
     * lost while it ran. It must do nothing before its tasks have ended.
     */
    <T> T again(Supplier<T> job) {
        for (int attempt = 1; ; attempt++) {
            try {
                return job.get();
            } catch (Exception e) { // Scala throws what it does not declare
                if (attempt == ATTEMPTS || BlockStore.of(manifest) == null || !SparkFailures.isLoss(e)) {
                    throw e;
                }
            }
        }
    }

    /** What tasks load them with. */
    public Loader loader() {
        BlockStore blocks = BlockStore.of(manifest);
        return blocks == null ? new ArrowLoader() : blocks.loader();
    }
}
