package org.pydl4j.checkpoint;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.pydl4j.PydlException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checkpoints in a folder: {@code epoch-00003.zip} after three epochs, {@code epoch-00003-minibatch-000040.zip} within the fourth. */
final class Shelf {
    private static final Logger LOG = LoggerFactory.getLogger(Shelf.class);
    private static final Pattern NAME = Pattern.compile("epoch-(\\d+)(?:-minibatch-(\\d+))?\\.zip");

    private final Folder folder;
    private final int keepLast;

    /** Something that is done with a file of this machine. */
    @FunctionalInterface
    interface Reading<T> {
        T of(Path file) throws IOException;
    }

    /** What writes a file of this machine. */
    @FunctionalInterface
    interface Writing {
        void to(Path file) throws IOException;
    }

    Shelf(Folder folder, int keepLast) {
        this.folder = folder;
        this.keepLast = keepLast;
    }

    static String name(Position position) {
        return String.format("epoch-%05d", position.epochs)
                + (position.minibatches == 0 ? "" : String.format("-minibatch-%06d", position.minibatches)) + ".zip";
    }

    URI uri() {
        return folder.uri();
    }

    URI uri(String name) {
        return folder.uri(name);
    }

    List<String> newestFirst() {
        List<String> names = new ArrayList<>();
        try {
            names.addAll(folder.list());
        } catch (IOException | RuntimeException e) { // Hadoop throws both
            throw new PydlException("CheckpointError", folder.uri() + " cannot be read: " + e, "checkpoint", e);
        }
        names.removeIf(name -> !NAME.matcher(name).matches());
        names.sort(Comparator.comparing(Shelf::order).reversed());
        return names;
    }

    private static Long order(String name) {
        Matcher parts = NAME.matcher(name);
        if (!parts.matches()) {
            throw new IllegalArgumentException(name);
        }
        return (Long.parseLong(parts.group(1)) << 32) + (parts.group(2) == null ? 0 : Long.parseLong(parts.group(2)));
    }

    <T> T read(String name, Reading<T> reading) throws IOException {
        Path scratch = folder.scratch();
        try {
            return reading.of(folder.local(name, scratch));
        } finally {
            Scratch.delete(scratch);
        }
    }

    void requireWritable() {
        try {
            Scratch.delete(folder.scratch());
        } catch (IOException | RuntimeException e) {
            throw new PydlException("CheckpointError", folder.uri() + " cannot be written to: " + e, "checkpoint", e);
        }
    }

    void write(String name, Writing writing) throws IOException {
        Path scratch = folder.scratch();
        try {
            Path file = scratch.resolve(name);
            writing.to(file);
            folder.publish(file);
        } finally {
            Scratch.delete(scratch);
        }
    }

    /** One that cannot be deleted is no reason to stop training. */
    void prune() {
        try {
            List<String> names = newestFirst();
            for (String name : names.subList(Math.min(keepLast, names.size()), names.size())) {
                folder.delete(name);
            }
        } catch (IOException | PydlException e) {
            LOG.warn("pydl4j could not delete old checkpoints in {}", folder.uri(), e);
        }
    }
}
