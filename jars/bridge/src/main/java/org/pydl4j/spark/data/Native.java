package org.pydl4j.spark.data;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.DoublePointer;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.IntPointer;
import org.bytedeco.javacpp.LongPointer;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.ShortPointer;
import org.nd4j.linalg.api.buffer.DataBuffer;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.memory.pointers.PagedPointer;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.pydl4j.tensor.Tensors;

/** INDArrays as bytes and bytes as INDArrays, in place. */
public final class Native {
    private Native() {}

    /** The elements of a contiguous array as bytes; the caller keeps the array for as long as it uses them. */
    public static BytePointer bytes(INDArray array) {
        long length = Math.multiplyExact(array.length(), (long) array.dataType().width());
        BytePointer bytes = new BytePointer(new PagedPointer(new PagedPointer(Tensors.address(array)), length));
        return bytes.limit(length).capacity(length);
    }

    /** The same as a buffer of up to 2 GiB in native byte order. */
    public static ByteBuffer buffer(INDArray array) {
        BytePointer bytes = bytes(array);
        Math.toIntExact(bytes.capacity());
        return bytes.asByteBuffer().order(ByteOrder.nativeOrder());
    }

    /** Of a direct buffer's first byte. */
    static long address(ByteBuffer memory) {
        return new BytePointer(memory).address();
    }

    /** An array over a direct buffer's own memory, from its first byte on. The array keeps the buffer, and with it a mapped file. */
    static INDArray wrap(ByteBuffer memory, DataType type, long[] shape) {
        DataBuffer buffer = Nd4j.createBuffer(pointer(memory.order(ByteOrder.nativeOrder()), type), memory.remaining() / type.width(), type);
        return Nd4j.create(buffer, shape, Nd4j.getStrides(shape, 'c'), 0, 'c', type);
    }

    /** Typed pointers made of a buffer keep it; a bare address would keep nothing. */
    private static Pointer pointer(ByteBuffer memory, DataType type) {
        switch (type) {
            case FLOAT:
                return new FloatPointer(memory.asFloatBuffer());
            case DOUBLE:
                return new DoublePointer(memory.asDoubleBuffer());
            case LONG:
            case UINT64:
                return new LongPointer(memory.asLongBuffer());
            case INT:
            case UINT32:
                return new IntPointer(memory.asIntBuffer());
            case SHORT:
            case UINT16:
            case HALF:
            case BFLOAT16:
                return new ShortPointer(memory.asShortBuffer());
            default:
                return new BytePointer(memory);
        }
    }
}
