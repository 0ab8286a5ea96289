package org.pydl4j.conf;

import org.deeplearning4j.nn.conf.ComputationGraphConfiguration;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.nd4j.shade.jackson.core.JsonProcessingException;
import org.nd4j.shade.jackson.core.json.JsonReadFeature;
import org.nd4j.shade.jackson.databind.JsonNode;
import org.nd4j.shade.jackson.databind.ObjectMapper;
import org.nd4j.shade.jackson.databind.json.JsonMapper;
import org.nd4j.shade.jackson.databind.node.ArrayNode;
import org.nd4j.shade.jackson.databind.node.ObjectNode;

/**
 * What DL4J's own builders make of configurations, which Python describes in recipes: see {@code tests/jvm/conf/reference.py}.
 *
 * <p>A recipe is {@code {"kind": "multilayer" or "graph", "global": {option: value}, "list": {option: value}, ...}} with options
 * under Python's names; or {@code {"kind", "document"}}, which is read and written back. Its answer has {@code json}, and where the
 * recipe asks for it {@code yaml}; or {@code refused}, what DL4J threw; or {@code broken}, a recipe that cannot be followed.
 */
public final class Reference {
  private static final ObjectMapper JSON = JsonMapper.builder().enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS).build();

  private Reference() {}

  /** Answers each recipe of a JSON array. */
  public static String answer(String recipes) throws JsonProcessingException {
    ArrayNode answers = JSON.createArrayNode();
    for (JsonNode recipe : JSON.readTree(recipes)) {
      answers.add(answer(recipe));
    }
    return JSON.writeValueAsString(answers);
  }

  private static ObjectNode answer(JsonNode recipe) {
    ObjectNode answer = JSON.createObjectNode();
    try {
      follow(recipe, answer);
    } catch (RecipeException e) {
      answer.put("broken", e.getMessage());
    } catch (Exception | StackOverflowError e) {
      answer.put("refused", root(e).toString());
    }
    return answer;
  }

  private static void follow(JsonNode recipe, ObjectNode answer) {
    switch (recipe.path("kind").asText()) {
      case "multilayer":
        MultiLayerConfiguration layers = recipe.has("document")
            ? MultiLayerConfiguration.fromJson(recipe.get("document").asText()) : Networks.multiLayer(recipe);
        answer.put("json", layers.toJson());
        if (recipe.path("yaml").asBoolean()) {
          answer.put("yaml", layers.toYaml());
        }
        break;
      case "graph":
        ComputationGraphConfiguration graph = recipe.has("document")
            ? ComputationGraphConfiguration.fromJson(recipe.get("document").asText()) : Networks.graph(recipe);
        answer.put("json", graph.toJson());
        if (recipe.path("yaml").asBoolean()) {
          answer.put("yaml", graph.toYaml());
        }
        break;
      default:
        throw new RecipeException("no such kind: " + recipe.path("kind"));
    }
  }

  private static Throwable root(Throwable thrown) {
    return thrown.getCause() == null ? thrown : root(thrown.getCause());
  }
}
