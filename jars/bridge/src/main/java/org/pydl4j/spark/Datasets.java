package org.pydl4j.spark;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.NoSuchFileException;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.apache.spark.sql.SparkSession;
import org.pydl4j.PydlException;
import org.pydl4j.spark.data.ArrowDataset;
import org.pydl4j.spark.data.FilePart;
import org.pydl4j.spark.data.Manifest;
import org.pydl4j.spark.data.Storage;

/**
 * Prepared datasets: directories that stay. One is written beside its place and moved there when it is whole, so that what has a manifest is
 * complete.
 */
public final class Datasets {
    private Datasets() {}

    /**
     * Makes a directory to write a dataset into, for {@link #commit} or {@link Spools#delete}; its URI.
     *
     * @param overwrite whether there may be a dataset at the target
     */
    public static String begin(SparkSession session, String target, boolean overwrite) throws IOException {
        Sessions.requireRunning(session);
        URI uri = place(target);
        try {
            requireFree(uri, overwrite);
            URI parent = uri.resolve("."); // a sibling: what is renamed stays on its file system
            return Spools.make(Storage.child(parent, "_temporary-" + UUID.randomUUID()));
        } catch (IOException | UnsupportedOperationException e) {
            throw new PydlException("DataError", "the dataset " + target + " cannot be written: " + e, "uri", e);
        }
    }

    private static URI place(String target) {
        String text = target.endsWith("/") ? target.substring(0, target.length() - 1) : target;
        try {
            URI uri = URI.create(text);
            if (uri.isOpaque() || Storage.name(uri).isEmpty()) {
                throw new IllegalArgumentException("no path");
            }
            return uri;
        } catch (IllegalArgumentException e) {
            throw new PydlException("DataError", "uri: expected a path, or a URI like hdfs:///data/train. Received: " + target + " ("
                    + e.getMessage() + ")", "uri", e);
        }
    }

    private static void requireFree(URI uri, boolean overwrite) throws IOException {
        Set<String> found = Storage.list(uri);
        if (found == null || found.isEmpty()) {
            return;
        }
        if (!found.contains(Manifest.FILE)) {
            throw new PydlException("DataError", uri + " exists and is no dataset; expected a directory that does not exist yet", "uri", null);
        }
        if (!overwrite) {
            throw new PydlException("DataError", "there is a dataset at " + uri + " already; overwrite=True replaces it", "uri", null);
        }
    }

    /** Moves a dataset that was written to its place. Files that its manifest does not name are deleted: tasks that were tried again wrote them. */
    public static void commit(String written, String target, boolean overwrite) throws IOException {
        URI from = URI.create(written);
        URI to = place(target);
        Set<String> named = new HashSet<>(Set.of(Manifest.FILE));
        read(Storage.child(from, Manifest.FILE)).parts().forEach(part -> named.add(part.file));
        for (String file : Storage.list(from)) {
            if (!named.contains(file)) {
                Storage.delete(Storage.child(from, file));
            }
        }
        requireFree(to, overwrite);
        URI old = to.resolve(".").resolve("_temporary-old-" + UUID.randomUUID());
        boolean replaces = Storage.list(to) != null;
        if (replaces) {
            Storage.rename(to, old);
        }
        try {
            Storage.rename(from, to);
        } catch (IOException e) {
            if (replaces) {
                Storage.rename(old, to);
            }
            throw e;
        }
        Spools.forget(from);
        if (replaces) {
            Spools.delete(old.toString());
        }
    }

    /** The manifest of a dataset whose files are there with the lengths that it names, as JSON. */
    public static String describe(SparkSession session, String target) throws IOException {
        Sessions.requireRunning(session);
        URI uri = place(target);
        Manifest manifest = read(Storage.child(uri, Manifest.FILE));
        for (FilePart part : manifest.parts()) {
            ArrowDataset.check(Storage.child(uri, part.file), part);
        }
        return manifest.toJson();
    }

    /** Whether this is a dataset's directory. */
    public static boolean isDataset(SparkSession session, String target) throws IOException {
        Sessions.requireRunning(session);
        return Storage.length(Storage.child(place(target), Manifest.FILE)) >= 0;
    }

    private static Manifest read(URI manifest) throws IOException {
        try {
            return Manifest.parse(Storage.readText(manifest), manifest.toString());
        } catch (FileNotFoundException | NoSuchFileException e) {
            throw new PydlException("DataError", "there is no dataset at " + manifest.resolve(".") + ": it has no " + Manifest.FILE, "uri", e);
        } catch (IOException | UnsupportedOperationException e) {
            throw new PydlException("DataError", manifest + " cannot be read: " + e, "uri", e);
        }
    }
}
