package org.pydl4j.spark;

import java.net.URI;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.pydl4j.spark.data.ArrowLoader;
import org.pydl4j.spark.data.Descriptor;
import org.pydl4j.spark.data.Loader;

/** A dataset on storage that the executors see, cut into minibatches. */
public final class Dataset {
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
                return Descriptor.format(manifest, from, (int) Math.min(size, rows - from), order);
            }

            @Override
            public int size() {
                return count;
            }
        };
    }

    /** Minibatches for tasks: each partition has as many as any other, or one less. */
    public JavaRDD<String> deal(JavaSparkContext sc, List<String> minibatches, int partitions) {
        return sc.parallelize(new ArrayList<>(minibatches), partitions); // a copy, since lists of descriptors are views
    }

    /** What tasks load them with. */
    public Loader loader() {
        return new ArrowLoader();
    }
}
