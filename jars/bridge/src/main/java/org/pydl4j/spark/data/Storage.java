package org.pydl4j.spark.data;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.spark.SparkEnv;
import org.apache.spark.deploy.SparkHadoopUtil;

/** Files that the driver and the executors both see, by URI: {@code file:} through the operating system, all else through Hadoop. */
public final class Storage {
    private Storage() {}

    public static boolean isLocal(URI uri) {
        return uri.getScheme() == null || "file".equals(uri.getScheme());
    }

    public static URI child(URI directory, String name) {
        String base = directory.toString();
        return URI.create((base.endsWith("/") ? base : base + "/") + name);
    }

    static Path path(URI uri) {
        return Path.of(uri.getPath());
    }

    /** With the session's {@code spark.hadoop.*} settings, on the driver and on executors. */
    public static FileSystem fileSystem(URI uri) throws IOException {
        SparkEnv env = SparkEnv.get();
        Configuration conf = env == null ? new Configuration() : SparkHadoopUtil.get().newConfiguration(env.conf());
        return FileSystem.get(uri, conf);
    }

    public static InputStream read(URI uri) throws IOException {
        return isLocal(uri) ? Files.newInputStream(path(uri)) : fileSystem(uri).open(new org.apache.hadoop.fs.Path(uri));
    }

    static OutputStream write(URI uri) throws IOException {
        return isLocal(uri) ? Files.newOutputStream(path(uri)) : fileSystem(uri).create(new org.apache.hadoop.fs.Path(uri));
    }

    /** Takes memory off the heap as it is, where a stream would have it copied in small pieces. */
    static WritableByteChannel channel(URI uri) throws IOException {
        return isLocal(uri)
                ? FileChannel.open(path(uri), StandardOpenOption.WRITE, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING)
                : Channels.newChannel(write(uri));
    }

    /** The last part of a path. */
    public static String name(URI uri) {
        String path = uri.getPath();
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /** Names of a directory's files; null where there is no such directory. */
    public static Set<String> list(URI directory) throws IOException {
        Set<String> names = new TreeSet<>();
        if (isLocal(directory)) {
            try (Stream<Path> files = Files.list(path(directory))) {
                files.forEach(file -> names.add(file.getFileName().toString()));
            } catch (NoSuchFileException e) {
                return null;
            }
            return names;
        }
        try {
            for (FileStatus status : fileSystem(directory).listStatus(new org.apache.hadoop.fs.Path(directory))) {
                names.add(status.getPath().getName());
            }
        } catch (FileNotFoundException e) {
            return null;
        }
        return names;
    }

    /** Bytes of a file; -1 where there is none. */
    public static long length(URI uri) throws IOException {
        try {
            return isLocal(uri)
                    ? Files.size(path(uri))
                    : fileSystem(uri).getFileStatus(new org.apache.hadoop.fs.Path(uri)).getLen();
        } catch (FileNotFoundException | NoSuchFileException e) {
            return -1;
        }
    }

    public static void delete(URI file) throws IOException {
        if (isLocal(file)) {
            Files.delete(path(file));
        } else if (!fileSystem(file).delete(new org.apache.hadoop.fs.Path(file), true)) {
            throw new IOException("could not delete " + file);
        }
    }

    /** Moves a directory to where none is. */
    public static void rename(URI from, URI to) throws IOException {
        if (isLocal(from)) {
            Files.move(path(from), path(to), StandardCopyOption.ATOMIC_MOVE);
        } else if (!fileSystem(from).rename(new org.apache.hadoop.fs.Path(from), new org.apache.hadoop.fs.Path(to))) {
            throw new IOException("could not rename " + from + " to " + to);
        }
    }

    public static String readText(URI uri) throws IOException {
        try (InputStream in = read(uri)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    public static void writeText(URI uri, String text) throws IOException {
        try (OutputStream out = write(uri)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** The file itself where it is local, else a copy of it in this machine's temporary directory, for {@link #discard}. */
    static Path localCopy(URI uri) throws IOException {
        if (isLocal(uri)) {
            return path(uri);
        }
        Path copy = Files.createTempFile("pydl4j-", ".arrow");
        copy.toFile().deleteOnExit(); // for a JVM that ends before it is discarded
        try (InputStream in = read(uri); OutputStream out = Files.newOutputStream(copy)) {
            in.transferTo(out);
        } catch (IOException | RuntimeException e) {
            Files.delete(copy);
            throw e;
        }
        return copy;
    }

    /** Deletes a {@link #localCopy} that is one; what maps it keeps what it maps. */
    static void discard(URI uri, Path local) throws IOException {
        if (!isLocal(uri)) {
            Files.delete(local);
        }
    }
}
