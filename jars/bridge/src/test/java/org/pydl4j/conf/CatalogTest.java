package org.pydl4j.conf;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The catalog that tests/unit/conf compares Python's classes with is what DL4J's classes are. {@code
 * -Dpydl4j.golden.write=true} writes it anew.
 */
class CatalogTest {
  private static final Path FILE = Path.of("..", "..", "tests", "golden", "conf", "catalog.json");

  @Test
  void fileIsWhatTheClassesAre() throws Exception {
    String dump = CatalogDump.dump();
    if (Boolean.getBoolean("pydl4j.golden.write")) {
      Files.writeString(FILE, dump);
    }
    List<String> file = Files.readAllLines(FILE);
    List<String> now = dump.lines().collect(Collectors.toList());
    List<String> differences = new ArrayList<>();
    now.stream().filter(line -> !file.contains(line)).forEach(line -> differences.add("now:  " + line));
    file.stream().filter(line -> !now.contains(line)).forEach(line -> differences.add("file: " + line));
    String how = FILE + " differs; -Dpydl4j.golden.write=true writes it anew:\n";
    assertTrue(file.equals(now), () -> how + String.join("\n", differences));
  }
}
