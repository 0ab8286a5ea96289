package org.pydl4j.spark.shared;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/** This JVM's node of each epoch that runs: one, however many workers the JVM has. It is closed when the last has left it. */
final class Nodes {
    private static final Map<Epoch, Entry> OPEN = new HashMap<>();

    private Nodes() {}

    private static final class Entry {
        final Node node;
        int users;

        Entry(Node node) {
            this.node = node;
        }
    }

    static synchronized Node enter(Epoch epoch, Supplier<Node> make) {
        Entry entry = OPEN.get(epoch);
        if (entry == null) {
            entry = new Entry(make.get());
            OPEN.put(epoch, entry);
        }
        entry.users++;
        return entry.node;
    }

    static synchronized void leave(Epoch epoch) {
        Entry entry = OPEN.get(epoch);
        if (--entry.users == 0) {
            OPEN.remove(epoch);
            entry.node.close();
        }
    }
}
