package org.pydl4j.nn;

import org.deeplearning4j.earlystopping.scorecalc.AutoencoderScoreCalculator;
import org.deeplearning4j.earlystopping.scorecalc.ROCScoreCalculator.ROCType;
import org.deeplearning4j.earlystopping.scorecalc.ScoreCalculator;
import org.deeplearning4j.earlystopping.scorecalc.VAEReconErrorScoreCalculator;
import org.deeplearning4j.earlystopping.scorecalc.VAEReconProbScoreCalculator;
import org.deeplearning4j.nn.api.Model;
import org.nd4j.evaluation.IEvaluation;
import org.nd4j.evaluation.classification.Evaluation;
import org.nd4j.evaluation.classification.ROC;
import org.nd4j.evaluation.classification.ROCBinary;
import org.nd4j.evaluation.classification.ROCMultiClass;
import org.nd4j.evaluation.regression.RegressionEvaluation;
import org.nd4j.shade.jackson.databind.JsonNode;
import org.pydl4j.PydlException;

/** How good a network is on the validation data: what DL4J's score calculators say, of the first output where they evaluate one. */
final class Scoring {
    /** Gives a score. */
    private interface Score {
        double of(Net network, double loss);
    }

    final boolean minimizes;
    private final Score score;

    private Scoring(boolean minimizes, Score score) {
        this.minimizes = minimizes;
        this.score = score;
    }

    /** @param loss mean of the validation data, which a fit calculates anyway */
    double score(Net network, double loss) {
        return score.of(network, loss);
    }

    /** @param before called before each minibatch; what it throws ends the work */
    static Scoring of(JsonNode json, Minibatches validation, Runnable before) {
        String kind = json.required("@class").asText();
        switch (kind.substring(kind.lastIndexOf('.') + 1)) {
            case "DataSetLossCalculator":
                int count = json.required("average").asBoolean() ? 1 : validation.examples();
                return new Scoring(true, (network, loss) -> loss * count);
            case "ClassificationScoreCalculator":
                Evaluation.Metric metric = Evaluation.Metric.valueOf(json.required("metric").asText());
                return new Scoring(metric.minimize(), (network, loss) ->
                        Networks.evaluate(network, validation, 0, before).scoreForMetric(metric));
            case "RegressionScoreCalculator":
                return regression(json, validation, before);
            case "ROCScoreCalculator":
                return area(json, validation, before);
            default:
                return reconstruction(kind, json, validation, before);
        }
    }

    private static Scoring regression(JsonNode json, Minibatches validation, Runnable before) {
        RegressionEvaluation.Metric metric = regressionMetric(json);
        return new Scoring(metric.minimize(), (network, loss) -> {
            RegressionEvaluation evaluation = new RegressionEvaluation();
            return evaluated(evaluation, network, validation, before).scoreForMetric(metric);
        });
    }

    private static Scoring area(JsonNode json, Minibatches validation, Runnable before) {
        boolean underRoc = json.required("metric").asText().equals("AUC");
        ROCType type = ROCType.valueOf(json.required("type").asText());
        return new Scoring(false, (network, loss) -> {
            switch (type) {
                case ROC:
                    ROC one = new ROC();
                    evaluated(one, network, validation, before);
                    return underRoc ? one.calculateAUC() : one.calculateAUCPR();
                case BINARY:
                    ROCBinary each = new ROCBinary();
                    evaluated(each, network, validation, before);
                    return underRoc ? each.calculateAverageAuc() : each.calculateAverageAUCPR();
                default:
                    ROCMultiClass against = new ROCMultiClass();
                    evaluated(against, network, validation, before);
                    return underRoc ? against.calculateAverageAUC() : against.calculateAverageAUCPR();
            }
        });
    }

    private static <E extends IEvaluation<?>> E evaluated(
            E evaluation, Net network, Minibatches validation, Runnable before) {
        Networks.evaluate(network, validation, 0, evaluation, before);
        return evaluation;
    }

    private static Scoring reconstruction(String kind, JsonNode json, Minibatches validation, Runnable before) {
        switch (kind.substring(kind.lastIndexOf('.') + 1)) {
            case "AutoencoderScoreCalculator":
                RegressionEvaluation.Metric metric = regressionMetric(json);
                return by(metric.minimize(), new AutoencoderScoreCalculator(metric, validation.iterator(before)));
            case "VAEReconErrorScoreCalculator":
                RegressionEvaluation.Metric error = regressionMetric(json);
                // DL4J minimizes every metric
                return by(error.minimize(), new VAEReconErrorScoreCalculator(error, validation.iterator(before)));
            case "VAEReconProbScoreCalculator":
                boolean negativeLog = json.required("logProb").asBoolean();
                int samples = json.required("reconstructionProbNumSamples").asInt();
                boolean average = json.required("average").asBoolean();
                // DL4J maximizes the negative log probability, too
                return by(negativeLog,
                        new VAEReconProbScoreCalculator(validation.iterator(before), samples, negativeLog, average));
            default:
                throw new IllegalArgumentException("no score calculator: " + kind);
        }
    }

    private static Scoring by(boolean minimizes, ScoreCalculator<Model> calculator) {
        return new Scoring(minimizes, (network, loss) -> {
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
