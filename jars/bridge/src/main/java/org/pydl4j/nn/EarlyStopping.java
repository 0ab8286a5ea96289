package org.pydl4j.nn;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.deeplearning4j.earlystopping.EarlyStoppingModelSaver;
import org.deeplearning4j.earlystopping.EarlyStoppingResult.TerminationReason;
import org.deeplearning4j.earlystopping.termination.EpochTerminationCondition;
import org.deeplearning4j.earlystopping.termination.IterationTerminationCondition;
import org.deeplearning4j.earlystopping.termination.MaxEpochsTerminationCondition;
import org.deeplearning4j.nn.api.Model;
import org.nd4j.shade.jackson.databind.JsonNode;
import org.nd4j.shade.jackson.databind.node.ObjectNode;
import org.pydl4j.Json;

/**
 * When a fit ends, and which network was the best: DL4J's conditions, score calculators and savers. Without conditions and
 * without a score a fit ends after its last epoch.
 */
public final class EarlyStopping {
    private final List<EpochTerminationCondition> epochConditions = new ArrayList<>();
    private final List<IterationTerminationCondition> iterationConditions = new ArrayList<>();
    private final EarlyStoppingModelSaver<Model> saver;
    private final Scoring scoring;
    private final int every;
    private final boolean savesLast;
    private final int maxEpochs;

    private final ObjectNode scores = Json.object();
    private int epochs;
    private int bestEpoch; // 0 for none
    private double bestScore;
    private TerminationReason reason; // null while training goes on
    private String details;

    /**
     * @param scoring null where nothing is scored
     * @param maxEpochs the fit's own limit
     */
    public EarlyStopping(JsonNode json, Scoring scoring, int maxEpochs) {
        json.path("epochTerminationConditions")
                .forEach(tree -> epochConditions.add(Configurations.read(tree, EpochTerminationCondition.class)));
        json.path("iterationTerminationConditions")
                .forEach(tree -> iterationConditions.add(Configurations.read(tree, IterationTerminationCondition.class)));
        this.saver = Savers.of(json.path("modelSaver"));
        this.scoring = scoring;
        this.every = json.path("evaluateEveryNEpochs").asInt(1);
        this.savesLast = json.path("saveLastModel").asBoolean();
        this.maxEpochs = maxEpochs;
    }

    public void start() {
        epochConditions.forEach(EpochTerminationCondition::initialize);
        iterationConditions.forEach(IterationTerminationCondition::initialize);
    }

    public boolean isOver() {
        return reason != null;
    }

    /** Whether there is anything to look at after {@code epoch}, counted from 1. */
    public boolean isDueAfter(int epoch) {
        return (epoch - 1) % every == 0 || epoch == maxEpochs;
    }

    /** Whether a minibatch with this score was the last one. */
    public boolean endsWithMinibatch(double score) {
        for (IterationTerminationCondition condition : iterationConditions) {
            if (condition.terminate(score)) {
                end(TerminationReason.IterationTerminationCondition, condition);
                return true;
            }
        }
        return false;
    }

    /** @param seen of the validation data, for a due epoch that is scored */
    public void afterEpoch(Net network, int epoch, Validated seen) throws IOException {
        epochs = epoch;
        if (scoring != null && isDueAfter(epoch)) {
            look(network, epoch, scoring.score(network, seen));
        }
        if (!isOver() && epoch == maxEpochs) {
            end(TerminationReason.EpochTerminationCondition, new MaxEpochsTerminationCondition(maxEpochs));
        }
    }

    private void look(Net network, int epoch, double score) throws IOException {
        scores.put(Integer.toString(epoch), score);
        if (isBest(score)) {
            bestScore = score;
            bestEpoch = epoch;
            saver.saveBestModel(network.model(), score);
        }
        if (savesLast) {
            saver.saveLatestModel(network.model(), score);
        }
        for (EpochTerminationCondition condition : epochConditions) {
            if (condition.terminate(epoch - 1, score, scoring.minimizes)) { // DL4J counts epochs from 0
                end(TerminationReason.EpochTerminationCondition, condition);
                return;
            }
        }
    }

    /** As DL4J decides it, but a first score of NaN does not stay the best for ever. */
    private boolean isBest(double score) {
        if (bestEpoch == 0 || Double.isNaN(bestScore)) {
            return bestEpoch == 0 || !Double.isNaN(score);
        }
        return scoring.minimizes ? score < bestScore : score > bestScore;
    }

    private void end(TerminationReason why, Object condition) {
        reason = why;
        details = condition.toString();
    }

    /** Makes {@code network} the best one, if there is one, and tells how it went. */
    public ObjectNode finish(Net network) throws IOException {
        if (savesLast && reason == TerminationReason.IterationTerminationCondition) {
            saver.saveLatestModel(network.model(), network.score());
        }
        ObjectNode result = Json.object();
        if (reason != null) {
            result.put("termination_reason", reason.name()).put("termination_details", details);
        }
        if (bestEpoch > 0) {
            try (Snapshot best = Snapshot.of(Net.of(saver.getBestModel()))) {
                best.restore(network);
            }
            result.put("best_model_epoch", bestEpoch).put("best_model_score", bestScore);
        }
        result.put("total_epochs", epochs).set("score_vs_epoch", scores);
        return result;
    }

    /** The best network, a copy of its own; null where no score was calculated. */
    public Model best() throws IOException {
        return bestEpoch > 0 ? saver.getBestModel() : null;
    }

    /** The network that was saved last, a copy of its own; null where none was. */
    public Model latest() throws IOException {
        return savesLast ? saver.getLatestModel() : null;
    }
}
