package org.pydl4j.spark.shared;

import java.util.UUID;
import org.nd4j.shade.jackson.databind.JsonNode;
import org.nd4j.shade.jackson.databind.node.ObjectNode;
import org.pydl4j.Json;

/** Where a node is, and how much memory its transport may have there. */
final class NodeAddress {
    final UUID id;
    /** as Spark names it: {@code driver}, or an executor's number */
    final String executor;
    final String host;
    final String ip;
    final int port;
    /** equal for nodes whose transports share one place for their buffers */
    final String place;
    /** bytes free there */
    final long free;

    NodeAddress(UUID id, String executor, String host, String ip, int port, String place, long free) {
        this.id = id;
        this.executor = executor;
        this.host = host;
        this.ip = ip;
        this.port = port;
        this.place = place;
        this.free = free;
    }

    static NodeAddress parse(JsonNode json) {
        return new NodeAddress(
                UUID.fromString(json.required("id").asText()),
                json.required("executor").asText(),
                json.required("host").asText(),
                json.required("ip").asText(),
                json.required("port").asInt(),
                json.required("place").asText(),
                json.required("free").asLong());
    }

    ObjectNode toJson() {
        return Json.object()
                .put("id", id.toString())
                .put("executor", executor)
                .put("host", host)
                .put("ip", ip)
                .put("port", port)
                .put("place", place)
                .put("free", free);
    }

    boolean isDriver() {
        return executor.equals("driver");
    }

    @Override
    public String toString() {
        return (isDriver() ? "the driver" : "executor " + executor) + " on " + host + " (" + ip + ":" + port + ")";
    }
}
