package org.pydl4j.checkpoint;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;

/** A directory of checkpoints, wherever it is. Names are those of its files. */
interface Folder {
    URI uri();

    default URI uri(String name) {
        return URI.create(uri() + "/" + name);
    }

    /** Names of its files; none where there is no such directory. */
    List<String> list() throws IOException;

    /** An empty directory on this machine to prepare files in; what an earlier JVM left in it is gone. */
    Path scratch() throws IOException;

    /** Moves a file from the scratch directory: it is there whole under its own name, or not at all. */
    void publish(Path file) throws IOException;

    /** The file on this machine: itself, or a copy of it in {@code scratch}. */
    Path local(String name, Path scratch) throws IOException;

    void delete(String name) throws IOException;

    static Folder of(URI uri) {
        return uri.getScheme() == null || "file".equals(uri.getScheme()) ? new LocalFolder(uri) : new HadoopFolder(uri);
    }
}
