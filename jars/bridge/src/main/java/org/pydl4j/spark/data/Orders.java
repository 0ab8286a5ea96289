package org.pydl4j.spark.data;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.pydl4j.nn.Minibatches;

/**
 * Orders of a dataset's rows, by seed; the last that was asked for is kept. Where sequences are in buckets of similar lengths, minibatches are
 * of a bucket each, but for those between two: rows are shuffled in their buckets, and minibatches among each other.
 */
final class Orders {
    private final List<Part> parts;
    private long seed;
    private int size;
    private int[] order;

    /** @param parts whose rows are counted, known when the first order is asked for */
    Orders(List<Part> parts) {
        this.parts = parts;
    }

    /** Whether sequences are in buckets of similar lengths. */
    boolean areBucketed() {
        return parts.get(0).length > 0;
    }

    /** The places at which the rows are stored. */
    synchronized int[] of(long wanted, int batchSize) {
        if (order == null || seed != wanted || size != batchSize) {
            order = areBucketed() ? bucketed(wanted, batchSize) : plain(wanted);
            seed = wanted;
            size = batchSize;
        }
        return order;
    }

    private int[] plain(long wanted) {
        return Minibatches.permutation(Math.toIntExact(parts.stream().mapToLong(part -> part.rows).sum()), wanted);
    }

    private int[] bucketed(long wanted, int batchSize) {
        Map<Integer, LongStream> buckets = new TreeMap<>();
        for (Part part : parts) {
            buckets.merge(part.length, LongStream.range(part.start, part.start + part.rows), LongStream::concat);
        }
        int[] byLength = buckets.values().stream().flatMapToInt(rows -> shuffled(rows, wanted)).toArray();
        int whole = byLength.length / batchSize;
        int[] minibatches = Minibatches.permutation(whole, wanted);
        int[] shuffled = byLength.clone(); // what is left over stays at the end
        for (int i = 0; i < whole; i++) {
            System.arraycopy(byLength, minibatches[i] * batchSize, shuffled, i * batchSize, batchSize);
        }
        return shuffled;
    }

    private static java.util.stream.IntStream shuffled(LongStream rows, long wanted) {
        int[] places = rows.mapToInt(Math::toIntExact).toArray();
        return Arrays.stream(Minibatches.permutation(places.length, wanted)).map(i -> places[i]);
    }
}
