package org.pydl4j.spark.frame;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.nd4j.shade.jackson.databind.JsonNode;
import org.pydl4j.Json;

/** A column that an output of the network is appended as. */
final class Appended implements Serializable {
    private static final long serialVersionUID = 1L;

    final String name;
    final int output;
    /** whether it is the index of the largest number */
    final boolean classes;

    private Appended(JsonNode json) {
        name = json.required("column").asText();
        output = json.required("output").asInt();
        classes = json.required("classes").asBoolean();
    }

    static List<Appended> parse(String json) {
        List<Appended> columns = new ArrayList<>();
        Json.parse(json).forEach(column -> columns.add(new Appended(column)));
        return columns;
    }
}
