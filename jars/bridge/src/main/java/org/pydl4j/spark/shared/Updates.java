package org.pydl4j.spark.shared;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.util.function.Supplier;
import org.bytedeco.javacpp.BytePointer;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.memory.MemoryWorkspace;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.compression.ThresholdCompression;
import org.nd4j.linalg.factory.Nd4j;
import org.pydl4j.PydlException;
import org.pydl4j.spark.Arrays;
import org.pydl4j.spark.data.Native;

/**
 * Encoded updates as bytes: ND4J's ints, in the byte order that all nodes have. Four of them come first: how many values, the length of what
 * was encoded, the threshold as a float, the encoding. An update that is not encoded follows them as it is. ND4J's decoders believe what they read, so it is checked before.
 */
final class Updates {
    private static final int INT = Integer.BYTES;
    private static final int HEAD = 4;
    /** beside ND4J's encodings */
    private static final int WHOLE = 2;
    private static final int VALUES_PER_INT = 16;
    private static final int ROUNDED = 5;
    /** other messages have room in what has room for an update */
    private static final int LEAST = 256 << 10;

    private Updates() {}

    /** Bytes of the longest message where there are so many parameters: a longer update is sent as a bitmap. */
    static int longest(long parameters) {
        long ints = Math.max(parameters / VALUES_PER_INT + ROUNDED, Math.min(parameters, VALUES_PER_INT) + HEAD);
        return Math.toIntExact(Math.max(INT * ints, LEAST));
    }

    /** Whether all values of such a vector fit in the least that there is room for. */
    static boolean isShort(INDArray update) {
        return bytesOfWhole(update) <= LEAST;
    }

    private static long bytesOfWhole(INDArray update) {
        return INT * HEAD + update.length() * update.dataType().width();
    }

    /** All values, of a vector that {@link #isShort}. */
    static byte[] whole(INDArray update) {
        byte[] bytes = new byte[(int) bytesOfWhole(update)];
        int length = (int) update.length();
        ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).putInt(length).putInt(length).putInt(0).putInt(WHOLE);
        Native.bytes(update).get(bytes, INT * HEAD, bytes.length - INT * HEAD);
        return bytes;
    }

    static byte[] bytes(INDArray encoded) {
        BytePointer source = Native.bytes(encoded);
        byte[] bytes = new byte[Math.toIntExact(source.capacity())];
        source.get(bytes);
        return bytes;
    }

    /** Adds the update to {@code target}, a vector of all parameters. */
    static void decode(byte[] update, INDArray target) {
        if (update.length == 0) {
            return;
        }
        int encoding = check(update, target);
        if (encoding == WHOLE) {
            add(update, target);
            return;
        }
        INDArray encoded = own(() -> Nd4j.createUninitialized(DataType.INT32, update.length / INT));
        Native.bytes(encoded).put(update);
        if (encoding == ThresholdCompression.FLEXIBLE_ENCODING) {
            Nd4j.getExecutioner().thresholdDecode(encoded, target);
        } else {
            Nd4j.getExecutioner().bitmapDecode(encoded, target);
        }
        Arrays.close(encoded);
    }

    private static void add(byte[] whole, INDArray target) {
        INDArray update = own(() -> Nd4j.createUninitialized(target.dataType(), target.shape()));
        Native.bytes(update).put(whole, INT * HEAD, whole.length - INT * HEAD);
        target.addi(update);
        Arrays.close(update);
    }

    /** An array in memory of its own, whatever workspace is open. */
    @SuppressWarnings("try") // the scope is left, not used
    static INDArray own(Supplier<INDArray> make) {
        try (MemoryWorkspace outside = Nd4j.getMemoryManager().scopeOutOfWorkspaces()) {
            return make.get();
        }
    }

    /** Returns the encoding. */
    private static int check(byte[] update, INDArray target) {
        long parameters = target.length();
        IntBuffer ints = ByteBuffer.wrap(update).order(ByteOrder.nativeOrder()).asIntBuffer();
        if (ints.limit() < HEAD) {
            throw bad("has " + update.length + " bytes");
        }
        if (ints.get(1) != parameters) {
            throw bad("is of " + ints.get(1) + " parameters where the network has " + parameters);
        }
        int encoding = ints.get(3);
        boolean whole = encoding == WHOLE;
        if (whole ? update.length != bytesOfWhole(target) : ints.limit() == HEAD || update.length % INT != 0) {
            throw bad("has " + update.length + " bytes");
        }
        if (!whole) {
            checkEncoded(ints, encoding, parameters);
        }
        return encoding;
    }

    private static void checkEncoded(IntBuffer ints, int encoding, long parameters) {
        float threshold = Float.intBitsToFloat(ints.get(2));
        if (!(threshold > 0) || Float.isInfinite(threshold)) {
            throw bad("has the threshold " + threshold);
        }
        if (encoding == ThresholdCompression.FLEXIBLE_ENCODING) {
            checkSparse(ints, parameters);
        } else if (encoding != ThresholdCompression.BITMAP_ENCODING || ints.limit() != parameters / VALUES_PER_INT + ROUNDED) {
            throw bad("has " + ints.limit() + " numbers of encoding " + encoding);
        }
    }

    private static void checkSparse(IntBuffer ints, long parameters) {
        if (ints.get(0) != ints.limit() - HEAD) {
            throw bad("has " + (ints.limit() - HEAD) + " values where it announces " + ints.get(0));
        }
        for (int i = HEAD; i < ints.limit(); i++) {
            long index = Math.abs((long) ints.get(i));
            if (index < 1 || index > parameters) {
                throw bad("changes parameter " + index + " of " + parameters);
            }
        }
    }

    private static PydlException bad(String what) {
        return new PydlException("TrainingError", "an update that came over the network cannot be: it " + what);
    }
}
