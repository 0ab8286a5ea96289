package org.pydl4j.conf;

import java.util.ArrayList;
import java.util.List;
import org.nd4j.shade.jackson.databind.JavaType;

/** Types as Java's sources spell them. */
final class JavaNames {
  private JavaNames() {}

  /** The full name with its arguments; without the package for {@code java.lang} and {@code java.util}. */
  static String of(JavaType type) {
    if (type.isArrayType()) {
      return of(type.getContentType()) + "[]";
    }
    List<String> arguments = new ArrayList<>();
    for (int i = 0; i < type.containedTypeCount(); i++) {
      arguments.add(of(type.containedType(i)));
    }
    String name = type.getRawClass().getName().replaceFirst("^java\\.(lang|util)\\.(?=[A-Z])", "");
    return arguments.isEmpty() ? name : name + "<" + String.join(", ", arguments) + ">";
  }

  /** The name without the package. */
  static String brief(Class<?> type) {
    if (type.isArray()) {
      return brief(type.getComponentType()) + "[]";
    }
    return type.isMemberClass() ? brief(type.getDeclaringClass()) + "." + type.getSimpleName() : type.getSimpleName();
  }
}
