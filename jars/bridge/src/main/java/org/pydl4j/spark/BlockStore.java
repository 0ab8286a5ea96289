package org.pydl4j.spark;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.channels.Channels;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.rpc.RpcEnvFileServer;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.BlockManagerId;
import org.apache.spark.storage.RDDBlockId;
import org.apache.spark.storage.StorageLevel;
import org.pydl4j.spark.data.Block;
import org.pydl4j.spark.data.BlockLoader;
import org.pydl4j.spark.data.FilePart;
import org.pydl4j.spark.data.Loader;
import org.pydl4j.spark.data.Manifest;
import org.pydl4j.spark.data.Storage;

/**
 * A dataset that lies with the executors, on a cluster where driver and executors share no storage: an RDD of {@link Block blocks} on their
 * disks, twice where there are two, so that nothing is lost with one of them; what is lost in spite of that, Spark computes again.
 */
public final class BlockStore {
    private static final Map<URI, BlockStore> OPEN = new ConcurrentHashMap<>();

    private final JavaRDD<Block> blocks;
    private final List<long[]> rows;
    private final Runnable end;

    private BlockStore(JavaRDD<Block> blocks, List<long[]> rows, Runnable end) {
        this.blocks = blocks;
        this.rows = rows;
        this.end = end;
    }

    /** The dataset that stands for this manifest, which is nowhere; null where there is a real one. */
    static BlockStore of(URI manifest) {
        return OPEN.get(manifest);
    }

    /**
     * Computes blocks and keeps them until {@link #release}; the number of their rows.
     *
     * @param manifest what the dataset is to be known by
     */
    public static long keep(JavaSparkContext sc, URI manifest, JavaRDD<Block> blocks) {
        return keep(sc, manifest, blocks, () -> {});
    }

    private static long keep(JavaSparkContext sc, URI manifest, JavaRDD<Block> blocks, Runnable end) {
        int executors = sc.sc().statusTracker().getExecutorInfos().length - 1; // the driver is one of them
        blocks.persist(executors > 1 ? StorageLevel.DISK_ONLY_2() : StorageLevel.DISK_ONLY());
        List<long[]> rows = null;
        try {
            rows = blocks.mapPartitions(BlockStore::rows).collect();
        } finally { // Scala throws what it does not declare
            if (rows == null) {
                blocks.unpersist(false);
                end.run();
            }
        }
        OPEN.put(manifest, new BlockStore(blocks, rows, end));
        return rows.stream().flatMapToLong(java.util.Arrays::stream).sum();
    }

    /** Hands the files of a dataset in a directory of the driver's machine to the executors. */
    static void publish(JavaSparkContext sc, URI directory) throws IOException {
        URI manifest = Storage.child(directory, Manifest.FILE);
        RpcEnvFileServer server = SparkEnv.get().rpcEnv().fileServer();
        List<String> names = new ArrayList<>();
        List<String> served = new ArrayList<>();
        List<Long> counts = new ArrayList<>();
        for (FilePart part : Manifest.parse(Storage.readText(manifest), manifest.toString()).parts()) {
            File file = Path.of(directory.getPath(), part.file).toFile();
            served.add(server.addFile(file));
            names.add(file.getName());
            counts.add(part.rows);
        }
        List<Integer> numbers = IntStream.range(0, served.size()).boxed().collect(Collectors.toList());
        JavaRDD<Block> blocks = sc.parallelize(numbers, served.size()).map(i -> fetch(served.get(i), counts.get(i)));
        keep(sc, manifest, blocks, () -> names.forEach(server::removeFile));
    }

    private static Block fetch(String uri, long rows) throws IOException {
        try (InputStream in = Channels.newInputStream(SparkEnv.get().rpcEnv().openChannel(uri))) {
            return new Block(rows, in.readAllBytes());
        }
    }

    private static Iterator<long[]> rows(Iterator<Block> blocks) {
        List<Long> rows = new ArrayList<>();
        blocks.forEachRemaining(block -> rows.add(block.rows));
        return List.of(rows.stream().mapToLong(Long::longValue).toArray()).iterator();
    }

    /** Lets Spark compute again what was lost with executors, as a job with the stages that it takes. */
    void ensure() {
        BlockId[] ids = IntStream.range(0, rows.size()).mapToObj(i -> new RDDBlockId(blocks.id(), i)).toArray(BlockId[]::new);
        scala.collection.IndexedSeq<scala.collection.Seq<BlockManagerId>> places =
                SparkEnv.get().blockManager().master().getLocations(ids);
        int[] lost = IntStream.range(0, ids.length).filter(i -> places.apply(i).isEmpty()).toArray();
        if (lost.length > 0) {
            blocks.mapPartitions(BlockStore::rows).collectPartitions(lost);
        }
    }

    Loader loader() {
        return new BlockLoader(blocks.id(), rows);
    }

    /** Forgets a dataset, if it is known. */
    static void release(URI manifest) {
        BlockStore store = OPEN.remove(manifest);
        if (store != null) {
            store.end.run();
            if (!store.blocks.context().isStopped()) {
                store.blocks.unpersist(false);
            }
        }
    }
}
