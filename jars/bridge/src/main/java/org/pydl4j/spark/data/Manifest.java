package org.pydl4j.spark.data;

import java.util.ArrayList;
import java.util.List;
import org.nd4j.shade.jackson.databind.JsonNode;
import org.nd4j.shade.jackson.databind.node.ArrayNode;
import org.nd4j.shade.jackson.databind.node.ObjectNode;
import org.pydl4j.Json;

/**
 * What a dataset consists of, as written to {@value #FILE} beside its files:
 * {@code {"parts": [{"file": "part-0.arrow", "rows": 8000}, ...]}}. Rows are numbered through the parts in their order.
 */
public final class Manifest {
    public static final String FILE = "dataset.json";

    final List<String> files = new ArrayList<>();
    final List<Long> rows = new ArrayList<>();

    public void add(String file, long count) {
        files.add(file);
        rows.add(count);
    }

    public long rows() {
        return rows.stream().mapToLong(Long::longValue).sum();
    }

    public String toJson() {
        ArrayNode parts = Json.array();
        for (int i = 0; i < files.size(); i++) {
            parts.addObject().put("file", files.get(i)).put("rows", rows.get(i));
        }
        ObjectNode json = Json.object();
        json.set("parts", parts);
        return json.toString();
    }

    static Manifest parse(String json) {
        Manifest manifest = new Manifest();
        for (JsonNode part : Json.parse(json).required("parts")) {
            manifest.add(part.required("file").asText(), part.required("rows").asLong());
        }
        return manifest;
    }
}
