package org.pydl4j.spark.frame;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.nd4j.shade.jackson.databind.JsonNode;
import org.pydl4j.Json;

/** A column that an output of the network, or a score, is appended as. */
final class Appended implements Serializable {
    private static final long serialVersionUID = 1L;

    final String name;
    final int output;
    /** whether it is the index of the largest number */
    final boolean classes;
    /** whether it is a single number */
    final boolean score;

    /** whether there is one for each time step, as many as the row's sequence has */
    final boolean steps;
    /** of outputs for each time step: whether time is their last axis */
    final boolean timeLast;

    private Appended(JsonNode json) {
        steps = json.path("steps").asBoolean(false);
        timeLast = json.path("time_last").asBoolean(true);
        name = json.required("column").asText();
        output = json.required("output").asInt();
        classes = json.required("classes").asBoolean();
        score = json.required("score").asBoolean();
    }

    /** @param number what the network's own numbers are */
    DataType type(DataType number) {
        if (score) {
            return DataTypes.DoubleType;
        }
        DataType one = classes ? DataTypes.IntegerType : DataTypes.createArrayType(number, false);
        return steps ? DataTypes.createArrayType(one, false) : one;
    }

    static List<Appended> parse(String json) {
        List<Appended> columns = new ArrayList<>();
        Json.parse(json).forEach(column -> columns.add(new Appended(column)));
        return columns;
    }
}
