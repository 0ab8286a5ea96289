package org.pydl4j.spark;

import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.nd4j.shade.jackson.databind.node.ArrayNode;
import org.nd4j.shade.jackson.databind.node.ObjectNode;
import org.pydl4j.Json;
import org.pydl4j.PydlException;
import org.pydl4j.checkpoint.Checkpoints;
import org.pydl4j.checkpoint.Position;
import org.pydl4j.nn.EarlyStopping;
import org.pydl4j.nn.Net;
import org.pydl4j.nn.Scoring;
import org.pydl4j.nn.Seeds;
import org.pydl4j.nn.Validated;

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
    private final EarlyStopping stopping;
    private final Evaluator.Looks looks;
    private int epoch;
    /** what was trained of the epoch before this fit */
    private Position before;
    private Pulse pulse;
    private long askedExamples;
    private double askedSum;
    private double latestScore;

    FitJob(SparkSession session, Net network, Dataset training, Dataset validation, FitOptions options) {
        super(session, "pydl4j: fit");
        this.network = network;
        this.training = training;
        this.validation = validation;
        this.options = options;
        this.checkpoints = new Checkpoints(options.checkpoint);
        Scoring scoring = Scoring.of(options.earlyStopping.path("scoreCalculator"), null);
        this.stopping = new EarlyStopping(options.earlyStopping, scoring, options.epochs);
        this.looks = new Evaluator.Looks(true, Scoring.evaluations(scoring, options.classifier >= 0), Math.max(0, options.classifier));
    }

    EarlyStopping stopping() {
        return stopping;
    }

    @Override
    protected ObjectNode sparkWork() throws Exception {
        Sessions.requireRoom(session, NetState.length(network));
        before = checkpoints.start(network, sameFit());
        stopping.start();
        try (Master master = Masters.of(sc, options.master); Pulse beating = new Pulse(sc, this::emit)) {
            pulse = beating;
            for (epoch = before.epochs + 1; epoch <= options.epochs && !stopping.isOver(); epoch++) {
                epoch(master);
            }
        }
        return stopping.finish(network);
    }

    /** What has to be the same where a fit goes on from a checkpoint. */
    private ObjectNode sameFit() {
        return Json.object()
                .put("examples", training.rows)
                .put("batch_size_per_worker", options.batchSize)
                .put("shuffle", options.shuffle)
                .put("rng_seed", options.orderSeed);
    }

    private void epoch(Master master) throws Exception {
        Long order = options.shuffle ? order() : null;
        emit(event("epoch_start").put("epoch", epoch));
        pulse.epochStarts();
        askedExamples = 0;
        askedSum = 0;
        network.epochStarts();
        long start = System.nanoTime();
        List<String> all = training.minibatches(options.batchSize, order);
        List<String> left = all.subList(before.minibatches, all.size());
        Tally tally = trained(master, left, all.size());
        pulse.epochEnded();
        if (tally == null) { // half way
            return;
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        network.epochEnds();
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
        Validated seen = validation != null && stopping.isDueAfter(epoch) ? validate(event) : null;
        before = Position.afterEpoch(epoch);
        told(checkpoints.afterEpoch(network, epoch, epoch == options.epochs));
        emit(event);
        stopping.afterEpoch(network, epoch, seen);
    }

    /**
     * What was trained of the epoch; null where early stopping ended it. Where the network then holds what is wrong, or nobody knows what, it is put
     * back to where it was.
     */
    private Tally trained(Master master, List<String> minibatches, int of) throws Exception {
        NetState start = NetState.of(network, true);
        try {
            Tally tally = master.epoch(sc, network, training, minibatches, progress(master, of));
            tally.require(minibatches.size(), given());
            return tally;
        } catch (Exception e) {
            if (!master.isExactWithinEpoch() || isKind(e, "NaNScoreError") || isKind(e, "CountMismatchError")) {
                start.copyTo(network);
            }
            if (e instanceof EndOfTraining || isKind(e, "NaNScoreError") && stopping.endsWithMinibatch(Double.NaN)) {
                return null;
            }
            throw e;
        }
    }

    private Progress progress(Master master, int of) {
        return new Progress() {
            @Override
            public void trained(Tally now) {
                FitJob.this.trained(master, now, of);
            }

            @Override
            public void waiting() {
                stopIfCancelled();
            }
        };
    }

    private static boolean isKind(Exception failure, String kind) {
        return failure instanceof PydlException && ((PydlException) failure).kind().equals(kind);
    }

    /** Thrown through the master, by early stopping. */
    private static final class EndOfTraining extends RuntimeException {
        private static final long serialVersionUID = 1L;

        EndOfTraining() {
            super(null, null, false, false);
        }
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
        if (stopping.endsWithMinibatch(newScore(tally))) {
            throw new EndOfTraining();
        }
    }

    /** Mean over the examples of the epoch that were trained since this was last asked; where there are none, what it was then. */
    private double newScore(Tally tally) {
        double sum = tally.score() * tally.examples;
        if (tally.examples != askedExamples) {
            latestScore = (sum - askedSum) / (tally.examples - askedExamples);
            askedSum = sum;
            askedExamples = tally.examples;
        }
        return latestScore;
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

    private static ArrayNode stats(Tally tally) {
        ArrayNode rounds = Json.array();
        tally.times.forEach(times -> rounds.add(times.toJson()));
        return rounds;
    }

    private Validated validate(ObjectNode event) {
        Evaluated seen = Evaluator.evaluate(sc, network, validation, options.batchSize, looks);
        event.put("validation_score", seen.score());
        if (options.classifier >= 0) {
            event.put("validation_accuracy", seen.counts.accuracy());
        }
        return new Validated(seen.score(), seen.examples, seen.counts);
    }

    @Override
    protected Exception explained(Exception failure) {
        return checkpoints.told(failure);
    }
}
