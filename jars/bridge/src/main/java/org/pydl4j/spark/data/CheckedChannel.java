package org.pydl4j.spark.data;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.zip.CRC32;

/** Counts the checksum of what is written, in memory off the heap, too. */
final class CheckedChannel implements WritableByteChannel {
    private final WritableByteChannel out;
    private final CRC32 checksum = new CRC32();

    CheckedChannel(WritableByteChannel out) {
        this.out = out;
    }

    long crc32() {
        return checksum.getValue();
    }

    @Override
    public int write(ByteBuffer bytes) throws IOException {
        ByteBuffer written = bytes.duplicate();
        int count = out.write(bytes);
        checksum.update(written.limit(written.position() + count));
        return count;
    }

    @Override
    public boolean isOpen() {
        return out.isOpen();
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
