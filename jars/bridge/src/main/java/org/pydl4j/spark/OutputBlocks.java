package org.pydl4j.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.storage.StorageLevel;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.api.MultiDataSet;
import org.pydl4j.nn.Net;
import org.pydl4j.spark.data.Block;
import org.pydl4j.spark.data.BlockWriter;
import org.pydl4j.spark.data.FilePart;
import org.pydl4j.spark.data.Loader;

/** A network's output, from executors that write to no storage that the driver sees: they keep it until the driver has fetched it. */
final class OutputBlocks implements FlatMapFunction<Iterator<String>, Block> {
    private static final long serialVersionUID = 1L;

    private final SharedNet shared;
    private final Loader loader;
    private final Answer answer;

    private OutputBlocks(SharedNet shared, Loader loader, Answer answer) {
        this.shared = shared;
        this.loader = loader;
        this.answer = answer;
    }

    /** Files in a directory of the driver's, in the order of the rows; one partition at a time is in its memory. */
    static List<FilePart> write(JavaRDD<String> minibatches, SharedNet shared, Loader loader, URI target, Answer answer) {
        JavaRDD<Block> blocks = minibatches.mapPartitions(new OutputBlocks(shared, loader, answer)).persist(StorageLevel.DISK_ONLY());
        try {
            blocks.count(); // all partitions side by side; the iterator computes one after the other
            List<FilePart> parts = new ArrayList<>();
            for (Iterator<Block> all = blocks.toLocalIterator(); all.hasNext(); ) {
                Block block = all.next();
                String file = "part-" + parts.size() + ".arrow";
                Files.write(Path.of(target.getPath(), file), block.file);
                parts.add(new FilePart(file, block.rows));
            }
            return parts;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            blocks.unpersist(false);
        }
    }

    @Override
    public Iterator<Block> call(Iterator<String> descriptors) throws Exception {
        return shared.use(network -> blocks(network, descriptors)).iterator();
    }

    private List<Block> blocks(Net network, Iterator<String> descriptors) throws IOException {
        List<Block> blocks = new ArrayList<>();
        BlockWriter writer = null;
        while (descriptors.hasNext()) {
            TaskContext.get().killTaskIfInterrupted();
            MultiDataSet minibatch = Arrays.ownFeatures(loader.load(descriptors.next()));
            INDArray[] outputs = answer.of(network, minibatch);
            Map<String, INDArray> columns = OutputJob.columns(outputs);
            writer = writer == null ? new BlockWriter(columns) : writer;
            writer.write(List.copyOf(columns.values()));
            Arrays.close(columns.values().toArray(new INDArray[0]));
            Arrays.close(outputs);
            Arrays.close(minibatch);
            if (writer.isFull()) {
                blocks.add(writer.end());
                writer = null;
            }
        }
        if (writer != null) {
            blocks.add(writer.end());
        }
        return blocks;
    }
}
