package org.pydl4j.nn;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.deeplearning4j.datasets.iterator.ExistingDataSetIterator;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.dataset.api.iterator.DataSetIterator;
import org.nd4j.linalg.factory.Nd4j;

/**
 * Minibatches of two arrays that are joined along their first axis, in c order. Shuffled rows are gathered into memory that is used
 * again; without shuffling a minibatch is a view of the whole, made once.
 */
public final class Minibatches {
    private final INDArray features;
    private final INDArray labels;
    private final int size;
    private int[] order;
    private final DataSet[] views;
    private final RowCopies featureCopies;
    private final RowCopies labelCopies;

    Minibatches(INDArray features, INDArray labels, long size) {
        this.features = features;
        this.labels = labels;
        this.size = Math.toIntExact(size);
        this.views = new DataSet[count()];
        this.featureCopies = new RowCopies(features);
        this.labelCopies = new RowCopies(labels);
    }

    int examples() {
        return Math.toIntExact(features.size(0));
    }

    int count() {
        return (int) ((examples() + (size - 1L)) / size);
    }

    /** A new order of the rows, the same for the same seed everywhere. */
    void shuffle(long seed) {
        order = permutation(examples(), seed);
    }

    /** Rows 0 to n - 1 in the order that {@code seed} stands for: Fisher-Yates with java.util.Random. */
    public static int[] permutation(int n, long seed) {
        int[] order = new int[n];
        for (int i = 0; i < n; i++) {
            order[i] = i;
        }
        Random random = new Random(seed);
        for (int i = n - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            int swap = order[i];
            order[i] = order[j];
            order[j] = swap;
        }
        return order;
    }

    /** The k-th minibatch to train on; valid until the next call. Layers do not write to features while they train. */
    DataSet get(int k) {
        if (order != null) {
            int[] rows = Arrays.copyOfRange(order, from(k), to(k));
            return new DataSet(featureCopies.of(rows), labelCopies.of(rows));
        }
        if (views[k] == null) {
            views[k] = view(from(k), to(k));
        }
        return views[k];
    }

    /** The k-th minibatch to look at, never shuffled, with features that may be written to; valid until the next call. */
    DataSet copy(int k) {
        return new DataSet(featureCopies.of(from(k), to(k)), rows(labels, from(k), to(k)));
    }

    /** All minibatches to look at, again and again: each is valid until the next. {@code before} is called before each. */
    DataSetIterator iterator(Runnable before) {
        return new ExistingDataSetIterator(() -> IntStream.range(0, count()).mapToObj(k -> {
            before.run();
            return copy(k);
        }).iterator());
    }

    private int from(int k) {
        return k * size;
    }

    private int to(int k) {
        return (int) Math.min(from(k) + (long) size, examples());
    }

    private DataSet view(int from, int to) {
        return new DataSet(rows(features, from, to), rows(labels, from, to));
    }

    /** Rows of a c-ordered array, in place. INDArray.get is avoided: on some views it silently returns an empty array. */
    static INDArray rows(INDArray array, long from, long to) {
        long[] shape = array.shape().clone();
        shape[0] = to - from;
        return Nd4j.create(array.data(), shape, array.stride(), array.offset() + from * array.stride(0), 'c', array.dataType());
    }
}
