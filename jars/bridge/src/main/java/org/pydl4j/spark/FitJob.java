package org.pydl4j.spark;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.spark.impl.multilayer.SparkDl4jMultiLayer;
import org.nd4j.shade.jackson.databind.node.ObjectNode;
import org.pydl4j.Json;
import org.pydl4j.nn.Seeds;
import org.pydl4j.spark.data.ArrowDataSetLoader;

/** Trains on executors. Emits a {@code progress} event per round and an {@code epoch} event per epoch, as training in process does. */
final class FitJob extends SparkJob {
    private final MultiLayerNetwork network;
    private final Dataset training;
    private final Dataset validation;
    private final FitOptions options;
    private final ParameterAveraging master;
    private int epoch;

    FitJob(SparkSession session, MultiLayerNetwork network, Dataset training, Dataset validation, FitOptions options) {
        super(session, "pydl4j: fit");
        this.network = network;
        this.training = training;
        this.validation = validation;
        this.options = options;
        master = new ParameterAveraging(options.master, this::round);
    }

    @Override
    protected ObjectNode sparkWork() throws Exception {
        Sessions.requireRoom(session, NetState.length(network));
        SparkDl4jMultiLayer spark = new SparkDl4jMultiLayer(sc, network, master);
        try {
            for (epoch = 1; epoch <= options.epochs; epoch++) {
                emit(epoch(spark));
            }
        } finally {
            master.close();
        }
        return Json.object();
    }

    private ObjectNode epoch(SparkDl4jMultiLayer spark) throws Exception {
        Long order = options.shuffle ? order() : null;
        long start = System.nanoTime();
        // a copy: the list is sent as one partition, to be collected by the master that deals it
        List<String> minibatches = new ArrayList<>(training.minibatches(options.batchSize, order));
        spark.fitPaths(sc.parallelize(minibatches, 1), new ArrowDataSetLoader());
        double seconds = (System.nanoTime() - start) / 1e9;
        Tally tally = master.tally();
        ObjectNode event = event("epoch")
                .put("epoch", epoch)
                .put("score", tally.score())
                .put("seconds", seconds)
                .put("examples", tally.examples)
                .put("minibatches", tally.minibatches)
                .put("rounds", tally.rounds);
        if (options.collectStats) {
            event.set("stats", stats(tally));
        }
        if (validation != null) {
            validate(event);
        }
        return event;
    }

    private long order() {
        long rows = Seeds.rows(network.getLayerWiseConfigurations());
        return options.orderSeed == null ? rows : rows ^ options.orderSeed;
    }

    private void round(Tally tally) {
        stopIfCancelled();
        emit(event("progress").put("epoch", epoch).put("examples", tally.examples).put("score", tally.score()));
    }

    private static ObjectNode stats(Tally tally) {
        return Json.object()
                .put("broadcast", tally.broadcastSeconds)
                .put("workers", tally.workersSeconds)
                .put("average", tally.averageSeconds)
                .put("fit", tally.fitSeconds);
    }

    private void validate(ObjectNode event) throws Exception {
        Evaluated seen = Evaluator.evaluate(sc, network, validation, options.batchSize, options.classes);
        event.put("validation_score", seen.score());
        if (options.classes > 0) {
            event.put("validation_accuracy", seen.accuracy());
        }
    }
}
