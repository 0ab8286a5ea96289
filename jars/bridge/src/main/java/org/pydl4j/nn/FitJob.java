package org.pydl4j.nn;

import java.io.IOException;
import org.nd4j.linalg.dataset.api.MultiDataSet;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.shade.jackson.databind.JsonNode;
import org.nd4j.shade.jackson.databind.node.ObjectNode;
import org.pydl4j.Json;
import org.pydl4j.PydlException;
import org.pydl4j.checkpoint.Checkpoints;
import org.pydl4j.checkpoint.Position;
import org.pydl4j.evaluation.Counts;
import org.pydl4j.job.Job;
import org.pydl4j.tensor.Tensors;

/**
 * Trains in this JVM. Emits {@code epoch_start}, {@code progress} (at most ten a second) and {@code epoch} events, and a {@code checkpoint}
 * event for each that was written.
 */
final class FitJob extends Job {
    private static final long PROGRESS_NANOS = 100_000_000L;

    private final Net network;
    private final Minibatches training;
    private final Minibatches validation;
    private final FitOptions options;
    private final EarlyStopping stopping;
    /** of the first output */
    private final String evaluations;
    private final Checkpoints checkpoints;

    FitJob(Net network, Minibatches training, Minibatches validation, FitOptions options) {
        this.network = network;
        this.training = training;
        this.validation = validation;
        this.options = options;
        JsonNode early = options.earlyStopping;
        Scoring scoring = Scoring.of(
                early.path("scoreCalculator"), validation == null ? null : validation.iterator(this::stopIfCancelled));
        this.evaluations = Scoring.evaluations(scoring, options.classifier == 0);
        this.stopping = new EarlyStopping(early, scoring, options.epochs);
        this.checkpoints = new Checkpoints(options.checkpoint);
    }

    EarlyStopping stopping() {
        return stopping;
    }

    @Override
    protected ObjectNode work() throws Exception {
        try {
            return train();
        } catch (PydlException e) {
            throw checkpoints.told(e);
        }
    }

    private ObjectNode train() throws IOException {
        Position before = checkpoints.start(network, sameFit());
        stopping.start();
        for (int epoch = before.epochs + 1; epoch <= options.epochs && !stopping.isOver(); epoch++) {
            // in each epoch anew, so that two fits are one longer fit; ND4J's random state belongs to the thread
            Nd4j.getRandom().setSeed(Seeds.noise(network));
            if (options.shuffle) {
                training.shuffle(Seeds.rows(network));
            }
            epoch(epoch);
        }
        return stopping.finish(network);
    }

    /** What has to be the same where a fit goes on from a checkpoint. */
    private ObjectNode sameFit() {
        return Json.object().put("examples", training.examples()).put("batch_size", options.batchSize).put("shuffle", options.shuffle);
    }

    private void epoch(int epoch) throws IOException {
        emit(event("epoch_start").put("epoch", epoch));
        network.epochStarts();
        long start = System.nanoTime();
        double score;
        try (Snapshot before = Snapshot.of(network)) {
            score = minibatches(epoch, before);
        }
        if (stopping.isOver()) { // half way
            return;
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        network.epochEnds();
        ObjectNode event = event("epoch")
                .put("epoch", epoch)
                .put("score", score)
                .put("seconds", seconds)
                .put("examples", training.examples());
        Validated seen = validation != null && stopping.isDueAfter(epoch) ? validate(event) : null;
        String written = checkpoints.afterEpoch(network, epoch, epoch == options.epochs);
        if (written != null) {
            emit(event("checkpoint").put("epoch", epoch).put("uri", written));
        }
        emit(event);
        stopping.afterEpoch(network, epoch, seen);
    }

    private double minibatches(int epoch, Snapshot before) {
        double sum = 0;
        int examples = 0;
        long began = System.nanoTime();
        long reported = began;
        for (int k = 0; k < training.count(); k++) {
            stopIfCancelled();
            MultiDataSet minibatch = training.get(k);
            network.fit(minibatch);
            double score = network.score();
            boolean finite = Double.isFinite(score);
            if (!finite) {
                before.restore(network);
            }
            if (stopping.endsWithMinibatch(score)) {
                return score;
            }
            if (!finite) {
                throw diverged("the score became " + score + " in epoch " + epoch + ", minibatch " + (k + 1));
            }
            int rows = training.to(k) - training.from(k);
            sum += score * rows;
            examples += rows;
            long now = System.nanoTime();
            if (now - reported >= PROGRESS_NANOS) {
                reported = now;
                emit(event("progress")
                        .put("epoch", epoch)
                        .put("examples", examples)
                        .put("new_examples", examples)
                        .put("seconds", (now - began) / 1e9)
                        .put("minibatches", k + 1)
                        .put("of", training.count())
                        .put("score", sum / examples));
            }
        }
        if (!Tensors.isFinite(network.params())) { // the last score was taken before the last update
            before.restore(network);
            if (stopping.endsWithMinibatch(Double.NaN)) {
                return Double.NaN;
            }
            throw diverged("parameters became NaN or infinite in epoch " + epoch);
        }
        return sum / examples;
    }

    private Validated validate(ObjectNode event) {
        double loss = Networks.score(network, validation, this::stopIfCancelled);
        event.put("validation_score", loss);
        Counts counts = counted(0, evaluations);
        if (options.classifier >= 0) {
            Counts classes = options.classifier == 0 ? counts : counted(options.classifier, Scoring.evaluations(null, true));
            event.put("validation_accuracy", classes.accuracy());
        }
        return new Validated(loss, validation.examples(), counts);
    }

    private Counts counted(int output, String what) {
        Counts counts = Counts.of(what);
        if (!counts.isEmpty()) {
            Networks.evaluate(network, validation, output, counts, this::stopIfCancelled);
        }
        return counts;
    }

    private static PydlException diverged(String what) {
        return new PydlException("NaNScoreError",
                what + ". The network was put back to where it was before this epoch. Expected finite numbers: "
                        + "try a smaller learning rate, gradient_normalization, or a normalizer for the features.");
    }
}
