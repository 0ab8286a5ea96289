package org.pydl4j.spark.data;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.util.List;
import java.util.Map;
import org.nd4j.linalg.api.ndarray.INDArray;

/** Writes a {@link Block}. */
public final class BlockWriter {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final ArrowWriter writer;

    /** @param first arrays like those to come, by the names of their columns, in order */
    public BlockWriter(Map<String, INDArray> first) throws IOException {
        writer = new ArrowWriter(Channels.newChannel(bytes), first);
    }

    public void write(List<INDArray> arrays) throws IOException {
        writer.write(arrays);
    }

    public boolean isFull() {
        return bytes.size() >= Block.BYTES;
    }

    /** What was written; nothing more can be. */
    public Block end() throws IOException {
        writer.close();
        return new Block(writer.rows(), bytes.toByteArray());
    }
}
