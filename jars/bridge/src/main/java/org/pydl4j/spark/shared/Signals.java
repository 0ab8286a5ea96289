package org.pydl4j.spark.shared;

import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.nd4j.shade.jackson.databind.JsonNode;
import org.pydl4j.Json;

/** What the driver has told a worker. */
final class Signals implements Consumer<Message> {
    private volatile JsonNode roster;
    private volatile boolean go;
    private volatile boolean drained;

    @Override
    public void accept(Message message) {
        if (message.kind == Kind.ROSTER) {
            roster = Json.parse(new String(message.body, StandardCharsets.UTF_8));
        } else if (message.kind == Kind.GO) {
            go = true;
        } else if (message.kind == Kind.DRAINED) {
            drained = true;
        }
    }

    /** {@code {nodes, term}}, or null. */
    JsonNode roster() {
        return roster;
    }

    boolean go() {
        return go;
    }

    boolean drained() {
        return drained;
    }
}
