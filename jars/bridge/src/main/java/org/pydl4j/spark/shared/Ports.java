package org.pydl4j.spark.shared;

import java.io.Serializable;

/** The UDP ports that a node may take: the first that is free, or, from 0, one that the operating system chooses. */
final class Ports implements Serializable {
    private static final long serialVersionUID = 1L;

    final int first;
    final int last;

    Ports(int first, int last) {
        this.first = first;
        this.last = last;
    }

    static Ports any() {
        return new Ports(0, 0);
    }

    @Override
    public String toString() {
        return first == last ? String.valueOf(first) : first + " to " + last;
    }
}
