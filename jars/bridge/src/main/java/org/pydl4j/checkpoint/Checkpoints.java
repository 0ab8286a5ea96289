package org.pydl4j.checkpoint;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import org.nd4j.shade.jackson.databind.JsonNode;
import org.nd4j.shade.jackson.databind.node.ArrayNode;
import org.nd4j.shade.jackson.databind.node.ObjectNode;
import org.pydl4j.Json;
import org.pydl4j.PydlException;
import org.pydl4j.nn.Net;

/** The checkpoints of a fit: one file each, whole or not there at all; the newest are kept. */
public final class Checkpoints {
    private static final int FORMAT = 1;

    private final Shelf shelf; // null for no checkpoints
    private final int everyEpochs;
    private final long everyNanos;
    private final byte[] normalizer;
    private final JsonNode exactNormalizer;
    private final String resume;
    private JsonNode fit;
    private long written = System.nanoTime();
    private String last;

    /** @param json {@code {uri, every_epochs, every_minutes, keep_last, normalizer, exact_normalizer, resume}}, or null for no checkpoints */
    public Checkpoints(JsonNode json) {
        if (json.isNull()) {
            shelf = null;
            everyEpochs = 0;
            everyNanos = 0;
            normalizer = null;
            exactNormalizer = null;
            resume = null;
            return;
        }
        shelf = shelf(json.required("uri").asText(), json.required("keep_last").asInt());
        everyEpochs = json.required("every_epochs").asInt();
        everyNanos = (long) (json.required("every_minutes").asDouble() * TimeUnit.MINUTES.toNanos(1));
        normalizer = json.hasNonNull("normalizer") ? Base64.getDecoder().decode(json.get("normalizer").asText()) : null;
        exactNormalizer = json.required("exact_normalizer");
        resume = json.path("resume").asText(null);
    }

    /**
     * The newest whole checkpoint as JSON: {@code {name, epochs, minibatches, normalizer, damaged}}, with what was passed over as damaged;
     * without a {@code name} where there is none.
     */
    public static String newest(String uri) {
        Shelf shelf = shelf(uri, Integer.MAX_VALUE);
        ObjectNode found = Json.object();
        ArrayNode damaged = found.putArray("damaged");
        for (String name : shelf.newestFirst()) {
            try {
                shelf.read(name, file -> describe(file, name, found));
                return found.toString();
            } catch (IOException e) {
                damaged.add(name + ": " + e.getMessage());
            }
        }
        return found.toString();
    }

    private static Shelf shelf(String uri, int keepLast) {
        try {
            return new Shelf(Folder.of(new URI(uri)), keepLast);
        } catch (URISyntaxException e) {
            throw new PydlException("CheckpointError", "expected a path, or a URI like hdfs:///models/digits. Received: " + uri + " ("
                    + e.getMessage() + ")", "checkpoint", e);
        }
    }

    private static Void describe(Path file, String name, ObjectNode found) throws IOException {
        CheckpointFile.check(file);
        JsonNode about = CheckpointFile.about(file);
        if (about.required("format").asInt() != FORMAT) {
            throw new IOException("it is of another version");
        }
        found.set("normalizer", about.required("normalizer"));
        found.put("name", name).setAll((ObjectNode) about.required("position"));
        return null;
    }

    /**
     * Before training: puts the network where the checkpoint left it that the fit goes on from.
     *
     * @param about what has to be the same for a fit that goes on
     */
    public Position start(Net network, ObjectNode about) throws IOException {
        fit = about;
        if (shelf == null) {
            return Position.START;
        }
        if (resume != null) {
            last = shelf.uri(resume).toString();
            return shelf.read(resume, file -> restore(file, network));
        }
        if (!shelf.newestFirst().isEmpty()) {
            throw new PydlException("CheckpointError", shelf.uri() + " has checkpoints of an earlier fit. Expected a directory without "
                    + "any: name another, delete them, or go on from the newest: fit(..., resume=True)", "checkpoint", null);
        }
        shelf.requireWritable();
        return Position.START;
    }

    private Position restore(Path file, Net network) throws IOException {
        String elsewhere = SameNetwork.difference(CheckpointFile.configuration(file), Json.parse(network.configuration()));
        if (elsewhere != null) {
            throw refused("is of another network: its configuration differs at " + elsewhere
                    + ". Expected the same one; pydl4j.MultiLayerNetwork.load reads a checkpoint as a network of its own", null);
        }
        JsonNode about = CheckpointFile.about(file);
        Position position = Position.parse(about.required("position"));
        requireSameFit(about.required("fit"), position);
        CheckpointFile.restore(file, network);
        return position;
    }

    private void requireSameFit(JsonNode before, Position position) {
        for (var names = fit.fieldNames(); names.hasNext(); ) {
            String name = names.next();
            // only half an epoch has to be finished as it was begun
            boolean matters = name.equals("examples") || position.minibatches > 0;
            if (matters && !fit.get(name).asText().equals(before.path(name).asText())) {
                throw refused("is of a fit with " + name + " " + before.path(name).asText() + ". Received: " + fit.get(name).asText(), null);
            }
        }
    }

    private PydlException refused(String why, Exception cause) {
        return new PydlException("CheckpointError", last + " " + why, "checkpoint", cause);
    }

    /** @return the URI of what was written; null where nothing was due */
    public String afterEpoch(Net network, int epochs, boolean isLast) {
        boolean due = isLast || (everyEpochs > 0 && epochs % everyEpochs == 0) || isTime();
        return shelf != null && due ? write(network, Position.afterEpoch(epochs)) : null;
    }

    /** To be called where the network holds exactly what was trained so far; as {@link #afterEpoch}. */
    public String within(Net network, Position position) {
        return shelf != null && isTime() ? write(network, position) : null;
    }

    private boolean isTime() {
        return everyNanos > 0 && System.nanoTime() - written >= everyNanos;
    }

    private String write(Net network, Position position) {
        ObjectNode about = Json.object().put("format", FORMAT).put("written", Instant.now().toString()).put("seed", network.seed())
                .put("iterations", network.iterations());
        about.set("position", position.toJson());
        about.set("fit", fit);
        about.set("normalizer", exactNormalizer);
        String name = Shelf.name(position);
        try {
            shelf.write(name, file -> CheckpointFile.write(file, network, normalizer, about));
        } catch (IOException | RuntimeException e) { // DL4J wraps some
            throw new PydlException("CheckpointError", shelf.uri(name) + " could not be written: " + e + ". Training was stopped; the network is as "
                    + "trained so far." + hint(), "checkpoint", e);
        }
        written = System.nanoTime();
        last = shelf.uri(name).toString();
        shelf.prune();
        return last;
    }

    /** The failure, with the place to go on from. */
    public Exception told(Exception failure) {
        for (Throwable t = failure; t != null && last != null; t = t.getCause()) {
            if (t instanceof PydlException && !((PydlException) t).kind().equals("CheckpointError")) {
                PydlException known = (PydlException) t;
                return new PydlException(known.kind(), known.getMessage() + hint(), known.path(), failure);
            }
        }
        return failure;
    }

    private String hint() {
        return last == null ? " There is no checkpoint yet." : " The last checkpoint is " + last + ": fit(..., resume=True) goes on from it.";
    }
}
