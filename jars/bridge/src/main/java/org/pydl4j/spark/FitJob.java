package org.pydl4j.spark;

import org.apache.spark.sql.SparkSession;
import org.nd4j.shade.jackson.databind.node.ObjectNode;
import org.pydl4j.Json;
import org.pydl4j.nn.Net;
import org.pydl4j.nn.Seeds;

/** Trains on executors. Emits a {@code progress} event per round and an {@code epoch} event per epoch, as training in process does. */
final class FitJob extends SparkJob {
    private final Net network;
    private final Dataset training;
    private final Dataset validation;
    private final FitOptions options;
    private int epoch;

    FitJob(SparkSession session, Net network, Dataset training, Dataset validation, FitOptions options) {
        super(session, "pydl4j: fit");
        this.network = network;
        this.training = training;
        this.validation = validation;
        this.options = options;
    }

    @Override
    protected ObjectNode sparkWork() throws Exception {
        Sessions.requireRoom(session, NetState.length(network));
        try (Master master = Masters.of(sc, options.master)) {
            for (epoch = 1; epoch <= options.epochs; epoch++) {
                emit(epoch(master));
            }
        }
        return Json.object();
    }

    private ObjectNode epoch(Master master) throws Exception {
        Long order = options.shuffle ? order() : null;
        long start = System.nanoTime();
        Tally tally = master.epoch(sc, network, training, training.minibatches(options.batchSize, order), this::trained);
        double seconds = (System.nanoTime() - start) / 1e9;
        network.incrementEpochs();
        ObjectNode event = event("epoch")
                .put("epoch", epoch)
                .put("score", tally.score())
                .put("seconds", seconds)
                .put("examples", tally.examples)
                .put("minibatches", tally.minibatches)
                .put("rounds", tally.rounds);
        event.set("counts", counts(tally));
        if (options.collectStats) {
            event.set("stats", stats(tally));
        }
        if (validation != null) {
            validate(event);
        }
        return event;
    }

    private long order() {
        long rows = Seeds.rows(network);
        return options.orderSeed == null ? rows : rows ^ options.orderSeed;
    }

    private void trained(Tally tally) {
        stopIfCancelled();
        emit(event("progress").put("epoch", epoch).put("examples", tally.examples).put("score", tally.score()));
    }

    private ObjectNode counts(Tally tally) {
        return Json.object()
                .put("given", training.rows)
                .put("loaded", tally.loaded)
                .put("trained", tally.examples)
                .put("sent", tally.sent)
                .put("applied", tally.applied);
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
