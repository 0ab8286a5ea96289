package org.pydl4j.conf;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.nd4j.shade.jackson.databind.JsonNode;

/** Sets options, which have Python's names, through DL4J's own methods. */
final class Options {
  /** Methods of builders that are not the option's name in camel case. */
  private static final Map<String, List<String>> METHODS = Map.ofEntries(
      Map.entry("name", List.of("setLayerName")),
      Map.entry("layer", List.of("underlying")),
      Map.entry("masking_value", List.of("maskValue")),
      Map.entry("hidden_size", List.of("hiddenLayerSize")),
      Map.entry("pzx_activation", List.of("pzxActivationFn")),
      Map.entry("output_distribution", List.of("reconstructionDistribution")),
      Map.entry("dropout", List.of("dropOut", "setIDropout")),
      Map.entry("loss", List.of("lossFunction")),
      Map.entry("data_format", List.of("format", "rnnDataFormat", "outputDataFormat", "setCnn2DFormat", "setFormat")),
      Map.entry("constrain_all", List.of("constrainAllParameters")),
      Map.entry("gate_activation", List.of("gateActivationFunction")),
      Map.entry("cudnn_fwd_algo", List.of("cudnnFwdMode")),
      Map.entry("cudnn_bwd_filter_algo", List.of("cudnnBwdFilterMode")),
      Map.entry("cudnn_bwd_data_algo", List.of("cudnnBwdDataMode")),
      Map.entry("tbptt_fwd_length", List.of("tBPTTForwardLength")),
      Map.entry("tbptt_back_length", List.of("tBPTTBackwardLength")),
      Map.entry("tbptt_length", List.of("tBPTTLength")));

  private Options() {}

  static Iterable<Map.Entry<String, JsonNode>> of(JsonNode object) {
    return object::fields;
  }

  /** Sets every option of a JSON object. */
  static void set(Object target, JsonNode options) {
    of(options).forEach(entry -> set(target, entry.getKey(), entry.getValue()));
  }

  static void set(Object target, String option, JsonNode value) {
    Method method = method(target.getClass(), option, value)
        .orElseThrow(() -> new RecipeException(target.getClass().getName() + " has none of " + names(option) + " for " + value));
    invoke(target, method, Values.of(value, method.getParameterTypes()[0]));
  }

  /** The method that sets an option to such a value. */
  static Optional<Method> method(Class<?> type, String option, JsonNode value) {
    List<String> names = names(option);
    return Arrays.stream(type.getMethods())
        .filter(m -> names.contains(m.getName()) && distance(m, value) < Values.NEVER)
        .min(Comparator.<Method>comparingInt(m -> names.indexOf(m.getName())).thenComparingInt(m -> distance(m, value)));
  }

  /** The result of a method without parameters. */
  static Object call(Object target, String name) {
    try {
      return invoke(target, target.getClass().getMethod(name));
    } catch (NoSuchMethodException e) {
      throw new RecipeException(name, e);
    }
  }

  private static List<String> names(String option) {
    String camel = camel(option);
    List<String> names = new ArrayList<>(List.of(camel));
    names.addAll(METHODS.getOrDefault(option, List.of()));
    names.add("set" + camel.substring(0, 1).toUpperCase(Locale.ROOT) + camel.substring(1));
    return names;
  }

  private static String camel(String option) {
    StringBuilder camel = new StringBuilder();
    for (String word : option.split("_")) {
      camel.append(camel.length() == 0 ? word : word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1));
    }
    return camel.toString();
  }

  private static int distance(Method method, JsonNode value) {
    return Values.distance(new JsonNode[] {value}, method.getParameterTypes());
  }

  private static Object invoke(Object target, Method method, Object... values) {
    try {
      method.setAccessible(true); // some builders extend classes that are not public
      return method.invoke(target, values);
    } catch (InvocationTargetException e) {
      throw Options.<RuntimeException>thrown(e);
    } catch (ReflectiveOperationException | IllegalArgumentException e) {
      throw new RecipeException(method.toString(), e);
    }
  }

  /** What DL4J threw within this, checked or not. */
  @SuppressWarnings("unchecked")
  static <E extends Throwable> E thrown(Exception e) throws E {
    throw (E) e.getCause();
  }
}
