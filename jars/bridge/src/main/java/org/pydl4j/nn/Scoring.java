package org.pydl4j.nn;

import java.util.Locale;
import org.deeplearning4j.earlystopping.scorecalc.AutoencoderScoreCalculator;
import org.deeplearning4j.earlystopping.scorecalc.ScoreCalculator;
import org.deeplearning4j.earlystopping.scorecalc.VAEReconErrorScoreCalculator;
import org.deeplearning4j.earlystopping.scorecalc.VAEReconProbScoreCalculator;
import org.deeplearning4j.nn.api.Model;
import org.nd4j.evaluation.classification.Evaluation;
import org.nd4j.evaluation.regression.RegressionEvaluation;
import org.nd4j.linalg.dataset.api.iterator.DataSetIterator;
import org.nd4j.shade.jackson.databind.JsonNode;
import org.nd4j.shade.jackson.databind.node.ArrayNode;
import org.pydl4j.Json;
import org.pydl4j.PydlException;

/** How good a network is on the validation data: what DL4J's score calculators say, of the first output where they evaluate one. */
public final class Scoring {
    private static final String CLASSES = "Evaluation";

    /** Gives a score. */
    private interface Score {
        double of(Net network, Validated seen);
    }

    final boolean minimizes;
    private final String evaluation;
    private final Score score;

    private Scoring(boolean minimizes, String evaluation, Score score) {
        this.minimizes = minimizes;
        this.evaluation = evaluation;
        this.score = score;
    }

    double score(Net network, Validated seen) {
        return score.of(network, seen);
    }

    /**
     * What has to be counted of the validation data, as {@link org.pydl4j.evaluation.Counts} reads it.
     *
     * @param scoring may be null
     * @param classification whether classes are counted in any case
     */
    public static String evaluations(Scoring scoring, boolean classification) {
        ArrayNode names = Json.array();
        if (classification) {
            names.addObject().put("@class", CLASSES);
        }
        boolean more = scoring != null && scoring.evaluation != null;
        if (more && !(classification && scoring.evaluation.equals(CLASSES))) {
            names.addObject().put("@class", scoring.evaluation);
        }
        return names.toString();
    }

    /**
     * @param json the score calculator; may be null
     * @param validation what reconstructions are compared with; null where the data are not in this JVM
     * @return null for no calculator
     */
    public static Scoring of(JsonNode json, DataSetIterator validation) {
        if (json.isNull() || json.isMissingNode()) {
            return null;
        }
        String kind = json.required("@class").asText();
        switch (kind.substring(kind.lastIndexOf('.') + 1)) {
            case "DataSetLossCalculator":
                boolean average = json.required("average").asBoolean();
                return new Scoring(true, null, (network, seen) -> seen.loss * (average ? 1 : seen.examples));
            case "ClassificationScoreCalculator":
                Evaluation.Metric metric = Evaluation.Metric.valueOf(json.required("metric").asText());
                return new Scoring(metric.minimize(), CLASSES, (network, seen) -> seen.counts.metric(metric));
            case "RegressionScoreCalculator":
                RegressionEvaluation.Metric error = regressionMetric(json);
                return new Scoring(error.minimize(), "RegressionEvaluation", (network, seen) -> seen.counts.metric(error));
            case "ROCScoreCalculator":
                boolean underRoc = json.required("metric").asText().equals("AUC");
                return new Scoring(false, roc(json.required("type").asText()), (network, seen) -> seen.counts.area(underRoc));
            default:
                return reconstruction(kind.substring(kind.lastIndexOf('.') + 1), json, validation);
        }
    }

    private static String roc(String type) {
        switch (type.toUpperCase(Locale.ROOT)) {
            case "ROC":
                return "ROC";
            case "BINARY":
                return "ROCBinary";
            default:
                return "ROCMultiClass";
        }
    }

    private static Scoring reconstruction(String kind, JsonNode json, DataSetIterator validation) {
        if (validation == null) {
            throw new PydlException("ConfigError", "early_stopping.score_calculator: " + kind + " is calculated in one process only. On Spark "
                    + "expected DataSetLossCalculator, ClassificationScoreCalculator, RegressionScoreCalculator or ROCScoreCalculator.",
                    "early_stopping.score_calculator", null);
        }
        switch (kind) {
            case "AutoencoderScoreCalculator":
                RegressionEvaluation.Metric metric = regressionMetric(json);
                return by(metric.minimize(), new AutoencoderScoreCalculator(metric, validation));
            case "VAEReconErrorScoreCalculator":
                RegressionEvaluation.Metric error = regressionMetric(json);
                // DL4J minimizes every metric
                return by(error.minimize(), new VAEReconErrorScoreCalculator(error, validation));
            case "VAEReconProbScoreCalculator":
                boolean negativeLog = json.required("logProb").asBoolean();
                int samples = json.required("reconstructionProbNumSamples").asInt();
                boolean average = json.required("average").asBoolean();
                // DL4J maximizes the negative log probability, too
                return by(negativeLog, new VAEReconProbScoreCalculator(validation, samples, negativeLog, average));
            default:
                throw new IllegalArgumentException("no score calculator: " + kind);
        }
    }

    private static Scoring by(boolean minimizes, ScoreCalculator<Model> calculator) {
        return new Scoring(minimizes, null, (network, seen) -> {
            try {
                return calculator.calculateScore(network.model());
            } catch (UnsupportedOperationException e) { // another first layer
                throw new PydlException("ConfigError",
                        "early_stopping.score_calculator does not suit the network. " + e.getMessage(),
                        "early_stopping.score_calculator", e);
            }
        });
    }

    private static RegressionEvaluation.Metric regressionMetric(JsonNode json) {
        return RegressionEvaluation.Metric.valueOf(json.required("metric").asText());
    }
}
