package org.pydl4j.spark.data;

import java.util.ArrayList;
import java.util.List;
import org.nd4j.shade.jackson.databind.JsonNode;
import org.nd4j.shade.jackson.databind.node.ArrayNode;
import org.nd4j.shade.jackson.databind.node.ObjectNode;
import org.pydl4j.Json;
import org.pydl4j.PydlException;

/**
 * What a dataset consists of, as written to {@value #FILE} beside its files:
 * {@code {"version": 1, "parts": [{"file": "part-0.arrow", "rows": 8000, "bytes": ..., "crc32": ...}, ...]}} and what else there is to say of
 * it. Rows are numbered through the parts in their order.
 */
public final class Manifest {
    public static final String FILE = "dataset.json";
    static final int VERSION = 1;

    private final ObjectNode json;
    private final List<FilePart> parts = new ArrayList<>();

    private Manifest(ObjectNode json) {
        this.json = json;
    }

    /** @param about all but the parts, a JSON object */
    public static Manifest of(JsonNode about) {
        ObjectNode json = Json.object().put("version", VERSION);
        json.setAll((ObjectNode) about);
        return new Manifest(json);
    }

    public void add(FilePart part) {
        parts.add(part);
    }

    public List<FilePart> parts() {
        return parts;
    }

    /** What distinguishes this dataset from one that was at the same place before; null for one that nobody writes anew. */
    String id() {
        return json.path("id").asText(null);
    }

    public long rows() {
        return parts.stream().mapToLong(part -> part.rows).sum();
    }

    public String toJson() {
        ArrayNode list = Json.array();
        parts.forEach(part -> list.add(part.toJson()));
        json.set("parts", list);
        return json.toString();
    }

    /** @param file for the messages */
    public static Manifest parse(String text, String file) {
        try {
            JsonNode json = Json.parse(text);
            int version = json.required("version").asInt();
            if (version != VERSION) {
                throw new PydlException("DataError",
                        file + " is of version " + version + "; expected " + VERSION + ": save the dataset again with this pydl4j");
            }
            Manifest manifest = new Manifest((ObjectNode) json);
            json.required("parts").forEach(part -> manifest.add(FilePart.of(part)));
            return manifest;
        } catch (IllegalArgumentException | ClassCastException e) {
            throw new PydlException("DataError", file + " is not the description of a dataset: " + e.getMessage(), null, e);
        }
    }
}
