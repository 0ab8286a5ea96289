package org.pydl4j.nn;

import java.util.Arrays;
import java.util.Random;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.factory.Nd4j;
import org.pydl4j.tensor.Tensors;

/**
 * Minibatches of two arrays that are joined along their first axis, in c order. Rows are gathered into arrays that are used again for
 * every minibatch of the same size; without shuffling a minibatch is a view of the whole, made once.
 */
public final class Minibatches {
    private final INDArray features;
    private final INDArray labels;
    private final int size;
    private int[] order;
    private DataSet gathered;
    private final DataSet[] views;

    Minibatches(INDArray features, INDArray labels, long size) {
        this.features = features;
        this.labels = labels;
        this.size = Math.toIntExact(size);
        this.views = new DataSet[count()];
    }

    int examples() {
        return Math.toIntExact(features.size(0));
    }

    int count() {
        return (examples() + size - 1) / size;
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

    /** The k-th minibatch; valid until the next call. */
    DataSet get(int k) {
        int from = k * size;
        int to = Math.min(from + size, examples());
        if (order != null) {
            return gather(from, to);
        }
        if (views[k] == null) {
            views[k] = view(from, to);
        }
        return views[k];
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

    private DataSet gather(int from, int to) {
        if (gathered == null || gathered.numExamples() != to - from) {
            gathered = new DataSet(like(features, to - from), like(labels, to - from));
        }
        int[] rows = Arrays.copyOfRange(order, from, to);
        Tensors.copyRows(features, rows, gathered.getFeatures());
        Tensors.copyRows(labels, rows, gathered.getLabels());
        return gathered;
    }

    private static INDArray like(INDArray array, long rows) {
        long[] shape = array.shape().clone();
        shape[0] = rows;
        return Nd4j.createUninitialized(array.dataType(), shape, 'c');
    }
}
