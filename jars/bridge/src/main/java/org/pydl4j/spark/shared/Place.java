package org.pydl4j.spark.shared;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.pydl4j.PydlException;

/**
 * The directory of one transport's buffers: in shared memory where there is room, else among the temporary files. Its owner holds a lock on
 * it, which ends with his process: what a killed one left behind is deleted by the next who opens a place on the same machine.
 */
final class Place implements AutoCloseable {
    private static final String PREFIX = "pydl4j-mesh-";
    private static final String LOCK = ".lock";
    private static final long LEAST = 16L << 20;
    private static final long SETTLED_MILLIS = TimeUnit.MINUTES.toMillis(1);

    private final Path directory;
    private final Path lockFile;
    private final FileChannel lock;

    private Place(Path directory) throws IOException {
        this.directory = directory;
        lockFile = lockOf(directory);
        lock = FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        lock.lock(); // before there is a directory: one without a locked lock is nobody's
        Files.createDirectory(directory);
    }

    private static Path lockOf(Path directory) {
        return directory.resolveSibling(directory.getFileName() + LOCK);
    }

    static Place open() {
        return open(List.of(Path.of("/dev/shm"), Path.of(System.getProperty("java.io.tmpdir"))));
    }

    static Place open(List<Path> roots) {
        try {
            for (Path root : roots) {
                if (Files.isDirectory(root) && Files.isWritable(root)) {
                    sweep(root);
                    if (free(root) >= LEAST) {
                        return new Place(root.resolve(PREFIX + UUID.randomUUID()));
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        throw new PydlException("SparkError", "gradient sharing needs " + (LEAST >> 20) + " MiB of room in one of "
                + roots.stream().map(Path::toString).collect(Collectors.joining(", ")) + ". Free some, or enlarge /dev/shm.");
    }

    Path buffers() {
        return directory.resolve("aeron");
    }

    long free() {
        try {
            return free(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Equal for places that share their room, and for few others. */
    String name(String host) {
        return host + ":" + directory.getParent();
    }

    /** Takes what dead ones left along. */
    @Override
    public void close() {
        try (lock) {
            delete(directory);
            Files.deleteIfExists(lockFile);
            sweep(directory.getParent());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long free(Path path) throws IOException {
        return Files.getFileStore(path).getUsableSpace();
    }

    private static void sweep(Path root) throws IOException {
        try (DirectoryStream<Path> left = Files.newDirectoryStream(root, PREFIX + "*")) {
            for (Path place : left) {
                if (place.toString().endsWith(LOCK)) {
                    if (isForgotten(place)) {
                        Files.deleteIfExists(place);
                    }
                } else if (isFree(lockOf(place))) {
                    delete(place);
                    Files.deleteIfExists(lockOf(place));
                }
            }
        }
    }

    /** A lock alone, long after its owner would have made the directory. */
    private static boolean isForgotten(Path lock) throws IOException {
        Path directory = lock.resolveSibling(lock.getFileName().toString().replace(LOCK, ""));
        try {
            return !Files.exists(directory)
                    && System.currentTimeMillis() - Files.getLastModifiedTime(lock).toMillis() > SETTLED_MILLIS
                    && isFree(lock);
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    private static boolean isFree(Path lock) throws IOException {
        try (FileChannel file = FileChannel.open(lock, StandardOpenOption.WRITE);
                FileLock held = file.tryLock()) {
            return held != null;
        } catch (OverlappingFileLockException | AccessDeniedException e) {
            return false; // this process' own, or another user's
        } catch (NoSuchFileException e) {
            return true;
        }
    }

    /** What somebody else deletes at the same time is gone, too. */
    private static void delete(Path directory) throws IOException {
        List<Path> found;
        try (Stream<Path> files = Files.walk(directory)) {
            found = files.collect(Collectors.toList());
        } catch (NoSuchFileException | UncheckedIOException e) {
            return;
        }
        for (int i = found.size() - 1; i >= 0; i--) {
            Files.deleteIfExists(found.get(i));
        }
    }
}
