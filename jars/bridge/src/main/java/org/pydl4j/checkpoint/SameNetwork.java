package org.pydl4j.checkpoint;

import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.nd4j.shade.jackson.databind.JsonNode;

/** Whether two configurations are one but for how far their networks are trained. */
final class SameNetwork {
    private static final Set<String> COUNTERS = Set.of("iterationCount", "epochCount");

    private SameNetwork() {}

    /** Where they differ first, as in {@code confs[0].layer.nout}; null where they do not. */
    static String difference(JsonNode one, JsonNode other) {
        return difference(one, other, "");
    }

    private static String difference(JsonNode one, JsonNode other, String path) {
        if (one == null || other == null || one.getNodeType() != other.getNodeType()) {
            return Objects.equals(one, other) ? null : path;
        }
        if (one.isArray()) {
            return elements(one, other, path);
        }
        return one.isObject() ? fields(one, other, path) : one.equals(other) ? null : path;
    }

    private static String elements(JsonNode one, JsonNode other, String path) {
        for (int i = 0; i < Math.max(one.size(), other.size()); i++) {
            String found = difference(one.get(i), other.get(i), path + "[" + i + "]");
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private static String fields(JsonNode one, JsonNode other, String path) {
        Set<String> names = new TreeSet<>();
        one.fieldNames().forEachRemaining(names::add);
        other.fieldNames().forEachRemaining(names::add);
        names.removeAll(COUNTERS);
        for (String name : names) {
            String found = difference(one.get(name), other.get(name), path.isEmpty() ? name : path + "." + name);
            if (found != null) {
                return found;
            }
        }
        return null;
    }
}
