package org.pydl4j.checkpoint;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.deeplearning4j.util.ModelSerializer;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.shade.jackson.databind.JsonNode;
import org.pydl4j.Json;
import org.pydl4j.nn.Net;

/** A checkpoint: DL4J's model file with the updater's state and the normalizer, and in it {@value #ABOUT}, which says how far the fit was. */
final class CheckpointFile {
    private static final String ABOUT = "checkpoint.json";
    private static final String NORMALIZER = "normalizer.bin";

    private CheckpointFile() {}

    /** @param normalizer as DL4J's NormalizerSerializer writes it; null for none */
    static void write(Path file, Net network, byte[] normalizer, JsonNode about) throws IOException {
        ModelSerializer.writeModel(network.model(), file.toFile(), true);
        try (FileSystem zip = FileSystems.newFileSystem(file, (ClassLoader) null)) {
            if (normalizer != null) { // ModelSerializer cannot write one into an open file
                Files.write(zip.getPath(NORMALIZER), normalizer);
            }
            Files.writeString(zip.getPath(ABOUT), about.toString());
        }
    }

    /** Reads all of it. @throws IOException for a file that is cut off, or has other bytes than were written */
    static void check(Path file) throws IOException {
        try (ZipFile zip = new ZipFile(file.toFile())) {
            for (ZipEntry entry : Collections.list(zip.entries())) {
                try (CheckedInputStream in = new CheckedInputStream(zip.getInputStream(entry), new CRC32())) {
                    in.transferTo(OutputStream.nullOutputStream());
                    if (in.getChecksum().getValue() != entry.getCrc()) {
                        throw new IOException(entry.getName() + " is damaged");
                    }
                }
            }
            bytes(zip, ABOUT);
        }
    }

    static JsonNode about(Path file) throws IOException {
        try (ZipFile zip = new ZipFile(file.toFile())) {
            return json(zip, ABOUT);
        }
    }

    static JsonNode configuration(Path file) throws IOException {
        try (ZipFile zip = new ZipFile(file.toFile())) {
            return json(zip, ModelSerializer.CONFIGURATION_JSON);
        }
    }

    /** Puts parameters, updater's state and counters into a network of the same configuration. */
    static void restore(Path file, Net network) throws IOException {
        try (ZipFile zip = new ZipFile(file.toFile())) {
            JsonNode conf = json(zip, ModelSerializer.CONFIGURATION_JSON);
            copy(zip, ModelSerializer.COEFFICIENTS_BIN, network.params());
            INDArray updater = network.updaterState();
            if (updater != null) {
                copy(zip, ModelSerializer.UPDATER_BIN, updater);
            }
            network.setCounters(conf.required("iterationCount").asInt(), conf.required("epochCount").asInt());
        }
    }

    private static void copy(ZipFile zip, String name, INDArray target) throws IOException {
        try (DataInputStream in = new DataInputStream(open(zip, name)); INDArray source = Nd4j.read(in)) {
            target.assign(source);
        }
    }

    private static JsonNode json(ZipFile zip, String name) throws IOException {
        return Json.parse(new String(bytes(zip, name), StandardCharsets.UTF_8));
    }

    private static byte[] bytes(ZipFile zip, String name) throws IOException {
        try (InputStream in = open(zip, name)) {
            return in.readAllBytes();
        }
    }

    private static InputStream open(ZipFile zip, String name) throws IOException {
        ZipEntry entry = zip.getEntry(name);
        if (entry == null) {
            throw new IOException("it has no " + name);
        }
        return zip.getInputStream(entry);
    }
}
