package org.pydl4j.conf;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.deeplearning4j.nn.conf.ComputationGraphConfiguration;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The file that tests/unit/conf compares Python's zoo with tells of DL4J's zoo: name, SHA-256 of the JSON, number of
 * parameters. {@code -Dpydl4j.golden.write=true -Dgroups=nightly -Dtests.left.out=none} writes it anew.
 */
class ZooTest {
  private static final Path FILE = Path.of("..", "..", "tests", "golden", "conf", "zoo.txt");

  @Test
  void hashesAreThoseOfTheDocuments() throws Exception {
    Map<String, String> now = new LinkedHashMap<>();
    Zoo.multiLayer().forEach((name, model) -> now.put(name, sha256(model.get().toJson())));
    Zoo.graphs().forEach((name, model) -> now.put(name, sha256(model.get().toJson())));
    Map<String, String> file = new LinkedHashMap<>();
    Files.readAllLines(FILE).forEach(line -> file.put(line.split(" ")[0], line.split(" ")[1]));
    assertEquals(file, now);
  }

  @Test
  @Tag("nightly") // up to 600 MB of parameters, one network after the other
  void countsAreThoseOfInitializedNetworks() throws IOException {
    StringBuilder lines = new StringBuilder();
    for (Map.Entry<String, Supplier<MultiLayerConfiguration>> model : Zoo.multiLayer().entrySet()) {
      MultiLayerConfiguration conf = model.getValue().get();
      lines.append(line(model.getKey(), conf.toJson(), Zoo.parameters(conf)));
    }
    for (Map.Entry<String, Supplier<ComputationGraphConfiguration>> model : Zoo.graphs().entrySet()) {
      ComputationGraphConfiguration conf = model.getValue().get();
      lines.append(line(model.getKey(), conf.toJson(), Zoo.parameters(conf)));
    }
    if (Boolean.getBoolean("pydl4j.golden.write")) {
      Files.writeString(FILE, lines);
    }
    assertEquals(Files.readString(FILE), lines.toString());
  }

  private static String line(String name, String json, long parameters) {
    return name + " " + sha256(json) + " " + parameters + "\n";
  }

  private static String sha256(String text) {
    try {
      StringBuilder hex = new StringBuilder();
      for (byte b : MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8))) {
        hex.append(String.format("%02x", b));
      }
      return hex.toString();
    } catch (java.security.NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java has SHA-256
    }
  }
}
