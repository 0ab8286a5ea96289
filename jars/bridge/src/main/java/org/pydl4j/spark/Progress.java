package org.pydl4j.spark;

/** Told on the driver of what was trained in an epoch so far. */
@FunctionalInterface
public interface Progress {
    /** May throw to stop training. */
    void trained(Tally tally);
}
