package org.pydl4j.spark;

import java.io.IOException;
import java.net.URI;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.sql.SparkSession;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.api.MultiDataSet;
import org.nd4j.shade.jackson.databind.node.ObjectNode;
import org.pydl4j.Json;
import org.pydl4j.nn.Net;
import org.pydl4j.spark.data.ArrowWriter;
import org.pydl4j.spark.data.FilePart;
import org.pydl4j.spark.data.Loader;
import org.pydl4j.spark.data.Manifest;
import org.pydl4j.spark.data.Storage;
import org.pydl4j.tensor.Tensors;

/**
 * Computes a network's outputs for a dataset, or scores; executors write them, in the order of the rows, as another dataset: columns {@code output},
 * {@code output_1}, ...
 */
final class OutputJob extends SparkJob {
    private final Net network;
    private final Dataset data;
    private final int batchSize;
    private final URI target;
    private final Answer answer;

    /** @param target the directory to write to, which exists */
    OutputJob(SparkSession session, Net network, Dataset data, int batchSize, URI target, Answer answer) {
        super(session, "pydl4j: output");
        this.network = network;
        this.data = data;
        this.batchSize = batchSize;
        this.target = target;
        this.answer = answer;
    }

    @Override
    protected ObjectNode sparkWork() throws Exception {
        List<String> minibatches = data.minibatches(batchSize, null);
        int partitions = Math.min(sc.defaultParallelism(), minibatches.size());
        Manifest manifest = Manifest.of(Json.object());
        try (SharedNet shared = SharedNet.of(sc, network)) {
            boolean isShared = Spools.isShared(target.toString());
            Write write = new Write(shared, data.loader(), target, answer);
            data.again(() -> {
                JavaRDD<String> dealt = data.deal(sc, minibatches, partitions);
                return isShared ? dealt.mapPartitions(write).collect() : OutputBlocks.write(dealt, shared, data.loader(), target, answer);
            }).forEach(manifest::add);
        }
        if (manifest.rows() != data.rows) {
            throw new IllegalStateException("output of " + manifest.rows() + " rows for " + data.rows);
        }
        Storage.writeText(Storage.child(target, Manifest.FILE), manifest.toJson());
        return Json.object().put("rows", manifest.rows());
    }

    /** A partition's rows, on an executor. */
    private static final class Write implements FlatMapFunction<Iterator<String>, FilePart> {
        private static final long serialVersionUID = 1L;

        private final SharedNet shared;
        private final Loader loader;
        private final URI target;
        private final Answer answer;

        Write(SharedNet shared, Loader loader, URI target, Answer answer) {
            this.shared = shared;
            this.loader = loader;
            this.target = target;
            this.answer = answer;
        }

        @Override
        public Iterator<FilePart> call(Iterator<String> descriptors) throws Exception {
            String file = FilePart.name(TaskContext.get());
            FilePart part = shared.use(network -> write(network, descriptors, file));
            return List.of(part).iterator();
        }

        private FilePart write(Net network, Iterator<String> descriptors, String file) throws IOException {
            ArrowWriter writer = null;
            try {
                while (descriptors.hasNext()) {
                    TaskContext.get().killTaskIfInterrupted();
                    MultiDataSet minibatch = Arrays.ownFeatures(loader.load(descriptors.next()));
                    INDArray[] outputs = answer.of(network, minibatch);
                    Map<String, INDArray> columns = columns(outputs);
                    if (writer == null) {
                        writer = new ArrowWriter(Storage.child(target, file), columns);
                    }
                    writer.write(List.copyOf(columns.values()));
                    Arrays.close(columns.values().toArray(new INDArray[0]));
                    Arrays.close(outputs);
                    Arrays.close(minibatch);
                }
            } finally {
                if (writer != null) {
                    writer.close();
                }
            }
            return writer.written(file);
        }
    }

    /** Outputs by the names of their columns, in memory as it is written. */
    static Map<String, INDArray> columns(INDArray[] outputs) {
        Map<String, INDArray> columns = new LinkedHashMap<>();
        for (int i = 0; i < outputs.length; i++) {
            INDArray plain = Tensors.isContiguous(outputs[i]) ? outputs[i] : outputs[i].dup('c');
            columns.put(i == 0 ? "output" : "output_" + i, plain);
        }
        return columns;
    }
}
