package org.pydl4j.spark;

/** Told on the driver of what was trained in an epoch so far. */
interface Progress {
    /** May throw to stop training; the network stands at this round's average then. */
    void round(Tally tally);
}
