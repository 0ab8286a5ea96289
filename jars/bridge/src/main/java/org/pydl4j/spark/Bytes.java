package org.pydl4j.spark;

import java.io.Serializable;
import org.bytedeco.javacpp.BytePointer;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.pydl4j.spark.data.Native;

/**
 * The elements of a contiguous array as Java bytes: any serializer that a session may have moves them in bulk, where it would move an
 * INDArray element by element. In pieces, since a Java array ends at 2 GiB.
 */
public final class Bytes implements Serializable {
    private static final long serialVersionUID = 1L;
    private static final int PIECE = 64 << 20;

    private final byte[][] pieces;

    private Bytes(byte[][] pieces) {
        this.pieces = pieces;
    }

    static Bytes of(INDArray array) {
        BytePointer source = Native.bytes(array);
        long length = source.capacity();
        byte[][] pieces = new byte[Math.toIntExact((length + PIECE - 1) / PIECE)][];
        for (int i = 0; i < pieces.length; i++) {
            pieces[i] = new byte[(int) Math.min(PIECE, length - (long) i * PIECE)];
            source.position((long) i * PIECE).get(pieces[i]);
        }
        return new Bytes(pieces);
    }

    void copyTo(INDArray array) {
        BytePointer target = Native.bytes(array);
        if (target.capacity() != length()) {
            throw new IllegalStateException(length() + " bytes for an array of " + target.capacity());
        }
        for (int i = 0; i < pieces.length; i++) {
            target.position((long) i * PIECE).put(pieces[i]);
        }
    }

    long length() {
        long length = 0;
        for (byte[] piece : pieces) {
            length += piece.length;
        }
        return length;
    }
}
