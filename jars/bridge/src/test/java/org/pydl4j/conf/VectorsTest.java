package org.pydl4j.conf;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files that Python is compared with are what DL4J and DataVec write today. */
class VectorsTest {
  private static final Path GOLDEN = Path.of("..", "..", "tests", "golden");

  @TempDir Path now;

  @Test
  void networksAreWhatTheBuildersWrite() throws Exception {
    ConfigurationVectors.main(new String[] {now.toString()});
    assertEquals(files(GOLDEN.resolve("conf").resolve("vectors")), files(now));
  }

  @Test
  void processesAreWhatTheBuildersWrite() throws Exception {
    DataVecVectors.main(new String[] {now.toString()});
    assertEquals(files(GOLDEN.resolve("datavec")), files(now));
  }

  /** Names and contents of the files in a folder; contents of some length by their hash, so that a difference is readable. */
  private static Map<String, String> files(Path folder) throws IOException {
    Map<String, String> contents = new TreeMap<>();
    try (Stream<Path> paths = Files.list(folder)) {
      for (Path path : paths.collect(Collectors.toList())) {
        String text = Files.readString(path);
        contents.put(path.getFileName().toString(), text.length() + " characters, hash " + text.hashCode());
      }
    }
    return contents;
  }
}
