package org.pydl4j.conf;

import java.io.IOException;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.datavec.api.transform.TransformProcess;
import org.datavec.api.transform.serde.JsonMappers;
import org.deeplearning4j.earlystopping.EarlyStoppingConfiguration;
import org.deeplearning4j.nn.conf.ComputationGraphConfiguration;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.nd4j.shade.jackson.annotation.JsonTypeInfo;
import org.nd4j.shade.jackson.databind.JavaType;
import org.nd4j.shade.jackson.databind.ObjectMapper;
import org.nd4j.shade.jackson.databind.node.ObjectNode;

/**
 * Every configuration class of DL4J and DataVec: its JSON properties with types and defaults, and its builders.
 *
 * <p>The classes are found on the class path: the subtypes of every class whose JSON names its type, the top classes,
 * and the classes of their properties. To make the file anew, with a class path that has a native backend and the
 * bridge's test classes: {@code java -cp <class path> org.pydl4j.conf.CatalogDump tests/golden/conf/catalog.json}
 */
public final class CatalogDump {
  /** Documents that do not name their type. */
  private static final List<Class<?>> TOP = List.of(NeuralNetConfiguration.class, MultiLayerConfiguration.class,
      ComputationGraphConfiguration.class, EarlyStoppingConfiguration.class, TransformProcess.class);

  /** Packages whose JSON does not configure anything, with what it is instead. */
  private static final Map<String, String> NO_CONFIGURATION = Map.of(
      "org.nd4j.evaluation.", "results of evaluation",
      "org.deeplearning4j.eval.", "results of evaluation, as of old",
      "org.deeplearning4j.ui.", "elements of pages",
      "org.deeplearning4j.nn.layers.ocnn.", "the loss inside a running layer",
      "org.deeplearning4j.nn.conf.memory.", "reports",
      "org.deeplearning4j.nn.conf.serde.", "helpers that read documents of DL4J 0.x",
      "org.deeplearning4j.nn.conf.distribution.serde.", "helpers that read documents of DL4J 0.x",
      "org.datavec.api.transform.serde.", "helpers that read documents of DataVec 0.x",
      "org.datavec.api.transform.analysis.", "results of analysis",
      "org.datavec.api.transform.ui.", "elements of pages");

  /** Packages of what configurations refer to and JSON does not describe: arrays, networks, data. */
  private static final List<String> NO_BEANS = List.of("org.nd4j.linalg.api.", "org.nd4j.linalg.dataset.", "org.nd4j.autodiff.",
      "org.nd4j.common.", "org.datavec.api.formats.", "org.datavec.api.conf.", "org.datavec.api.io.",
      "org.deeplearning4j.nn.graph.", "org.deeplearning4j.nn.multilayer.");

  private final ClassPath path = new ClassPath();
  private final Map<String, String> classes = new TreeMap<>();
  private final Map<String, String> enums = new TreeMap<>();
  private final Deque<Class<?>> left = new ArrayDeque<>();
  private final List<String> notMade = new ArrayList<>();

  private CatalogDump() throws IOException, ClassNotFoundException {}

  /** Writes the dump into a file. */
  public static void main(String[] args) throws Exception {
    Files.writeString(Path.of(args[0]), dump());
  }

  /** The text of the dump. */
  static String dump() throws Exception {
    return new CatalogDump().text();
  }

  private String text() throws Exception {
    path.classes().values().stream().filter(CatalogDump::isFamily).forEach(this::addSubtypes);
    left.addAll(TOP);
    while (!left.isEmpty()) {
      Class<?> type = left.remove(); // describing it may add the classes of its properties
      if (!classes.containsKey(type.getName())) {
        classes.put(type.getName(), describe(type));
      }
    }
    if (!notMade.isEmpty()) {
      throw new IllegalStateException("say in DefaultInstances how to make these:" + "\n  " + String.join("\n  ", notMade));
    }
    return "{\n\"enums\": {\n" + String.join(",\n", enums.values()) + "\n},\n\"classes\": {\n"
        + String.join(",\n", classes.values()) + "\n}\n}\n";
  }

  private static boolean isFamily(Class<?> type) {
    return type.getDeclaredAnnotation(JsonTypeInfo.class) != null
        && NO_CONFIGURATION.keySet().stream().noneMatch(type.getName()::startsWith);
  }

  private void addSubtypes(Class<?> family) {
    path.classes().values().stream().filter(family::isAssignableFrom)
        .filter(type -> !type.isAnonymousClass() && !type.isLocalClass() && !type.isSynthetic())
        .filter(CatalogDump::isConfiguration)
        .forEach(left::add);
  }

  private static boolean isConfiguration(Class<?> type) {
    return NO_BEANS.stream().noneMatch(type.getName()::startsWith)
        && NO_CONFIGURATION.keySet().stream().noneMatch(type.getName()::startsWith);
  }

  // One class

  private String describe(Class<?> type) throws Exception {
    List<String> lines = new ArrayList<>();
    Class<?> family = family(type);
    lines.add("  \"family\": " + quoted(family.getName()));
    lines.add("  \"type key\": " + typeKey(family));
    lines.add("  \"extends\": " + list(ancestors(type)));
    lines.add("  \"flags\": " + list(flags(type)));
    if (!Modifier.isAbstract(type.getModifiers())) {
      lines.addAll(shape(type, family));
    }
    String builders = Builders.of(type, this::noticeEnum);
    if (!builders.isEmpty()) {
      lines.add("  \"builders\": {\n" + builders + "\n  }");
    }
    return quoted(type.getName()) + ": {\n" + String.join(",\n", lines) + "\n}";
  }

  /** The class or interface that says how JSON names the type; the class itself if none does. */
  private Class<?> family(Class<?> type) {
    return path.classes().values().stream().filter(CatalogDump::isFamily).filter(family -> family.isAssignableFrom(type))
        .findFirst().orElse(type);
  }

  /** The JSON key of the class's name, {@code wrapper} for the key of the object around it, or null. */
  private static String typeKey(Class<?> family) {
    JsonTypeInfo info = family.getAnnotation(JsonTypeInfo.class);
    if (info == null) {
      return "null";
    }
    return quoted(info.include() == JsonTypeInfo.As.WRAPPER_OBJECT ? "wrapper" : info.property());
  }

  private static List<String> ancestors(Class<?> type) {
    List<String> names = new ArrayList<>();
    for (Class<?> c = type.getSuperclass(); c != null && c != Object.class; c = c.getSuperclass()) {
      names.add(c.getName());
    }
    return names;
  }

  private static List<String> flags(Class<?> type) {
    List<String> flags = new ArrayList<>();
    if (Modifier.isAbstract(type.getModifiers())) {
      flags.add("abstract");
    }
    if (type.isAnnotationPresent(Deprecated.class)) {
      flags.add("deprecated");
    }
    if (!Modifier.isPublic(type.getModifiers())) {
      flags.add("not public");
    }
    return flags;
  }

  private List<String> shape(Class<?> type, Class<?> family) throws Exception {
    List<String> lines = new ArrayList<>();
    DefaultInstances.Made made;
    try {
      made = DefaultInstances.of(type);
    } catch (ReflectiveOperationException e) {
      notMade.add(type.getName() + ": " + e.getMessage() + (e.getCause() == null ? "" : " " + firstLine(e.getCause())));
      return lines;
    }
    lines.add("  \"made by\": " + quoted(made.how));
    JsonShape shape = new JsonShape(mapper(type), type, family);
    Object absent = null;
    List<String> required = List.of();
    try {
      ObjectNode smallest = shape.smallest(made.complete);
      absent = shape.parse(smallest);
      required = shape.required(smallest);
      lines.add("  \"required\": " + list(required));
    } catch (IOException | RuntimeException e) {
      lines.add("  \"cannot be read\": " + quoted(firstLine(e)));
    }
    List<String> properties = new ArrayList<>();
    for (String name : shape.names()) {
      properties.add("    " + property(shape, name, made.variants, required.contains(name) ? null : absent));
    }
    lines.add(properties.isEmpty() ? "  \"properties\": {}" : "  \"properties\": {\n" + String.join(",\n", properties) + "\n  }");
    return lines;
  }

  private String property(JsonShape shape, String name, List<Object> variants, Object absent) {
    notice(shape.type(name));
    List<String> members = new ArrayList<>();
    members.add("\"type\": " + quoted(JavaNames.of(shape.type(name))));
    if (!JavaNames.of(shape.readType(name)).equals(JavaNames.of(shape.type(name)))) {
      members.add("\"read as\": " + quoted(JavaNames.of(shape.readType(name))));
      notice(shape.readType(name));
    }
    members.add("\"written\": " + quoted(shape.written(name)));
    members.add("\"read\": " + quoted(shape.read(name)));
    if (!shape.written(name).equals("no")) {
      String value = shape.value(name, variants.get(0));
      boolean given = !Objects.equals(value, shape.value(name, variants.get(1)));
      members.add(given ? "\"given\": true" : "\"default\": " + value);
      if (absent != null && !shape.read(name).equals("no")) {
        members.add("\"absent\": " + shape.value(name, absent));
      }
    }
    return quoted(name) + ": {" + String.join(", ", members) + "}";
  }

  // Types of properties

  private void notice(JavaType type) {
    Class<?> raw = type.getRawClass();
    for (int i = 0; i < type.containedTypeCount(); i++) {
      notice(type.containedType(i));
    }
    if (type.getContentType() != null) {
      notice(type.getContentType());
    }
    noticeEnum(raw);
    noticeEnumsOf(raw);
    boolean bean = path.classes().containsKey(raw.getName()) && !raw.isInterface() && !raw.isEnum();
    if (bean && isConfiguration(raw)) {
      left.add(raw);
    }
  }

  private void noticeEnum(Class<?> type) {
    if (type.isEnum()) {
      List<String> constants = Arrays.stream(type.getEnumConstants()).map(c -> ((Enum<?>) c).name()).collect(Collectors.toList());
      enums.put(type.getName(), quoted(type.getName()) + ": " + list(constants));
    }
  }

  /** An interface of enums stands for the constants of all of them. */
  private void noticeEnumsOf(Class<?> type) {
    List<Class<?>> implementations = path.classes().values().stream()
        .filter(known -> type.isInterface() && known != type && type.isAssignableFrom(known)).collect(Collectors.toList());
    if (!implementations.isEmpty() && implementations.stream().allMatch(Class::isEnum)) {
      List<String> constants = implementations.stream().flatMap(known -> Arrays.stream(known.getEnumConstants()))
          .map(constant -> ((Enum<?>) constant).name()).distinct().collect(Collectors.toList());
      enums.put(type.getName(), quoted(type.getName()) + ": " + list(constants));
    }
  }

  static ObjectMapper mapper(Class<?> type) {
    return type.getName().startsWith("org.datavec.") ? JsonMappers.getMapper() : NeuralNetConfiguration.mapper();
  }

  // Text

  private static String firstLine(Throwable e) {
    String message = String.valueOf(e.getMessage()).split("\n")[0].replace(Samples.DIRECTORY + "/", "");
    return e.getClass().getSimpleName() + ": " + message;
  }

  static String list(Collection<String> texts) {
    return texts.stream().map(CatalogDump::quoted).collect(Collectors.joining(", ", "[", "]"));
  }

  static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
