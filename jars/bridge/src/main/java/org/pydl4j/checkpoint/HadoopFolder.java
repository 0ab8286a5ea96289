package org.pydl4j.checkpoint;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.pydl4j.spark.data.Storage;

/** A directory of a Hadoop file system. Object stores rename by copying, but show no file before it is complete. */
final class HadoopFolder implements Folder {
    private static final String PARTIAL = ".writing-";

    private final URI uri;

    HadoopFolder(URI uri) {
        this.uri = uri;
    }

    @Override
    public URI uri() {
        return uri;
    }

    @Override
    public List<String> list() throws IOException {
        List<String> names = new ArrayList<>();
        try {
            for (FileStatus file : files().listStatus(new Path(uri))) {
                names.add(file.getPath().getName());
            }
        } catch (FileNotFoundException e) {
            return List.of(); // it is made with the first file
        }
        return names;
    }

    @Override
    public java.nio.file.Path scratch() throws IOException {
        for (String name : list()) {
            if (name.startsWith(PARTIAL)) {
                delete(name);
            }
        }
        return Files.createTempDirectory("pydl4j-checkpoint-");
    }

    @Override
    public void publish(java.nio.file.Path file) throws IOException {
        String name = file.getFileName().toString();
        Path partial = path(PARTIAL + name);
        try {
            try (FSDataOutputStream out = files().create(partial, true)) {
                Files.copy(file, out);
                if (out.hasCapability("hsync")) {
                    out.hsync();
                }
            }
            delete(name); // a damaged one
            if (!files().rename(partial, path(name))) {
                throw new IOException(partial + " could not be renamed to " + name);
            }
        } finally {
            files().delete(partial, false);
        }
    }

    @Override
    public java.nio.file.Path local(String name, java.nio.file.Path scratch) throws IOException {
        java.nio.file.Path copy = scratch.resolve(name);
        try (InputStream in = files().open(path(name))) {
            Files.copy(in, copy);
        }
        return copy;
    }

    @Override
    public void delete(String name) throws IOException {
        files().delete(path(name), false);
    }

    private FileSystem files() throws IOException {
        return Storage.fileSystem(uri);
    }

    private Path path(String name) {
        return new Path(uri(name));
    }
}
