package org.pydl4j.spark;

import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.deeplearning4j.optimize.api.TrainingListener;
import org.nd4j.shade.jackson.databind.node.ObjectNode;
import org.pydl4j.Json;
import org.pydl4j.checkpoint.Checkpoints;
import org.pydl4j.checkpoint.Position;
import org.pydl4j.nn.Net;
import org.pydl4j.nn.Scoring;
import org.pydl4j.nn.Seeds;

/**
 * Trains on executors. Emits {@code epoch_start}, {@code progress} and {@code epoch} events and a {@code checkpoint} event for each that was
 * written, as training in process does.
 */
final class FitJob extends SparkJob {
    private final Net network;
    private final Dataset training;
    private final Dataset validation;
    private final FitOptions options;
    private final Checkpoints checkpoints;
    private int epoch;
    /** what was trained of the epoch before this fit */
    private Position before;
    private Pulse pulse;

    FitJob(SparkSession session, Net network, Dataset training, Dataset validation, FitOptions options) {
        super(session, "pydl4j: fit");
        this.network = network;
        this.training = training;
        this.validation = validation;
        this.options = options;
        this.checkpoints = new Checkpoints(options.checkpoint);
    }

    @Override
    protected ObjectNode sparkWork() throws Exception {
        Sessions.requireRoom(session, NetState.length(network));
        before = checkpoints.start(network, sameFit());
        try (Master master = Masters.of(sc, options.master); Pulse beating = new Pulse(sc, this::emit)) {
            pulse = beating;
            for (epoch = before.epochs + 1; epoch <= options.epochs; epoch++) {
                ObjectNode event = epoch(master);
                before = Position.afterEpoch(epoch);
                told(checkpoints.afterEpoch(network, epoch, epoch == options.epochs));
                emit(event);
            }
        }
        return Json.object();
    }

    /** What has to be the same where a fit goes on from a checkpoint. */
    private ObjectNode sameFit() {
        return Json.object()
                .put("examples", training.rows)
                .put("batch_size_per_worker", options.batchSize)
                .put("shuffle", options.shuffle)
                .put("rng_seed", options.orderSeed);
    }

    private ObjectNode epoch(Master master) throws Exception {
        Long order = options.shuffle ? order() : null;
        emit(event("epoch_start").put("epoch", epoch));
        pulse.epochStarts();
        for (TrainingListener listener : network.listeners()) {
            listener.onEpochStart(network.model());
        }
        long start = System.nanoTime();
        List<String> all = training.minibatches(options.batchSize, order);
        List<String> left = all.subList(before.minibatches, all.size());
        Tally tally = master.epoch(sc, network, training, left, now -> trained(master, now, all.size()));
        pulse.epochEnded();
        tally.require(left.size(), given());
        double seconds = (System.nanoTime() - start) / 1e9;
        for (TrainingListener listener : network.listeners()) {
            listener.onEpochEnd(network.model());
        }
        network.incrementEpochs();
        Position whole = plus(tally);
        ObjectNode event = event("epoch")
                .put("epoch", epoch)
                .put("score", whole.score)
                .put("seconds", seconds)
                .put("examples", whole.examples)
                .put("minibatches", whole.minibatches)
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

    /** Examples of the epoch that this fit trains. */
    private long given() {
        return training.rows - before.examples;
    }

    private long order() {
        long rows = Seeds.rows(network);
        return options.orderSeed == null ? rows : rows ^ options.orderSeed;
    }

    private void trained(Master master, Tally tally, int minibatches) {
        stopIfCancelled();
        Position now = plus(tally);
        if (master.isExactWithinEpoch() && now.minibatches < minibatches) {
            told(checkpoints.within(network, now));
        }
        pulse.moved(event("progress")
                .put("epoch", epoch)
                .put("examples", now.examples)
                .put("new_examples", tally.examples)
                .put("minibatches", now.minibatches)
                .put("of", minibatches)
                .put("score", now.score)
                .put("workers", tally.workers));
    }

    /** Where the epoch stands, with what was trained of it before this fit. */
    private Position plus(Tally tally) {
        long examples = before.examples + tally.examples;
        double score = before.examples == 0
                ? tally.score()
                : (before.score * before.examples + tally.score() * tally.examples) / examples;
        return new Position(epoch - 1, before.minibatches + tally.minibatches, examples, score);
    }

    private void told(String checkpoint) {
        if (checkpoint != null) {
            emit(event("checkpoint").put("epoch", epoch).put("uri", checkpoint));
        }
    }

    private ObjectNode counts(Tally tally) {
        return Json.object()
                .put("given", given())
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
        boolean classes = options.classes > 0;
        Evaluator.Looks looks = new Evaluator.Looks(true, Scoring.evaluations(null, classes), 0);
        Evaluated seen = Evaluator.evaluate(sc, network, validation, options.batchSize, looks);
        event.put("validation_score", seen.score());
        if (classes) {
            event.put("validation_accuracy", seen.counts.accuracy());
        }
    }

    @Override
    protected Exception explained(Exception failure) {
        return checkpoints.told(failure);
    }
}
