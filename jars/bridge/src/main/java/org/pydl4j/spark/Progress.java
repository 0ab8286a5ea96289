package org.pydl4j.spark;

/** Told on the driver of what was trained in an epoch so far. */
public interface Progress {
    /** May throw to stop training. */
    void trained(Tally tally);

    /** Told again and again where executors are waited for. May throw to stop that. */
    void waiting();
}
