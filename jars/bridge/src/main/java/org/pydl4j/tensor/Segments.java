package org.pydl4j.tensor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.Pointer;

/** Files of shared memory that Python made, each mapped once. Python stages arrays in them, piece by piece, so they stay small. */
final class Segments {
    private static final Map<String, MappedByteBuffer> MAPPED = new ConcurrentHashMap<>();

    private Segments() {}

    static Pointer pointer(String path, long length) {
        MappedByteBuffer buffer = MAPPED.computeIfAbsent(path, Segments::map);
        if (length > buffer.capacity()) {
            throw new IndexOutOfBoundsException(length + " bytes of the " + buffer.capacity() + " of " + path);
        }
        return new BytePointer(buffer);
    }

    private static MappedByteBuffer map(String path) {
        try (FileChannel file = FileChannel.open(Path.of(path), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return file.map(FileChannel.MapMode.READ_WRITE, 0, file.size());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot map the shared memory " + path, e);
        }
    }
}
