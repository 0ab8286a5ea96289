package org.pydl4j.conf;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** The public methods of a class's builders, each where it is declared. */
final class Builders {
  private static final Set<String> OF_EVERY_OBJECT = Set.of("toString", "equals", "hashCode", "clone");

  private Builders() {}

  /** The builders of {@code type} as members of a JSON object; the types of their parameters are given to {@code notice}. */
  static String of(Class<?> type, Consumer<Class<?>> notice) {
    return Arrays.stream(type.getDeclaredClasses())
        .filter(nested -> nested.getSimpleName().endsWith("Builder") && Modifier.isPublic(nested.getModifiers()))
        .sorted(Comparator.comparing(Class::getName))
        .map(builder -> text(builder, notice))
        .collect(Collectors.joining(",\n"));
  }

  private static String text(Class<?> builder, Consumer<Class<?>> notice) {
    TreeSet<String> methods = new TreeSet<>();
    for (Executable method : members(builder)) {
      Arrays.stream(method.getParameterTypes()).forEach(notice);
      String name = method instanceof Constructor ? "new" : method.getName();
      String parameters = Arrays.stream(method.getParameterTypes()).map(JavaNames::brief).collect(Collectors.joining(", "));
      methods.add("      " + CatalogDump.quoted(name + "(" + parameters + ")"));
    }
    Class<?> parent = builder.getSuperclass();
    String inherited = parent == Object.class ? "null" : CatalogDump.quoted(parent.getName());
    String listed = methods.isEmpty() ? "[]" : "[\n" + String.join(",\n", methods) + "]";
    return "    " + CatalogDump.quoted(builder.getName()) + ": {\"extends\": " + inherited + ", \"methods\": " + listed + "}";
  }

  private static List<Executable> members(Class<?> builder) {
    List<Executable> members = new ArrayList<>(List.of(builder.getConstructors()));
    for (Method method : builder.getDeclaredMethods()) {
      boolean own = !method.isBridge() && !method.isSynthetic() && !OF_EVERY_OBJECT.contains(method.getName());
      if (own && Modifier.isPublic(method.getModifiers())) {
        members.add(method);
      }
    }
    return members;
  }
}
