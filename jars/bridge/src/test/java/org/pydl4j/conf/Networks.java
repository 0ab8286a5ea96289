package org.pydl4j.conf;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.deeplearning4j.nn.conf.ComputationGraphConfiguration;
import org.deeplearning4j.nn.conf.ComputationGraphConfiguration.GraphBuilder;
import org.deeplearning4j.nn.conf.InputPreProcessor;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.graph.GraphVertex;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.nd4j.shade.jackson.databind.JsonNode;

/** Whole networks, as a user of the builders writes them. */
final class Networks {
  private Networks() {}

  static MultiLayerConfiguration multiLayer(JsonNode recipe) {
    NeuralNetConfiguration.ListBuilder list = global(recipe).list();
    for (JsonNode layer : recipe.path("layers")) {
      list.layer((Layer) Parts.build(layer));
    }
    for (Map.Entry<String, JsonNode> entry : Options.of(recipe.path("inputPreProcessors"))) {
      list.inputPreProcessor(Integer.valueOf(entry.getKey()), preProcessor(entry.getValue()));
    }
    if (recipe.hasNonNull("inputType")) {
      list.setInputType(inputType(recipe.get("inputType")));
    }
    Options.set(list, recipe.path("list"));
    return list.build();
  }

  static ComputationGraphConfiguration graph(JsonNode recipe) {
    GraphBuilder graph = global(recipe).graphBuilder();
    graph.addInputs(names(recipe.path("inputs")));
    for (JsonNode vertex : recipe.path("vertices")) {
      add(graph, vertex);
    }
    graph.setOutputs(names(recipe.path("outputs")));
    if (recipe.hasNonNull("inputTypes")) {
      List<InputType> types = new ArrayList<>();
      recipe.get("inputTypes").forEach(type -> types.add(inputType(type)));
      graph.setInputTypes(types.toArray(new InputType[0]));
    }
    Options.set(graph, recipe.path("list"));
    return graph.build();
  }

  private static NeuralNetConfiguration.Builder global(JsonNode recipe) {
    NeuralNetConfiguration.Builder global = new NeuralNetConfiguration.Builder();
    Options.set(global, recipe.path("global"));
    return global;
  }

  private static void add(GraphBuilder graph, JsonNode vertex) {
    String name = vertex.path("name").asText();
    String[] inputs = names(vertex.path("inputs"));
    if (vertex.hasNonNull("vertex")) {
      graph.addVertex(name, (GraphVertex) Parts.build(vertex.get("vertex")), inputs);
    } else if (vertex.hasNonNull("preprocessor")) {
      graph.addLayer(name, (Layer) Parts.build(vertex.get("layer")), preProcessor(vertex.get("preprocessor")), inputs);
    } else {
      graph.addLayer(name, (Layer) Parts.build(vertex.get("layer")), inputs);
    }
  }

  private static String[] names(JsonNode array) {
    return (String[]) Values.of(array, String[].class);
  }

  private static InputPreProcessor preProcessor(JsonNode tree) {
    return (InputPreProcessor) Values.of(tree, InputPreProcessor.class);
  }

  private static InputType inputType(JsonNode tree) {
    return (InputType) Values.of(tree, InputType.class);
  }
}
