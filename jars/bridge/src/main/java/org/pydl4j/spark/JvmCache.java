package org.pydl4j.spark;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What this JVM keeps from task to task. An entry goes when it is removed, or when it was not used for ten minutes by the time that
 * another one is made: an executor is not told when a fit has ended.
 */
public final class JvmCache<V> {
    private static final long IDLE_NANOS = TimeUnit.MINUTES.toNanos(10);

    private final Map<String, Entry<V>> entries = new HashMap<>();

    /** Makes an entry. */
    @FunctionalInterface
    public interface Factory<V> {
        V make() throws Exception;
    }

    private static final class Entry<V> {
        final V value;
        long used = System.nanoTime();

        Entry(V value) {
            this.value = value;
        }
    }

    public synchronized V get(String key, Factory<V> factory) throws Exception {
        Entry<V> entry = entries.get(key);
        if (entry == null) {
            long now = System.nanoTime();
            entries.values().removeIf(old -> now - old.used > IDLE_NANOS);
            entry = new Entry<>(factory.make());
            entries.put(key, entry);
        }
        entry.used = System.nanoTime();
        return entry.value;
    }

    /** The value that was there, or null. */
    public synchronized V remove(String key) {
        Entry<V> entry = entries.remove(key);
        return entry == null ? null : entry.value;
    }
}
