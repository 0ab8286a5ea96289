package org.pydl4j.nn;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.deeplearning4j.nn.api.layers.LayerConstraint;
import org.deeplearning4j.nn.conf.GradientNormalization;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.dropout.IDropout;
import org.deeplearning4j.nn.conf.layers.BaseLayer;
import org.deeplearning4j.nn.conf.weightnoise.IWeightNoise;
import org.deeplearning4j.nn.transferlearning.FineTuneConfiguration;
import org.nd4j.common.primitives.Optional;
import org.nd4j.linalg.learning.regularization.Regularization;
import org.nd4j.shade.jackson.databind.JsonNode;
import org.nd4j.shade.jackson.databind.node.ObjectNode;

/**
 * DL4J's FineTuneConfiguration, with penalties that each layer has once and for itself: DL4J gives all layers one list, lists
 * weight decay twice in it, and fails on weight decay of biases. Layers that are added have their penalties from Python. They get
 * the network's seed and data type, where DL4J takes the clock and float.
 */
public final class FineTuning extends FineTuneConfiguration {
    private MultiLayerConfiguration network;

    /** @param optionals what DL4J's JSON loses, by Python's names */
    static FineTuning of(JsonNode json, JsonNode optionals, MultiLayerConfiguration network) {
        ObjectNode tree = json.deepCopy();
        tree.put("type", FineTuning.class.getName());
        FineTuning made = Configurations.read(tree, FineTuning.class);
        made.network = network;
        made.setDropout(optional(optionals, "dropout", IDropout.class));
        made.setWeightNoise(optional(optionals, "weight_noise", IWeightNoise.class));
        made.setGradientNormalization(optional(optionals, "gradient_normalization", GradientNormalization.class));
        made.setConstraints(constraints(optionals));
        return made;
    }

    /** null where nothing is to be changed, empty where something is to be taken away */
    private static <T> Optional<T> optional(JsonNode optionals, String name, Class<T> type) {
        if (!optionals.has(name)) {
            return null;
        }
        JsonNode tree = optionals.get(name);
        return tree.isNull() ? Optional.empty() : Optional.of(Configurations.read(tree, type));
    }

    private static Optional<List<LayerConstraint>> constraints(JsonNode optionals) {
        if (!optionals.has("constraints")) {
            return null;
        }
        List<LayerConstraint> found = new ArrayList<>();
        optionals.get("constraints").forEach(tree -> found.add(Configurations.read(tree, LayerConstraint.class)));
        return found.isEmpty() ? Optional.empty() : Optional.of(found);
    }

    @Override
    public void applyToNeuralNetConfiguration(NeuralNetConfiguration conf) {
        if (conf.getLayer() instanceof BaseLayer) {
            BaseLayer layer = (BaseLayer) conf.getLayer();
            if (!getRegularization().isEmpty()) {
                layer.setRegularization(new ArrayList<>(getRegularization()));
            }
            if (!getRegularizationBias().isEmpty()) {
                layer.setRegularizationBias(new ArrayList<>(getRegularizationBias()));
            }
        }
        withoutPenalties(() -> {
            super.applyToNeuralNetConfiguration(conf);
            return conf;
        });
    }

    @Override
    public NeuralNetConfiguration.Builder appliedNeuralNetConfigurationBuilder() {
        NeuralNetConfiguration.Builder builder = withoutPenalties(super::appliedNeuralNetConfigurationBuilder);
        if (getSeed() == null) {
            builder.seed(network.getConf(0).getSeed());
        }
        return builder.dataType(network.getDataType());
    }

    private <T> T withoutPenalties(Supplier<T> work) {
        List<Regularization> weights = getRegularization();
        List<Regularization> biases = getRegularizationBias();
        setRegularization(null);
        setRegularizationBias(null);
        try {
            return work.get();
        } finally {
            setRegularization(weights);
            setRegularizationBias(biases);
        }
    }
}
