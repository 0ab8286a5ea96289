package org.pydl4j.spark;

import java.util.AbstractList;
import java.util.List;

/**
 * Minibatches dealt into rounds of {@code workers * frequency}. The last round has what is left, spread evenly; what was dealt in all is
 * what was handed in.
 */
final class Rounds extends AbstractList<List<String>> {
    private final List<String> minibatches;
    private final int workers;
    private final int size;

    Rounds(List<String> minibatches, int workers, int frequency) {
        this.minibatches = minibatches;
        this.workers = workers;
        this.size = (int) Math.max(1, Math.min((long) workers * frequency, minibatches.size()));
    }

    @Override
    public List<String> get(int round) {
        int from = round * size;
        return minibatches.subList(from, from + Math.min(size, minibatches.size() - from));
    }

    @Override
    public int size() {
        return minibatches.size() / size + (minibatches.size() % size == 0 ? 0 : 1);
    }

    /** In how many partitions Spark is to cut a round: {@code parallelize} makes them differ by one minibatch at most. */
    int partitions(List<String> round) {
        return Math.min(workers, round.size());
    }
}
