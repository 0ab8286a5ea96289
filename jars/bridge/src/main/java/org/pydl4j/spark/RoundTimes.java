package org.pydl4j.spark;

import java.util.ArrayList;
import java.util.List;
import org.nd4j.shade.jackson.databind.node.ArrayNode;
import org.nd4j.shade.jackson.databind.node.ObjectNode;
import org.pydl4j.Json;

/** Where the time of a round went, by the driver's clock, and what its workers say of theirs. */
public final class RoundTimes {
    private final double began = WorkerTimes.now();
    public double broadcast;
    /** from the broadcast's end until the last result was there */
    public double wait;
    public double average;
    public long bytes;
    public final List<WorkerTimes> workers = new ArrayList<>();

    ObjectNode toJson() {
        ObjectNode json = Json.object()
                .put("began", began)
                .put("broadcast", broadcast)
                .put("wait", wait)
                .put("average", average)
                .put("bytes", bytes);
        ArrayNode each = json.putArray("workers");
        workers.forEach(times -> each.add(times.toJson()));
        return json;
    }
}
