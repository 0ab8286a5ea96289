package org.pydl4j.conf;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.deeplearning4j.nn.conf.CNN2DFormat;
import org.deeplearning4j.nn.conf.DataFormat;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.RNNFormat;
import org.deeplearning4j.nn.conf.stepfunctions.StepFunction;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.serde.jackson.shaded.NDArrayTextDeSerializer;
import org.nd4j.shade.jackson.core.JsonProcessingException;
import org.nd4j.shade.jackson.databind.JsonNode;
import org.nd4j.shade.jackson.databind.exc.ValueInstantiationException;

/** Values of recipes as arguments. Objects that are neither layers nor vertices are read from their own JSON by DL4J's mapper. */
final class Values {
  /** The distance of a value from a type that does not take it. */
  static final int NEVER = 1000;

  private Values() {}

  /** How far values are from the types of parameters, {@link #NEVER} and more if these do not take them. */
  static int distance(JsonNode[] values, Class<?>[] types) {
    if (values.length != types.length) {
      return NEVER;
    }
    int sum = 0;
    for (int i = 0; i < types.length; i++) {
      sum += distance(values[i], types[i]);
    }
    return sum;
  }

  private static int distance(JsonNode value, Class<?> type) {
    switch (value.getNodeType()) {
      case NULL:
        return type.isPrimitive() ? NEVER : type.isEnum() ? 1 : 0; // methods that take an enum ask it for an object
      case BOOLEAN:
        return type == boolean.class || type == Boolean.class ? 0 : NEVER;
      case NUMBER:
        return ofNumber(value, type);
      case STRING:
        return ofText(value.asText(), type);
      case ARRAY:
        return ofArray(value, type);
      default:
        return type.isAssignableFrom(classOf(value)) ? 0 : NEVER;
    }
  }

  private static int ofNumber(JsonNode value, Class<?> type) {
    if (type == double.class || type == Double.class) {
      return value.isIntegralNumber() ? 2 : 0;
    }
    if (!value.isIntegralNumber()) {
      return NEVER;
    }
    if (type == int.class || type == Integer.class) {
      return value.canConvertToInt() ? 0 : NEVER;
    }
    if (type == long.class || type == Long.class) {
      return 1;
    }
    return type.isArray() ? 3 + ofNumber(value, type.getComponentType()) : NEVER; // varargs
  }

  private static int ofText(String text, Class<?> type) {
    if (type.isEnum()) {
      return Arrays.stream(type.getEnumConstants()).anyMatch(each -> ((Enum<?>) each).name().equals(text)) ? 0 : NEVER;
    }
    boolean takes = type == String.class || type == DataFormat.class || type == char.class && text.length() == 1;
    return takes ? 1 : NEVER;
  }

  private static int ofArray(JsonNode values, Class<?> type) {
    if (type == List.class) {
      return 0;
    }
    if (!type.isArray()) {
      return NEVER;
    }
    int sum = 0;
    for (JsonNode value : values) {
      sum += distance(value, type.getComponentType());
    }
    return sum;
  }

  /** Arguments for the types of parameters, which take the values. */
  static Object[] of(JsonNode[] values, Class<?>[] types) {
    Object[] arguments = new Object[types.length];
    for (int i = 0; i < types.length; i++) {
      arguments[i] = of(values[i], types[i]);
    }
    return arguments;
  }

  /** An argument for a parameter, new at each call: DL4J's builders keep and change what they are given. */
  static Object of(JsonNode value, Class<?> type) {
    switch (value.getNodeType()) {
      case NULL:
        return null;
      case BOOLEAN:
        return value.asBoolean();
      case NUMBER:
        return number(value, type);
      case STRING:
        return text(value.asText(), type);
      case ARRAY:
        return type == List.class ? list(value) : array(value, type.getComponentType());
      default:
        return object(value);
    }
  }

  private static Object number(JsonNode value, Class<?> type) {
    if (type.isArray()) {
      Object array = Array.newInstance(type.getComponentType(), 1);
      Array.set(array, 0, number(value, type.getComponentType()));
      return array;
    }
    if (type == int.class || type == Integer.class) {
      return value.intValue();
    }
    return type == long.class || type == Long.class ? (Object) value.longValue() : (Object) value.doubleValue();
  }

  private static Object text(String text, Class<?> type) {
    if (type.isEnum()) {
      return Arrays.stream(type.getEnumConstants()).filter(each -> ((Enum<?>) each).name().equals(text)).findAny().orElseThrow();
    }
    if (type == DataFormat.class) {
      return text.contains("H") ? CNN2DFormat.valueOf(text) : RNNFormat.valueOf(text);
    }
    return type == char.class ? (Object) text.charAt(0) : text;
  }

  private static List<Object> list(JsonNode values) {
    List<Object> list = new ArrayList<>();
    for (JsonNode value : values) {
      list.add(of(value, value.isIntegralNumber() ? int.class : String.class));
    }
    return list;
  }

  private static Object array(JsonNode values, Class<?> component) {
    Object array = Array.newInstance(component, values.size());
    for (int i = 0; i < values.size(); i++) {
      Array.set(array, i, of(values.get(i), component));
    }
    return array;
  }

  private static Object object(JsonNode value) {
    Class<?> type = classOf(value);
    if (value.has("options")) {
      return Parts.build(value);
    }
    try {
      return type == INDArray.class ? new NDArrayTextDeSerializer().deserialize(value)
          : NeuralNetConfiguration.mapper().treeToValue(value, type);
    } catch (ValueInstantiationException e) {
      throw Options.<RuntimeException>thrown(e); // its constructor refuses
    } catch (JsonProcessingException | IllegalArgumentException e) {
      throw new RecipeException("DL4J does not read " + value, e);
    }
  }

  private static Class<?> classOf(JsonNode object) {
    if (object.has("shape") && object.has("data")) {
      return INDArray.class;
    }
    for (String key : new String[] {"class", "@class", "type"}) {
      if (object.has(key)) {
        return classOf(object.get(key).asText());
      }
    }
    if (object.size() == 1) { // {"negativeGradient": {}}
      return StepFunction.class;
    }
    throw new RecipeException("not an object of a class: " + object);
  }

  static Class<?> classOf(String name) {
    try {
      return Class.forName(name);
    } catch (ClassNotFoundException e) {
      throw new RecipeException(name, e);
    }
  }
}
