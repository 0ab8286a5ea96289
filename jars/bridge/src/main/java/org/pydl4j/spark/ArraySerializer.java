package org.pydl4j.spark;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import org.bytedeco.javacpp.BytePointer;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.pydl4j.spark.data.Native;

/** An INDArray as data type, order, shape and the bytes of its elements in that order. Strings are left to ND4J. */
final class ArraySerializer extends Serializer<INDArray> {
    private static final int PIECE = 1 << 16; // stays in the processor's cache on its way

    @Override
    public void write(Kryo kryo, Output out, INDArray array) {
        if (array.dataType() == DataType.UTF8) {
            throw new UnsupportedOperationException("an INDArray of strings cannot be serialized with Kryo here");
        }
        char order = array.ordering() == 'f' ? 'f' : 'c';
        out.writeInt(array.dataType().toInt());
        out.writeByte(order);
        out.writeBoolean(array.isEmpty());
        out.writeInt(array.rank());
        out.writeLongs(array.shape());
        if (!array.isEmpty()) {
            boolean contiguous = java.util.Arrays.equals(array.stride(), Nd4j.getStrides(array.shape(), order)); // a permuted one names an order too
            INDArray plain = contiguous ? array : array.dup(order);
            copy(Native.bytes(plain), out);
            Arrays.closeUnlessOf(array, plain);
        }
    }

    private static void copy(BytePointer from, Output out) {
        byte[] piece = new byte[(int) Math.min(PIECE, from.capacity())];
        for (long at = 0; at < from.capacity(); at += piece.length) {
            int n = (int) Math.min(piece.length, from.capacity() - at);
            from.position(at).get(piece, 0, n);
            out.writeBytes(piece, 0, n);
        }
    }

    @Override
    public INDArray read(Kryo kryo, Input in, Class<INDArray> type) {
        DataType dataType = DataType.fromInt(in.readInt());
        char order = (char) in.readByte();
        boolean empty = in.readBoolean();
        long[] shape = in.readLongs(in.readInt());
        if (empty) {
            return Nd4j.create(dataType, shape);
        }
        INDArray array = Nd4j.createUninitialized(dataType, shape, order);
        BytePointer into = Native.bytes(array);
        byte[] piece = new byte[(int) Math.min(PIECE, into.capacity())];
        for (long at = 0; at < into.capacity(); at += piece.length) {
            int n = (int) Math.min(piece.length, into.capacity() - at);
            in.readBytes(piece, 0, n);
            into.position(at).put(piece, 0, n);
        }
        return array;
    }
}
