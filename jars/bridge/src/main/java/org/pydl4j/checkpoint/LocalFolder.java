package org.pydl4j.checkpoint;

import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A directory of this machine. Files are prepared in it, so that they have to be renamed only. */
final class LocalFolder implements Folder {
    private static final String SCRATCH = ".writing";

    private final URI uri;
    private final Path directory;

    LocalFolder(URI uri) {
        this.uri = uri;
        directory = Path.of(uri.getPath());
    }

    @Override
    public URI uri() {
        return uri;
    }

    @Override
    public List<String> list() throws IOException {
        if (!Files.exists(directory)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).collect(Collectors.toList());
        }
    }

    @Override
    public Path scratch() throws IOException {
        return Scratch.empty(Files.createDirectories(directory).resolve(SCRATCH));
    }

    @Override
    public void publish(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.force(true); // a rename that is written before the contents would publish an empty file
        }
        Files.move(file, directory.resolve(file.getFileName()), StandardCopyOption.ATOMIC_MOVE);
    }

    @Override
    public Path local(String name, Path scratch) {
        return directory.resolve(name);
    }

    @Override
    public void delete(String name) throws IOException {
        Files.deleteIfExists(directory.resolve(name));
    }
}
