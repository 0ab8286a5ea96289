package org.pydl4j.checkpoint;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** A directory without directories in it. */
final class Scratch {
    private Scratch() {}

    static Path empty(Path directory) throws IOException {
        delete(directory);
        return Files.createDirectories(directory);
    }

    static void delete(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                Files.delete(file);
            }
        }
        Files.delete(directory);
    }
}
