package org.pydl4j.spark.frame;

import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.pydl4j.spark.data.Native;

/** The time steps of some sequences that count. */
final class MaskedSteps {
    private final SequenceShape shape;
    private final boolean[] kept;

    /** @param mask [rows, time] */
    MaskedSteps(SequenceShape shape, INDArray mask) {
        this.shape = shape;
        kept = new boolean[Math.toIntExact(mask.length())];
        ByteBuffer numbers = Native.buffer(mask);
        boolean doubles = mask.dataType() == DataType.DOUBLE;
        for (int i = 0; i < kept.length; i++) {
            kept[i] = (doubles ? numbers.getDouble(i * Double.BYTES) : numbers.getFloat(i * Float.BYTES)) != 0;
        }
    }

    /** The numbers of those of float64 sequences, one step after the other. */
    double[] of(INDArray sequences) {
        DoubleBuffer numbers = Native.buffer(sequences).asDoubleBuffer();
        int count = 0;
        for (boolean one : kept) {
            count += one ? 1 : 0;
        }
        double[] steps = new double[Math.multiplyExact(count, shape.size)];
        for (int i = 0, at = 0; i < kept.length; i++) {
            for (int j = 0; j < shape.size && kept[i]; j++) {
                steps[at++] = numbers.get(index(i, j));
            }
        }
        return steps;
    }

    /** Writes zeros to all other steps of float64 sequences. */
    void clearOthers(INDArray sequences) {
        DoubleBuffer numbers = Native.buffer(sequences).asDoubleBuffer();
        for (int i = 0; i < kept.length; i++) {
            for (int j = 0; j < shape.size && !kept[i]; j++) {
                numbers.put(index(i, j), 0);
            }
        }
    }

    private int index(int step, int number) {
        return step / shape.length * shape.length * shape.size + shape.index(step % shape.length, number);
    }
}
