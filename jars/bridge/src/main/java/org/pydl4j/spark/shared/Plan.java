package org.pydl4j.spark.shared;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.pydl4j.PydlException;

/**
 * How long the transport's buffers are: as long as is useful, and short enough for the room that each machine has. Every node comes to the
 * same result.
 */
final class Plan {
    /** buffers of a stream come in threes, and have a page beside them */
    static final int CONTROL_TERM = 64 << 10;

    private static final int SHORTEST = 64 << 10;
    private static final int LONGEST = 2 << 20;
    private static final int PAGE = 4 << 10;

    private Plan() {}

    /** @param nodes all, the driver's included */
    static int term(List<NodeAddress> nodes) {
        Map<String, Long> room = new LinkedHashMap<>();
        for (NodeAddress node : nodes) {
            room.merge(node.place, node.free / 4 * 3, Math::min);
        }
        int term = LONGEST;
        for (Map.Entry<String, Long> place : room.entrySet()) {
            while (need(nodes, place.getKey(), term) > place.getValue()) {
                if (term == SHORTEST) {
                    throw new PydlException("SparkError", "gradient sharing among " + (nodes.size() - 1) + " executors needs "
                            + megabytes(need(nodes, place.getKey(), SHORTEST) / 3 * 4) + " MiB of room in " + place.getKey() + ", where "
                            + megabytes(place.getValue() / 3 * 4) + " MiB are free. Enlarge it (docker run --shm-size, an emptyDir of "
                            + "medium Memory), or use fewer and larger executors.");
                }
                term /= 2;
            }
        }
        return term;
    }

    private static long need(List<NodeAddress> nodes, String place, int term) {
        int executors = nodes.size() - 1;
        long need = 0;
        for (NodeAddress node : nodes) {
            if (node.place.equals(place)) {
                int data = node.isDriver() ? executors : 2 * executors - 1;
                int control = node.isDriver() ? 2 * executors : 2;
                need += data * (3L * term + PAGE) + control * (3L * CONTROL_TERM + PAGE);
            }
        }
        return need;
    }

    private static long megabytes(long bytes) {
        return (bytes + (1 << 20) - 1) >> 20;
    }
}
