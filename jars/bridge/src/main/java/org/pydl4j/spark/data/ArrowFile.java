package org.pydl4j.spark.data;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;
import org.apache.arrow.flatbuf.Block;
import org.apache.arrow.flatbuf.Footer;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.spark.storage.StorageUtils;
import org.pydl4j.PydlException;

/**
 * A memory-mapped Arrow IPC file. The metadata are read with Arrow's own flatbuffer classes; Arrow's vectors are not used: they would copy.
 * The mapping goes when it is closed, or where arrays lie in it, when nothing refers to it any more, those arrays included.
 */
final class ArrowFile {
    private static final byte[] MAGIC = "ARROW1".getBytes(StandardCharsets.US_ASCII);
    private static final long PIECE = 1L << 30;
    private static final int TAIL = 4 + MAGIC.length; // footer length, magic

    final List<Column> columns;
    final List<ArrowBlock> blocks;
    /** whether arrays may lie in the mapping itself: it is copied on write, so that nothing done to an array reaches the file */
    final boolean inPlace;
    private final List<ByteBuffer> mapped;
    private volatile boolean lent;

    private ArrowFile(List<Column> columns, List<ArrowBlock> blocks, List<ByteBuffer> mapped, boolean inPlace) {
        this.columns = columns;
        this.blocks = blocks;
        this.mapped = mapped;
        this.inPlace = inPlace;
    }

    /** From now on arrays may lie in the mapping. */
    void lend() {
        lent = true;
    }

    /** Gives the memory back at once, a deleted file's with it, unless arrays may lie in it. No row may be asked for any more. */
    void close() {
        if (!lent) {
            mapped.forEach(StorageUtils::dispose);
        }
    }

    /**
     * @param path where it lies on this machine
     * @param uri what it is called in messages
     * @param expected what the dataset's manifest says of it
     */
    static ArrowFile open(Path path, URI uri, FilePart expected) throws IOException {
        boolean inPlace = Files.isWritable(path); // the JDK maps PRIVATE only what it may write
        try (FileChannel file = inPlace
                ? FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)
                : FileChannel.open(path, StandardOpenOption.READ)) {
            if (expected.isSealed()) {
                expected.require(file.size(), crc32(file));
            }
            return read(file, inPlace);
        } catch (ArrowFormatException | ArithmeticException | IndexOutOfBoundsException e) {
            throw new PydlException("DataError", "the Arrow file " + uri + " is unusable: " + e.getMessage(), null, e);
        }
    }

    private static long crc32(FileChannel file) throws IOException {
        CRC32 checksum = new CRC32();
        for (long at = 0; at < file.size(); at += PIECE) {
            ByteBuffer piece = file.map(FileChannel.MapMode.READ_ONLY, at, Math.min(PIECE, file.size() - at));
            checksum.update(piece);
            StorageUtils.dispose(piece);
        }
        return checksum.getValue();
    }

    private static ArrowFile read(FileChannel file, boolean inPlace) throws IOException {
        Footer footer = footer(file);
        List<Column> columns = ArrowSchema.columns(footer.schema());
        List<ArrowBlock> blocks = new ArrayList<>();
        List<ByteBuffer> mapped = new ArrayList<>();
        FileChannel.MapMode mode = inPlace ? FileChannel.MapMode.PRIVATE : FileChannel.MapMode.READ_ONLY;
        for (int i = 0; i < footer.recordBatchesLength(); i++) {
            Block block = footer.recordBatches(i);
            RecordBatch batch = batch(file, block);
            long start = Math.addExact(block.offset(), block.metaDataLength());
            requireInside(file, start, block.bodyLength());
            ByteBuffer body = file.map(mode, start, Math.toIntExact(block.bodyLength()) + 0L);
            mapped.add(body);
            blocks.add(ArrowBlock.of(batch, columns, body));
        }
        return new ArrowFile(columns, blocks, mapped, inPlace);
    }

    private static Footer footer(FileChannel file) throws IOException {
        if (file.size() < MAGIC.length + 2 + TAIL) {
            throw new ArrowFormatException("it has only " + file.size() + " bytes");
        }
        ByteBuffer tail = bytes(file, file.size() - TAIL, TAIL);
        int length = tail.getInt();
        byte[] magic = new byte[MAGIC.length];
        tail.get(magic);
        if (!java.util.Arrays.equals(magic, MAGIC)) {
            throw new ArrowFormatException("it does not end in ARROW1: truncated, or no Arrow IPC file");
        }
        return Footer.getRootAsFooter(bytes(file, file.size() - TAIL - length, length));
    }

    private static RecordBatch batch(FileChannel file, Block block) throws IOException {
        ByteBuffer metadata = bytes(file, block.offset(), block.metaDataLength());
        if (metadata.getInt() != -1) {
            throw new ArrowFormatException("its record batches are in the format before Arrow 0.15");
        }
        metadata.getInt(); // length without padding
        Message message = Message.getRootAsMessage(metadata.slice().order(ByteOrder.LITTLE_ENDIAN));
        if (message.headerType() != MessageHeader.RecordBatch) {
            throw new ArrowFormatException("the footer points to something that is no record batch");
        }
        return (RecordBatch) message.header(new RecordBatch());
    }

    private static ByteBuffer bytes(FileChannel file, long start, int length) throws IOException {
        requireInside(file, start, length);
        ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        while (bytes.hasRemaining()) {
            if (file.read(bytes, start + bytes.position()) < 0) {
                throw new ArrowFormatException("it ends early");
            }
        }
        return bytes.flip().order(ByteOrder.LITTLE_ENDIAN);
    }

    private static void requireInside(FileChannel file, long start, long length) throws IOException {
        if (start < 0 || length < 0 || start > file.size() - length) {
            throw new ArrowFormatException("bytes " + start + " to " + (start + length) + " lie outside its " + file.size() + " bytes");
        }
    }
}
