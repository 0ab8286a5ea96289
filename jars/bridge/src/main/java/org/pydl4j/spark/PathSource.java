package org.pydl4j.spark;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import org.nd4j.common.loader.Source;
import org.pydl4j.spark.data.Storage;

/** What a DL4J loader is given: a path, opened when it asks for the stream. */
final class PathSource implements Source {
    private final String path;

    PathSource(String path) {
        this.path = path;
    }

    @Override
    public InputStream getInputStream() throws IOException {
        return Storage.read(URI.create(path));
    }

    @Override
    public String getPath() {
        return path;
    }
}
