package org.pydl4j.conf;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.nd4j.shade.jackson.databind.JsonNode;
import org.nd4j.shade.jackson.databind.node.NullNode;

/** Layers and vertices from {@code {"class": name, "options": {option: value}}}: through the builder, else the constructor. */
final class Parts {
  /** Options that a user gives to the constructor (of the builder, where there is one), by class; the longest that fits is taken. */
  private static final Map<String, List<List<String>>> CONSTRUCTORS = Map.ofEntries(
      Map.entry("ZeroPadding1DLayer", List.of(List.of("padding"))),
      Map.entry("ZeroPaddingLayer", List.of(List.of("padding"))),
      Map.entry("ZeroPadding3DLayer", List.of(List.of("padding"))),
      Map.entry("Cropping1D", List.of(List.of(), List.of("cropping"))),
      Map.entry("Cropping2D", List.of(List.of(), List.of("cropping"))),
      Map.entry("Cropping3D", List.of(List.of(), List.of("cropping"))),
      Map.entry("PrimaryCapsules", List.of(List.of("capsule_dimensions", "channels"))),
      Map.entry("CapsuleLayer", List.of(List.of("capsules", "capsule_dimensions"))),
      Map.entry("Cnn3DLossLayer", List.of(List.of("data_format"))),
      Map.entry("Bidirectional", List.of(List.of("layer"), List.of("mode", "layer"))),
      Map.entry("LastTimeStep", List.of(List.of("layer"))),
      Map.entry("FrozenLayer", List.of(List.of("layer"))),
      Map.entry("FrozenLayerWithBackprop", List.of(List.of("layer"))),
      Map.entry("TimeDistributed", List.of(List.of("layer"), List.of("layer", "data_format"))),
      Map.entry("ElementWiseVertex", List.of(List.of("op"))),
      Map.entry("SubsetVertex", List.of(List.of("from_", "to"))),
      Map.entry("UnstackVertex", List.of(List.of("from_", "stack_size"))),
      Map.entry("ScaleVertex", List.of(List.of("scale_factor"))),
      Map.entry("ShiftVertex", List.of(List.of("shift_factor"))),
      Map.entry("L2Vertex", List.of(List.of(), List.of("eps"))),
      Map.entry("L2NormalizeVertex", List.of(List.of(), List.of("dimension", "eps"))),
      Map.entry("ReshapeVertex", List.of(List.of("new_shape"), List.of("reshape_order", "new_shape", "mask_shape"))),
      Map.entry("PreprocessorVertex", List.of(List.of("preprocessor"))),
      Map.entry("FrozenVertex", List.of(List.of("underlying"))),
      Map.entry("LastTimeStepVertex", List.of(List.of("mask_array_input_name"))),
      Map.entry("DuplicateToTimeSeriesVertex", List.of(List.of("input_name"))),
      Map.entry("ReverseTimeSeriesVertex", List.of(List.of(), List.of("mask_array_input_name"))));

  /** Builders that do not work: their users call the constructor of the layer. */
  private static final Set<String> WITHOUT_BUILDER = Set.of("Bidirectional", "FrozenLayer");

  /** Options that no builder has, or that builders do not pass on to the layer inside: they are set on what was built. */
  private static final Set<String> AFTERWARDS = Set.of("constraints", "name");

  private Parts() {}

  static Object build(JsonNode part) {
    Class<?> type = Values.classOf(part.path("class").asText());
    Class<?> builder = builderOf(type);
    Map<String, JsonNode> options = new LinkedHashMap<>();
    Options.of(part.path("options")).forEach(entry -> options.put(entry.getKey(), entry.getValue()));
    Map<String, JsonNode> later = new LinkedHashMap<>();
    if (builder != null) {
      Set<String> taken = CONSTRUCTORS.getOrDefault(type.getSimpleName(), List.of()).stream().flatMap(List::stream).collect(Collectors.toSet());
      List.copyOf(options.keySet()).stream()
          .filter(name -> AFTERWARDS.contains(name) || !taken.contains(name) && onlyOnLayer(builder, type, name, options.get(name)))
          .forEach(name -> later.put(name, options.remove(name)));
    }
    Object made = construct(builder == null ? type : builder, type.getSimpleName(), options);
    options.forEach((name, value) -> Options.set(made, name, value));
    Object built = builder == null ? made : Options.call(made, "build");
    later.forEach((name, value) -> Options.set(built, name, value));
    return built;
  }

  /** Whether the builder has no method for an option, and what it builds has one. */
  private static boolean onlyOnLayer(Class<?> builder, Class<?> type, String option, JsonNode value) {
    return Options.method(builder, option, value).isEmpty() && Options.method(type, option, value).isPresent();
  }

  private static Class<?> builderOf(Class<?> type) {
    if (WITHOUT_BUILDER.contains(type.getSimpleName())) {
      return null;
    }
    return Arrays.stream(type.getDeclaredClasses()).filter(inner -> inner.getSimpleName().equals("Builder")).findAny().orElse(null);
  }

  /** Calls the constructor with the options that it takes, and removes these. */
  private static Object construct(Class<?> type, String name, Map<String, JsonNode> options) {
    List<String> taken = CONSTRUCTORS.getOrDefault(name, List.of(List.of())).stream()
        .filter(names -> options.keySet().containsAll(names)).max(Comparator.comparingInt(List::size))
        .orElseGet(() -> CONSTRUCTORS.get(name).get(0));
    JsonNode[] values = taken.stream().map(option -> options.containsKey(option) ? options.remove(option) : NullNode.instance)
        .toArray(JsonNode[]::new);
    Constructor<?> constructor = Arrays.stream(type.getDeclaredConstructors()).filter(c -> fits(c, values))
        .min(Comparator.comparingInt(c -> Values.distance(values, c.getParameterTypes())))
        .orElseThrow(() -> new RecipeException(name + " has no constructor for " + taken));
    try {
      constructor.setAccessible(true);
      return constructor.newInstance(Values.of(values, constructor.getParameterTypes()));
    } catch (InvocationTargetException e) {
      throw Options.<RuntimeException>thrown(e);
    } catch (ReflectiveOperationException e) {
      throw new RecipeException(name, e);
    }
  }

  private static boolean fits(Constructor<?> constructor, JsonNode[] values) {
    return !constructor.isSynthetic() && Values.distance(values, constructor.getParameterTypes()) < Values.NEVER;
  }
}
