package org.pydl4j.spark.data;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.SparkEnv;
import org.apache.spark.storage.BlockResult;
import org.apache.spark.storage.RDDBlockId;
import org.pydl4j.PydlException;
import scala.Option;
import scala.collection.Iterator;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * A partition of a persisted RDD of {@link Block blocks}, brought to this JVM when it is first asked for: from here, or from an executor that
 * has it. Its blocks are mapped from a file that has no name any more.
 */
final class StoredPartition {
    private static final ClassTag<Block> TAG = ClassTag$.MODULE$.apply(Block.class);

    private final RDDBlockId id;
    private final long[] rows;
    private List<ArrowFile> files;

    /** @param rows of each block */
    StoredPartition(int rdd, int partition, long[] rows) {
        id = new RDDBlockId(rdd, partition);
        this.rows = rows;
    }

    synchronized ArrowFile file(int block) throws IOException {
        if (files == null) {
            files = fetch();
        }
        return files.get(block);
    }

    private List<ArrowFile> fetch() throws IOException {
        Option<BlockResult> found = SparkEnv.get().blockManager().get(id, TAG);
        if (found.isEmpty()) {
            throw new PydlException("ExecutorLostError", "examples were lost with the executors that held them (" + id
                    + "), again and again. Give the training master an export_directory on storage that all executors see");
        }
        List<ArrowFile> fetched = new ArrayList<>();
        Iterator<Object> blocks = found.get().data();
        while (blocks.hasNext()) { // to the end, in any case: that gives the lock on the partition back
            Block block = (Block) blocks.next();
            if (fetched.size() == rows.length || block.rows != rows[fetched.size()]) {
                throw other();
            }
            fetched.add(map(block, fetched.size()));
        }
        if (fetched.size() != rows.length) {
            throw other();
        }
        return fetched;
    }

    private PydlException other() {
        return new PydlException("DataError", "the DataFrame gave other rows when Spark computed a lost partition again (" + id
                + "); expected a DataFrame that always gives the same. Save it first, as Parquet or with save_dataset");
    }

    private ArrowFile map(Block block, int number) throws IOException {
        Path copy = Files.createTempFile("pydl4j-", ".arrow");
        try {
            Files.write(copy, block.file);
            return ArrowFile.open(copy, URI.create("block:" + id + "-" + number), new FilePart(copy.toString(), block.rows));
        } finally {
            Files.delete(copy);
        }
    }
}
