package org.pydl4j.spark.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.pydl4j.nn.Minibatches;

class OrdersTest {
    private static final int SIZE = 4;

    private static List<Part> parts(int... rowsAndLengths) {
        List<Part> parts = new ArrayList<>();
        long start = 0;
        for (int i = 0; i < rowsAndLengths.length; i += 2) {
            parts.add(new Part("part", start, rowsAndLengths[i], rowsAndLengths[i + 1], () -> null));
            start += rowsAndLengths[i];
        }
        return parts;
    }

    @Test
    void eachRowOnceAndMinibatchesOfOneBucketButForThoseBetweenTwo() {
        List<Part> parts = parts(7, 5, 9, 12, 6, 5, 8, 12, 5, 20);
        Orders orders = new Orders(parts);
        int[] lengths = parts.stream().flatMapToInt(part -> IntStream.generate(() -> part.length).limit(part.rows)).toArray();
        for (long seed = 0; seed < 20; seed++) {
            int[] order = orders.of(seed, SIZE);
            assertArrayEquals(IntStream.range(0, 35).toArray(), Arrays.stream(order).sorted().toArray());
            int mixed = 0;
            for (int from = 0; from < order.length; from += SIZE) {
                int[] minibatch = Arrays.copyOfRange(order, from, Math.min(order.length, from + SIZE));
                mixed += Arrays.stream(minibatch).map(row -> lengths[row]).distinct().count() > 1 ? 1 : 0;
            }
            assertEquals(2, mixed); // 13, 17 and 5 rows
            assertFalse(Arrays.equals(order, orders.of(seed + 1, SIZE)));
            assertArrayEquals(order, orders.of(seed, SIZE));
        }
    }

    @Test
    void withoutBucketsTheOrderIsThatOfTrainingInOneProcess() {
        assertArrayEquals(Minibatches.permutation(12, 3), new Orders(parts(7, 0, 5, 0)).of(3, SIZE));
    }
}
