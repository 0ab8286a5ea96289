package org.pydl4j.nn;

import java.util.HashMap;
import java.util.Map;
import org.deeplearning4j.nn.conf.BackpropType;
import org.deeplearning4j.nn.conf.InputPreProcessor;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.nn.transferlearning.TransferLearning;
import org.deeplearning4j.nn.weights.IWeightInit;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.shade.jackson.databind.JsonNode;
import org.pydl4j.Json;

/** Makes a network of a trained one, with DL4J's TransferLearning. */
public final class Transfer {
    private Transfer() {}

    /** @param json what {@code pydl4j.conf.transfer_plan.plan} gives */
    public static MultiLayerNetwork learn(MultiLayerNetwork network, String json) {
        JsonNode plan = Json.parse(json);
        MultiLayerConfiguration old = network.getLayerWiseConfigurations();
        FineTuning tuning = FineTuning.of(plan.required("fine_tune"), plan.required("optionals"), old);
        TransferLearning.Builder builder = new TransferLearning.Builder(network)
                .fineTuneConfiguration(tuning)
                .setFeatureExtractor(plan.required("feature_extractor").asInt())
                .validateOutputLayerConfig(plan.required("validate_output_layer_config").asBoolean());
        resize(builder, plan);
        int removed = plan.required("remove_layers_from_output").asInt();
        if (removed > 0) {
            builder.removeLayersFromOutput(removed);
        }
        Nd4j.getRandom().setSeed(tuning.getSeed() == null ? old.getConf(0).getSeed() : tuning.getSeed());
        plan.required("add_layers").forEach(tree -> builder.addLayer(Configurations.read(tree, Layer.class)));
        MultiLayerNetwork made = builder.build();
        keep(made.getLayerWiseConfigurations(), old, tuning);
        made.getLayerWiseConfigurations().setInputPreProcessors(preprocessors(plan.required("input_preprocessors")));
        return Copies.of(made); // whose layers are frozen once
    }

    private static void resize(TransferLearning.Builder builder, JsonNode plan) {
        for (JsonNode change : plan.required("n_out_replace")) {
            builder.nOutReplace(change.required("layer").asInt(), change.required("n_out").asInt(),
                    Configurations.read(change.required("weight_init"), IWeightInit.class),
                    Configurations.read(change.required("weight_init_next"), IWeightInit.class));
        }
        for (JsonNode change : plan.required("n_in_replace")) {
            builder.nInReplace(change.required("layer").asInt(), change.required("n_in").asInt(),
                    Configurations.read(change.required("weight_init"), IWeightInit.class));
        }
    }

    /** All of them: the builder leaves that of the first removed layer, whatever comes in its place. */
    private static Map<Integer, InputPreProcessor> preprocessors(JsonNode json) {
        Map<Integer, InputPreProcessor> found = new HashMap<>();
        json.fields().forEachRemaining(entry ->
                found.put(Integer.valueOf(entry.getKey()), Configurations.read(entry.getValue(), InputPreProcessor.class)));
        return found;
    }

    /** What the builder sets to DL4J's defaults, silently: truncated backpropagation and workspaces. */
    private static void keep(MultiLayerConfiguration made, MultiLayerConfiguration old, FineTuning tuning) {
        BackpropType type = tuning.getBackpropType();
        made.setBackpropType(type == null ? old.getBackpropType() : type);
        Integer forward = tuning.getTbpttFwdLength();
        made.setTbpttFwdLength(forward == null ? old.getTbpttFwdLength() : forward);
        Integer back = tuning.getTbpttBackLength();
        made.setTbpttBackLength(back == null ? old.getTbpttBackLength() : back);
        made.setTrainingWorkspaceMode(tuning.getTrainingWorkspaceMode() == null
                ? old.getTrainingWorkspaceMode() : tuning.getTrainingWorkspaceMode());
        made.setInferenceWorkspaceMode(tuning.getInferenceWorkspaceMode() == null
                ? old.getInferenceWorkspaceMode() : tuning.getInferenceWorkspaceMode());
        made.setCacheMode(old.getCacheMode());
    }
}
