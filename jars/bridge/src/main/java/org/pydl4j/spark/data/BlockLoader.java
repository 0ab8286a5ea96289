package org.pydl4j.spark.data;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.nd4j.linalg.dataset.api.MultiDataSet;

/** Minibatches of a persisted RDD of {@link Block blocks}, by {@link Descriptor}. */
public final class BlockLoader implements Loader {
    private static final long serialVersionUID = 1L;

    private final int rdd;
    private final List<long[]> rows;

    /** @param rows of each block, by partition */
    public BlockLoader(int rdd, List<long[]> rows) {
        this.rdd = rdd;
        this.rows = new ArrayList<>(rows);
    }

    @Override
    public MultiDataSet load(String descriptor) throws IOException {
        Descriptor wanted = Descriptor.parse(descriptor);
        return ArrowDataset.of(wanted.manifest, this::parts).minibatch(wanted);
    }

    private List<Part> parts() {
        List<Part> parts = new ArrayList<>();
        long start = 0;
        for (int partition = 0; partition < rows.size(); partition++) {
            long[] blocks = rows.get(partition);
            StoredPartition stored = new StoredPartition(rdd, partition, blocks);
            for (int i = 0; i < blocks.length; i++) {
                int block = i;
                parts.add(new Part("block " + block + " of partition " + partition, start, blocks[i], 0, () -> stored.file(block)));
                start += blocks[i];
            }
        }
        return parts;
    }
}
