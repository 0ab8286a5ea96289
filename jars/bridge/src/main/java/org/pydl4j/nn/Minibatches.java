package org.pydl4j.nn;

import java.util.Arrays;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.deeplearning4j.datasets.iterator.ExistingDataSetIterator;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.MultiDataSet;
import org.nd4j.linalg.dataset.api.iterator.DataSetIterator;
import org.nd4j.linalg.factory.Nd4j;

/**
 * Minibatches of examples. Shuffled rows are gathered into memory that is used again; without shuffling a minibatch is a view of the
 * whole, made once.
 */
public final class Minibatches {
    private final Examples examples;
    private final int size;
    private int[] order;
    private final MultiDataSet[] views;
    private final RowCopies[] features;
    private final RowCopies[] labels;
    private final RowCopies[] featuresMasks;
    private final RowCopies[] labelsMasks;

    Minibatches(Examples examples, long size) {
        this.examples = examples;
        this.size = Math.toIntExact(size);
        this.views = new MultiDataSet[count()];
        this.features = RowCopies.of(examples.features());
        this.labels = RowCopies.of(examples.labels());
        this.featuresMasks = RowCopies.of(examples.featuresMasks());
        this.labelsMasks = RowCopies.of(examples.labelsMasks());
    }

    int examples() {
        return examples.size();
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
    MultiDataSet get(int k) {
        if (order != null) {
            int[] rows = Arrays.copyOfRange(order, from(k), to(k));
            return new MultiDataSet(
                    each(features, copies -> copies.of(rows)),
                    each(labels, copies -> copies.of(rows)),
                    each(featuresMasks, copies -> copies.of(rows)),
                    each(labelsMasks, copies -> copies.of(rows)));
        }
        if (views[k] == null) {
            views[k] = new MultiDataSet(
                    rows(examples.features(), k),
                    rows(examples.labels(), k),
                    rows(examples.featuresMasks(), k),
                    rows(examples.labelsMasks(), k));
        }
        return views[k];
    }

    /** The k-th minibatch to look at, never shuffled, with features that may be written to; valid until the next call. */
    MultiDataSet copy(int k) {
        return new MultiDataSet(
                each(features, copies -> copies.of(from(k), to(k))),
                rows(examples.labels(), k),
                rows(examples.featuresMasks(), k),
                rows(examples.labelsMasks(), k));
    }

    /** All minibatches to look at, again and again: each is valid until the next. {@code before} is called before each. */
    DataSetIterator iterator(Runnable before) {
        return new ExistingDataSetIterator(() -> IntStream.range(0, count()).mapToObj(k -> {
            before.run();
            return MultiLayerNet.single(copy(k));
        }).iterator());
    }

    int from(int k) {
        return k * size;
    }

    int to(int k) {
        return (int) Math.min(from(k) + (long) size, examples());
    }

    private INDArray[] rows(INDArray[] arrays, int k) {
        return each(arrays, array -> rows(array, from(k), to(k)));
    }

    /** null for null, as a whole and item by item */
    private static <T> INDArray[] each(T[] items, Function<T, INDArray> made) {
        if (items == null) {
            return null;
        }
        INDArray[] arrays = new INDArray[items.length];
        for (int i = 0; i < items.length; i++) {
            arrays[i] = items[i] == null ? null : made.apply(items[i]);
        }
        return arrays;
    }

    /** Rows of a c-ordered array, in place. INDArray.get is avoided: on some views it silently returns an empty array. */
    static INDArray rows(INDArray array, long from, long to) {
        long[] shape = array.shape().clone();
        shape[0] = to - from;
        return Nd4j.create(array.data(), shape, array.stride(), array.offset() + from * array.stride(0), 'c', array.dataType());
    }
}
