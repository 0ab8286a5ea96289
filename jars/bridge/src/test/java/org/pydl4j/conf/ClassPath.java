package org.pydl4j.conf;

import java.io.IOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Collectors;

/** The classes of DL4J, ND4J and DataVec that are on the class path, loaded and not initialized. */
final class ClassPath {
  private static final List<String> PACKAGES = List.of("org/deeplearning4j/", "org/nd4j/", "org/datavec/");
  /** Other projects under ND4J's name, and code generated from others' formats. */
  private static final List<String> FOREIGN = List.of("org/nd4j/shade/", "org/nd4j/nativeblas/", "org/nd4j/linalg/cpu/");

  private final Map<String, Class<?>> loaded = new TreeMap<>();

  ClassPath() throws IOException, ClassNotFoundException {
    for (String name : names()) {
      loaded.put(name, Class.forName(name, false, ClassPath.class.getClassLoader()));
    }
  }

  /** Classes by name. */
  Map<String, Class<?>> classes() {
    return loaded;
  }

  private static TreeSet<String> names() throws IOException {
    TreeSet<String> names = new TreeSet<>();
    for (URL manifest : Collections.list(ClassPath.class.getClassLoader().getResources(JarFile.MANIFEST_NAME))) {
      if (manifest.openConnection() instanceof JarURLConnection) {
        names.addAll(names(((JarURLConnection) manifest.openConnection()).getJarFile()));
      }
    }
    return names;
  }

  private static List<String> names(JarFile jar) {
    return jar.stream().map(entry -> entry.getName())
        .filter(name -> name.endsWith(".class") && PACKAGES.stream().anyMatch(name::startsWith))
        .filter(name -> FOREIGN.stream().noneMatch(name::startsWith))
        .map(name -> name.substring(0, name.length() - ".class".length()).replace('/', '.'))
        .collect(Collectors.toList());
  }
}
