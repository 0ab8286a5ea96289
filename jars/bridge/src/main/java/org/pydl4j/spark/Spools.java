package org.pydl4j.spark;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.spark.SparkExecutorInfo;
import org.apache.spark.sql.SparkSession;
import org.nd4j.shade.jackson.databind.node.ObjectNode;
import org.pydl4j.Json;
import org.pydl4j.PydlException;
import org.pydl4j.job.Job;
import org.pydl4j.job.Jobs;
import org.pydl4j.spark.data.ArrowDataset;
import org.pydl4j.spark.data.Manifest;
import org.pydl4j.spark.data.Storage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Directories for datasets on their way, on storage that the driver and all executors see. They are deleted when done, or with the JVM. */
public final class Spools {
    private static final Logger LOG = LoggerFactory.getLogger(Spools.class);
    private static final Set<URI> OPEN = ConcurrentHashMap.newKeySet();
    private static final Set<URI> PRIVATE = ConcurrentHashMap.newKeySet();
    private static final String WITHOUT = "blocks:";
    private static final int ATTEMPTS = 5;
    private static final long PAUSE_NANOS = 100_000_000;

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(Spools::deleteAll, "pydl4j-spools"));
    }

    private Spools() {}

    /**
     * Makes a directory and returns its URI.
     *
     * @param under where to make it; null for this machine's temporary directory where all executors are on this machine, else the
     *     default file system. Where that is local, or this is {@value #WITHOUT}, the directory is the driver's own, and executors keep data
     *     themselves.
     */
    public static String create(SparkSession session, String under) throws IOException {
        Sessions.requireRunning(session);
        String parent = under == null ? parent(session) : under;
        if (parent == null || WITHOUT.equals(under)) {
            String directory = make(Storage.child(here(), "pydl4j-" + UUID.randomUUID()));
            PRIVATE.add(URI.create(directory));
            return directory;
        }
        try {
            return make(Storage.child(new URI(parent), "pydl4j-" + UUID.randomUUID()));
        } catch (IOException | UnsupportedOperationException e) {
            throw new PydlException("DataError", "export_directory: " + parent + " cannot be written to: " + e, null, e);
        } catch (URISyntaxException | IllegalArgumentException e) {
            throw new PydlException("DataError", "export_directory: expected a path, or a URI like hdfs:///tmp or file:///tmp. Received: "
                    + parent + " (" + e.getMessage() + ")", null, e);
        }
    }

    /** Makes a directory that is deleted with the JVM unless that was done before; its URI. */
    static String make(URI directory) throws IOException {
        if (directory.isOpaque()) {
            throw new IllegalArgumentException("no / after " + directory.getScheme() + ":");
        }
        if (Storage.isLocal(directory)) {
            Files.createDirectories(Path.of(directory.getPath()));
        } else {
            Storage.fileSystem(directory).mkdirs(new org.apache.hadoop.fs.Path(directory));
        }
        OPEN.add(directory);
        return directory.toString();
    }

    /** Of a directory that is no longer where it was. */
    static void forget(URI directory) {
        OPEN.remove(directory);
    }

    private static String parent(SparkSession session) throws IOException {
        if (isOneMachine(session)) {
            return here().toString();
        }
        URI shared = FileSystem.getDefaultUri(session.sparkContext().hadoopConfiguration());
        return Storage.isLocal(shared) ? null : Storage.child(shared, "tmp").toString();
    }

    private static URI here() {
        return URI.create(Path.of(System.getProperty("java.io.tmpdir")).toUri().toString().replace("file:///", "file:/"));
    }

    /** Whether executors see it. */
    public static boolean isShared(String spool) {
        return !PRIVATE.contains(URI.create(spool));
    }

    /** Starts handing a dataset that was written into a spool to executors that do not see it. */
    public static Job publish(SparkSession session, String spool) {
        return Jobs.start(new SparkJob(session, "pydl4j: arrays to executors") {
            @Override
            protected ObjectNode sparkWork() throws IOException {
                BlockStore.publish(sc, URI.create(spool));
                return Json.object();
            }
        });
    }

    private static boolean isOneMachine(SparkSession session) {
        String master = session.sparkContext().master();
        if (master.startsWith("local")) {
            return true;
        }
        String driver = session.sparkContext().getConf().get("spark.driver.host");
        SparkExecutorInfo[] executors = session.sparkContext().statusTracker().getExecutorInfos();
        return executors.length > 1 && Stream.of(executors).allMatch(e -> e.host().equals(driver));
    }

    /** The local directory for a spool: itself where it is local, else null. */
    public static String localPath(String spool) {
        URI uri = URI.create(spool);
        return Storage.isLocal(uri) ? uri.getPath() : null;
    }

    /** Copies the files of a local directory into a spool. */
    public static void upload(String from, String spool) throws IOException {
        URI uri = URI.create(spool);
        FileSystem files = Storage.fileSystem(uri);
        try (Stream<Path> list = Files.list(Path.of(from))) {
            for (Path file : (Iterable<Path>) list::iterator) {
                URI to = Storage.child(uri, file.getFileName().toString());
                files.copyFromLocalFile(new org.apache.hadoop.fs.Path(file.toUri()), new org.apache.hadoop.fs.Path(to));
            }
        }
    }

    /** Copies the files of a dataset in a spool into a local directory. */
    public static void download(String spool, String to) throws IOException {
        URI uri = URI.create(spool);
        FileSystem files = Storage.fileSystem(uri);
        for (var status : files.listStatus(new org.apache.hadoop.fs.Path(uri))) {
            try (InputStream in = files.open(status.getPath())) {
                Files.copy(in, Path.of(to, status.getPath().getName()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    /** Deletes a spool. Where that fails, a warning says so, and it is tried again at the end of the JVM: what was computed is not lost. */
    public static void delete(String spool) {
        URI uri = URI.create(spool);
        URI manifest = Storage.child(uri, Manifest.FILE);
        ArrowDataset.release(manifest);
        BlockStore.release(manifest);
        PRIVATE.remove(uri);
        try {
            deletePatiently(uri);
        } catch (IOException | DirectoryIteratorException e) {
            LOG.warn("pydl4j could not delete {}", uri, e);
        }
    }

    /** A task that was cancelled may write a last file while the directory is being deleted. */
    private static void deletePatiently(URI uri) throws IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                deleteTree(uri);
                OPEN.remove(uri);
                return;
            } catch (IOException | DirectoryIteratorException e) {
                if (attempt == ATTEMPTS) {
                    throw e;
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    private static void deleteTree(URI uri) throws IOException {
        if (Storage.isLocal(uri)) {
            deleteTree(Path.of(uri.getPath()));
        } else {
            Storage.fileSystem(uri).delete(new org.apache.hadoop.fs.Path(uri), true);
        }
    }

    private static void deleteTree(Path path) throws IOException {
        if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            try (DirectoryStream<Path> children = Files.newDirectoryStream(path)) {
                for (Path child : children) {
                    deleteTree(child);
                }
            }
        }
        Files.deleteIfExists(path);
    }

    private static void deleteAll() {
        for (URI spool : OPEN) {
            try {
                deletePatiently(spool);
            } catch (IOException | DirectoryIteratorException e) {
                System.err.println("pydl4j could not delete " + spool + ": " + e); // there may be no logging any more
            }
        }
    }
}
