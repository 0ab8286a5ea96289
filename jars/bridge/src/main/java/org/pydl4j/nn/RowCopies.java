package org.pydl4j.nn;

import java.util.HashMap;
import java.util.Map;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.pydl4j.tensor.Tensors;

/**
 * Copies of rows of a c-ordered array, in memory of their own: layers may write to what they are given (an ActivationLayer does).
 * Copies of equally many rows share their memory, so each is valid until the next.
 */
final class RowCopies {
    private final INDArray source;
    private final Map<Integer, INDArray> copies = new HashMap<>(); // two at most: whole minibatches, and the last

    RowCopies(INDArray source) {
        this.source = source;
    }

    /** One for each array; null for null, as a whole and item by item. */
    static RowCopies[] of(INDArray[] arrays) {
        if (arrays == null) {
            return null;
        }
        RowCopies[] all = new RowCopies[arrays.length];
        for (int i = 0; i < arrays.length; i++) {
            all[i] = arrays[i] == null ? null : new RowCopies(arrays[i]);
        }
        return all;
    }

    INDArray of(int[] rows) {
        INDArray copy = memory(rows.length);
        Tensors.copyRows(source, rows, copy);
        return copy;
    }

    INDArray of(int from, int to) {
        INDArray copy = memory(to - from);
        Tensors.copyRows(source, from, copy);
        return copy;
    }

    private INDArray memory(int rows) {
        return copies.computeIfAbsent(rows, n -> {
            long[] shape = source.shape().clone();
            shape[0] = n;
            return Nd4j.createUninitialized(source.dataType(), shape, 'c');
        });
    }
}
