package org.pydl4j.evaluation;

import java.util.ArrayList;
import java.util.List;

/** Numbers that Python gets as one vector. Counts are exact in it up to 2^53. */
final class Numbers {
    private final List<double[]> parts = new ArrayList<>();

    void add(double... numbers) {
        parts.add(numbers);
    }

    void add(long[] counts) {
        double[] numbers = new double[counts.length];
        for (int i = 0; i < counts.length; i++) {
            numbers[i] = counts[i];
        }
        parts.add(numbers);
    }

    double[] toArray() {
        double[] all = new double[parts.stream().mapToInt(part -> part.length).reduce(0, Math::addExact)];
        int at = 0;
        for (double[] part : parts) {
            System.arraycopy(part, 0, all, at, part.length);
            at += part.length;
        }
        return all;
    }

    static void plus(long[] into, long[] other) {
        for (int i = 0; i < into.length; i++) {
            into[i] += other[i];
        }
    }

    static void plus(double[] into, double[] other) {
        for (int i = 0; i < into.length; i++) {
            into[i] += other[i];
        }
    }
}
