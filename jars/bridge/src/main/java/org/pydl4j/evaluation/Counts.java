package org.pydl4j.evaluation;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.nd4j.evaluation.classification.Evaluation;
import org.nd4j.evaluation.regression.RegressionEvaluation;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.shade.jackson.databind.JsonNode;
import org.pydl4j.Json;

/**
 * What several evaluations count, in one pass, in this process or on executors. DL4J's evaluations are what the figures are compared with;
 * its objects are not used, since they lose or double counts where they are put together, and cost an ND4J operation for each threshold.
 */
public final class Counts implements Serializable {
    private static final long serialVersionUID = 1L;

    private final Count[] counts;

    private Counts(Count[] counts) {
        this.counts = counts;
    }

    /** What they are made of, for serializers that want to know. */
    public static List<Class<?>> classes() {
        return List.of(
                Counts.class, Count[].class, BinaryCount.class, CalibrationCount.class, ClassCount.class, RegressionCount.class,
                RocCount.class, Ranks[].class, ExactRanks.class, SteppedRanks.class);
    }

    /** @param json an array of evaluations: {@code {"@class": "ROC", "threshold_steps": 0}} */
    public static Counts of(String json) {
        JsonNode evaluations = Json.parse(json);
        Count[] counts = new Count[evaluations.size()];
        for (int i = 0; i < counts.length; i++) {
            counts[i] = count(evaluations.get(i));
        }
        return new Counts(counts);
    }

    private static Count count(JsonNode options) {
        String name = options.required("@class").asText();
        switch (name) {
            case "Evaluation":
                return new ClassCount(options);
            case "EvaluationBinary":
                return new BinaryCount(options);
            case "EvaluationCalibration":
                return new CalibrationCount(options);
            case "RegressionEvaluation":
                return new RegressionCount();
            case "ROC":
            case "ROCBinary":
            case "ROCMultiClass":
                return new RocCount(name, options);
            default:
                throw new IllegalArgumentException("no evaluation: " + name);
        }
    }

    /**
     * @param mask of the labels; may be null
     * @param layer the configuration of the layer whose output it is
     */
    public void add(INDArray labels, INDArray output, INDArray mask, Layer layer) {
        if (counts.length > 0) {
            Rows rows = Rows.of(labels, output, mask, ClassAxis.of(layer));
            for (Count count : counts) {
                count.add(rows);
            }
        }
    }

    /** Adds the others to these, and returns these. */
    public Counts plus(Counts others) {
        for (int i = 0; i < counts.length; i++) {
            counts[i].merge(others.counts[i]);
        }
        return this;
    }

    /** All that was counted, evaluation after evaluation, as one vector: what Python makes its objects of. */
    public static INDArray numbers(Counts counts) {
        return Nd4j.createFromArray(Arrays.stream(counts.counts).flatMapToDouble(count -> Arrays.stream(count.numbers())).toArray());
    }

    public boolean isEmpty() {
        return counts.length == 0;
    }

    /** Of the evaluation of classes, which must be among them. */
    public double accuracy() {
        return the(ClassCount.class).accuracy();
    }

    /** Of the evaluation of classes, which must be among them. */
    public double metric(Evaluation.Metric metric) {
        return the(ClassCount.class).metric(metric);
    }

    /** Of the evaluation of a regression, which must be among them. */
    public double metric(RegressionEvaluation.Metric metric) {
        return the(RegressionCount.class).metric(metric);
    }

    /** Of one of the ROCs, which must be among them: the area under it, or under precision against recall. */
    public double area(boolean underRoc) {
        return the(RocCount.class).area(underRoc);
    }

    private <C extends Count> C the(Class<C> kind) {
        return Arrays.stream(counts).filter(kind::isInstance).map(kind::cast).findFirst().orElseThrow();
    }
}
