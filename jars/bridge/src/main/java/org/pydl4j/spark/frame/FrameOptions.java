package org.pydl4j.spark.frame;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.nd4j.shade.jackson.databind.JsonNode;
import org.pydl4j.Json;

/** What Python says about the columns of a DataFrame. */
final class FrameOptions implements Serializable {
    private static final long serialVersionUID = 1L;

    /** features first, then labels where there are any */
    final List<TensorOptions> tensors = new ArrayList<>();
    /** of each bucket of lengths of sequences, from the shortest: the same tensors, shorter; empty for no buckets */
    final List<List<TensorOptions>> buckets = new ArrayList<>();
    /** rows of a record batch; 0 for as many as suit */
    final int batchSize;
    /** what else the dataset's manifest is to say: a JSON object */
    final String about;

    private FrameOptions(JsonNode json) {
        json.required("tensors").forEach(tensor -> tensors.add(new TensorOptions(tensor)));
        json.path("buckets").forEach(bucket -> {
            List<TensorOptions> shorter = new ArrayList<>();
            bucket.forEach(tensor -> shorter.add(new TensorOptions(tensor)));
            buckets.add(shorter);
        });
        batchSize = json.path("batch_size").asInt(0);
        about = json.has("about") ? json.get("about").toString() : "{}";
    }

    static FrameOptions parse(String json) {
        return new FrameOptions(Json.parse(json));
    }

    /** The columns that are needed, each once. */
    Dataset<Row> select(Dataset<Row> frame) {
        Set<String> names = new LinkedHashSet<>();
        tensors.forEach(tensor -> names.addAll(tensor.needed()));
        // found all at once: Dataset.col looks at every column for each
        return frame.select(names.stream().map(name -> functions.col("`" + name.replace("`", "``") + "`")).toArray(Column[]::new));
    }
}
