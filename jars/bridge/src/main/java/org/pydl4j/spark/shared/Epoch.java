package org.pydl4j.spark.shared;

import java.util.UUID;

/** Which epoch of which fit a message belongs to; anything else is refused. */
final class Epoch {
    final UUID fit;
    final int number;

    Epoch(UUID fit, int number) {
        this.fit = fit;
        this.number = number;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Epoch && ((Epoch) other).fit.equals(fit) && ((Epoch) other).number == number;
    }

    @Override
    public int hashCode() {
        return 31 * fit.hashCode() + number;
    }

    @Override
    public String toString() {
        return fit + "/" + number;
    }
}
