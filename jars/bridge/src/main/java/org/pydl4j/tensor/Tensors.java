package org.pydl4j.tensor;

import java.lang.ref.Cleaner;
import java.util.Arrays;
import java.util.StringJoiner;
import org.bytedeco.javacpp.Pointer;
import org.nd4j.linalg.api.buffer.DataBuffer;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.memory.pointers.PagedPointer;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.api.ops.impl.reduce.longer.MatchCondition;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.indexing.conditions.Conditions;
import org.pydl4j.PydlException;

/** INDArrays over memory that somebody else owns, and back: by address, without a copy. */
public final class Tensors {
    private static final Cleaner CLEANER = Cleaner.create();

    private Tensors() {}

    /**
     * An INDArray over memory of this process.
     *
     * @param layout data type (numpy's letter and size, "f4" is 0x6604), 1 for f order, address of the first element, span (elements from
     *     the first to the last, both included; 0 for an empty array), then the shape and as many strides, in elements
     * @param owner kept for as long as the memory may be used from Java, that is: as any view of this array lives; may be null
     */
    public static INDArray wrap(long[] layout, Object owner) {
        DataType type = DTypes.type(layout[0]);
        char order = layout[1] == 1 ? 'f' : 'c';
        long span = layout[3];
        int rank = (layout.length - 4) / 2;
        long[] shape = Arrays.copyOfRange(layout, 4, 4 + rank);
        if (span == 0) {
            return Nd4j.create(type, shape);
        }
        Pointer pointer = at(layout[2], span);
        DataBuffer buffer = Nd4j.createBuffer(pointer, span, type);
        if (owner != null) {
            // every view keeps the root buffer; the cleaner's action keeps the owner for as long as the buffer can be reached
            CLEANER.register(buffer, new Owned(owner));
        }
        return Nd4j.create(buffer, shape, Arrays.copyOfRange(layout, 4 + rank, layout.length), 0, order, type);
    }

    /** Holds the owner of wrapped memory until the buffer over it is gone. */
    private static final class Owned implements Runnable {
        private Object owner;

        Owned(Object owner) {
            this.owner = owner;
        }

        @Override
        public void run() {
            owner = null;
        }
    }

    /** Whether no element is NaN or infinite. Counted, not summed: a sum of finite numbers may overflow. */
    public static boolean isFinite(INDArray array) {
        // ND4J does not see NaN among numbers of 16 bits
        INDArray seen = array.dataType() == DataType.FLOAT16 ? array.castTo(DataType.FLOAT) : array;
        boolean finite = Nd4j.getExecutioner().exec(new MatchCondition(seen, Conditions.notFinite())).getLong(0) == 0;
        if (seen != array) {
            seen.close();
        }
        return finite;
    }

    /** {@code dtype|order|address|shape|strides}: all that is needed to look at the array from outside; strides in elements. */
    public static String describe(INDArray array) {
        requireShareable(array);
        return new StringJoiner("|")
                .add(DTypes.code(array.dataType()))
                .add(String.valueOf(array.ordering()))
                .add(Long.toString(array.isEmpty() ? 0 : address(array)))
                .add(join(array.shape()))
                .add(join(array.isEmpty() ? new long[array.rank()] : array.stride()))
                .toString();
    }

    /** A new array of the JVM's own, uninitialized, in c order. */
    public static INDArray allocate(String dtype, String shape) {
        return Nd4j.createUninitialized(DTypes.type(dtype), split(shape), 'c');
    }

    /** Copies {@code length} bytes of the file at {@code segment} (from its start) into a c-ordered array, from byte {@code at} on. */
    public static void fill(INDArray array, long at, String segment, long length) {
        Pointer.memcpy(window(array, at, length), Segments.pointer(segment, length), length);
    }

    /** Copies {@code length} bytes of a c-ordered array, from byte {@code at} on, to the start of the file at {@code segment}. */
    public static void drain(INDArray array, long at, String segment, long length) {
        Pointer.memcpy(Segments.pointer(segment, length), window(array, at, length), length);
    }

    /**
     * Copies rows of a c-ordered array, in the order of {@code rows}, into another. Row by row: ND4J's own operation for it hands
     * each call to all threads, which took 2 ms for 64 rows where this takes some microseconds.
     */
    public static void copyRows(INDArray source, int[] rows, INDArray into) {
        long bytes = source.length() / source.size(0) * source.dataType().width();
        long from = address(source);
        long to = address(into);
        for (int i = 0; i < rows.length; i++) {
            Pointer.memcpy(at(to + i * bytes, bytes), at(from + rows[i] * bytes, bytes), bytes);
        }
    }

    /** Copies rows of a c-ordered array from row {@code first} on, as many as there are in {@code into}. */
    public static void copyRows(INDArray source, long first, INDArray into) {
        int width = source.dataType().width();
        long bytes = into.length() * width;
        long from = address(source) + source.length() / source.size(0) * first * width;
        Pointer.memcpy(at(address(into), bytes), at(from, bytes), bytes);
    }

    /** The same values in c order without gaps; the array itself where it is that already. */
    public static INDArray contiguous(INDArray array) {
        return isContiguous(array) && !array.isAttached() ? array : array.dup('c').detach();
    }

    /** Whether the elements lie in c order without gaps. The strides tell: a permuted array may call itself c-ordered and no view. */
    public static boolean isContiguous(INDArray array) {
        return array.isEmpty()
                || array.ordering() == 'c' && Arrays.equals(array.stride(), Nd4j.getStrides(array.shape(), 'c'));
    }

    /** Address of the first element; unlike {@code data().address()} it knows the offset of a view. */
    public static long address(INDArray array) {
        Nd4j.getExecutioner().commit();
        return array.data().addressPointer().address();
    }

    private static Pointer window(INDArray array, long at, long length) {
        long bytes = array.length() * array.dataType().width();
        if (at < 0 || length < 0 || at + length > bytes) {
            throw new IndexOutOfBoundsException("bytes " + at + " to " + (at + length) + " of an array of " + bytes);
        }
        return at(address(array) + at, length);
    }

    /** A pointer that owns nothing. A bare PagedPointer has capacity 0, so it is given its length by a second one. */
    private static Pointer at(long address, long length) {
        return new PagedPointer(new PagedPointer(address), length);
    }

    private static void requireShareable(INDArray array) {
        if (array.wasClosed()) {
            throw new PydlException("DataError", "this INDArray was closed; its memory is no longer there to look at");
        }
        if (array.isAttached()) {
            throw new IllegalStateException("an array that lives in a workspace must be detached before it is shared");
        }
    }

    private static String join(long[] values) {
        StringJoiner text = new StringJoiner(",");
        for (long value : values) {
            text.add(Long.toString(value));
        }
        return text.toString();
    }

    private static long[] split(String text) {
        if (text.isEmpty()) {
            return new long[0];
        }
        String[] parts = text.split(",");
        long[] values = new long[parts.length];
        for (int i = 0; i < parts.length; i++) {
            values[i] = Long.parseLong(parts[i]);
        }
        return values;
    }
}
