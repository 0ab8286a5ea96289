package org.pydl4j.spark.frame;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.spark.unsafe.Platform;

/** One row of numbers being put together, in the network's precision. */
final class Cells {
    private final String what;
    private final double[] range;
    private final boolean indices;
    private final float[] floats;
    private final double[] doubles;
    private int filled;

    Cells(TensorOptions options) {
        what = options.what();
        range = options.range;
        indices = options.indices;
        int width = Math.toIntExact(Arrays.stream(options.shape).reduce(1, Math::multiplyExact));
        floats = options.collectsDoubles() ? null : new float[width];
        doubles = options.collectsDoubles() ? new double[width] : null;
    }

    int width() {
        return floats == null ? doubles.length : floats.length;
    }

    void clear() {
        filled = 0;
    }

    /** The whole row is zeros. */
    void addZeros() {
        addSparse(width(), new int[0], new double[0]);
    }

    void add(double value) {
        require(1);
        set(filled++, value);
    }

    void add(float[] values) {
        add(values, 0, values.length);
    }

    void add(float[] values, int from, int count) {
        addFloats(values, Platform.FLOAT_ARRAY_OFFSET + (long) from * Float.BYTES, count);
    }

    /** So many floats that lie in Spark's memory. */
    void addFloats(Object base, long offset, int count) {
        require(count);
        if (floats != null) {
            Platform.copyMemory(
                    base, offset, floats, Platform.FLOAT_ARRAY_OFFSET + (long) filled * Float.BYTES, (long) count * Float.BYTES);
        } else {
            for (int i = 0; i < count; i++) {
                doubles[filled + i] = Platform.getFloat(base, offset + (long) i * Float.BYTES);
            }
        }
        filled += count;
    }

    void add(double[] values) {
        add(values, 0, values.length);
    }

    void add(double[] values, int from, int count) {
        require(count);
        if (doubles != null) {
            System.arraycopy(values, from, doubles, filled, count);
        } else {
            for (int i = 0; i < count; i++) {
                floats[filled + i] = (float) values[from + i];
            }
        }
        filled += count;
    }

    /** {@code size} numbers, zero but for those named. */
    void addSparse(int size, int[] indices, double[] values) {
        require(size);
        for (int i = 0; i < size; i++) {
            set(filled + i, 0);
        }
        for (int i = 0; i < indices.length; i++) {
            set(filled + indices[i], values[i]);
        }
        filled += size;
    }

    /** One at the class' index and zero elsewhere, or the index itself where there is room for one number only. */
    void addClass(double label, int classes) {
        int index = classIndex(label, classes);
        if (width() == 1) {
            add(label);
        } else {
            addSparse(width(), new int[] {index}, new double[] {1});
        }
    }

    /** Refuses what is none. */
    static int classIndex(double label, int classes) {
        if (label != Math.rint(label) || label < 0 || label >= classes) {
            String number = label == Math.rint(label) ? String.valueOf((long) label) : String.valueOf(label);
            throw new BadCell("label " + number + "; expected a class from 0 to " + (classes - 1));
        }
        return (int) label;
    }

    private void set(int index, double value) {
        if (floats != null) {
            floats[index] = (float) value;
        } else {
            doubles[index] = value;
        }
    }

    private void require(int more) {
        if (filled + more > width()) {
            throw new BadCell("more than " + width() + " " + what + "; expected " + width());
        }
    }

    /** Appends the row to a buffer, once it is known to be complete, finite and in range. */
    void writeTo(ByteBuffer buffer) {
        if (filled != width()) {
            throw new BadCell(filled + " " + what + "; expected " + width());
        }
        if (floats != null) {
            if (range.length > 0 || !areFinite(floats)) {
                for (float value : floats) {
                    require(value);
                }
            }
            buffer.asFloatBuffer().put(floats);
            buffer.position(buffer.position() + floats.length * Float.BYTES);
        } else {
            for (double value : doubles) {
                require(value);
            }
            buffer.asDoubleBuffer().put(doubles);
            buffer.position(buffer.position() + doubles.length * Double.BYTES);
        }
    }

    /** Zero times a number is zero, but for NaN and infinity. Four sums, since each addition waits for the last. */
    private static boolean areFinite(float[] values) {
        float a = 0;
        float b = 0;
        float c = 0;
        float d = 0;
        int i = 0;
        for (; i < values.length - 3; i += 4) {
            a += 0 * values[i];
            b += 0 * values[i + 1];
            c += 0 * values[i + 2];
            d += 0 * values[i + 3];
        }
        for (; i < values.length; i++) {
            a += 0 * values[i];
        }
        return a + b + c + d == 0;
    }

    private void require(double value) {
        if (!Double.isFinite(value)) {
            throw new BadCell(value + " among the " + what + "; expected finite numbers");
        }
        if (range.length > 0 && (value < range[0] || value > range[1] || indices && value != Math.rint(value))) {
            throw new BadCell(value + " among the " + what + "; " + expected());
        }
    }

    private String expected() {
        if (indices) {
            return "the embedding expects indices, whole numbers from 0 to " + (long) range[1];
        }
        return "the loss of the last layer expects numbers "
                + (range[1] == Double.MAX_VALUE ? "at least " + range[0] : "from " + range[0] + " to " + range[1]);
    }
}
