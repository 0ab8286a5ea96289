package org.pydl4j.spark.data;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.pydl4j.PydlException;

/** One file of a dataset: its rows {@code start}, {@code start + 1}, ... */
final class Part {
    /** Brings a file to this machine and maps it. */
    @FunctionalInterface
    interface Opener {
        ArrowFile open() throws IOException;
    }

    final long start;
    private final String name;
    final long rows;
    /** as {@link FilePart#length} */
    final int length;
    private final Opener opener;
    private volatile ArrowFile file;
    private long[] blockStarts;

    /** @param name for messages */
    Part(String name, long start, long rows, int length, Opener opener) {
        this.length = length;
        this.name = name;
        this.start = start;
        this.rows = rows;
        this.opener = opener;
    }

    static Part of(URI uri, long start, FilePart description) {
        return new Part(uri.toString(), start, description.rows, description.length, () -> map(uri, description));
    }

    /** Mapped on first use; what is remote is copied to this machine first. */
    ArrowFile file() throws IOException {
        if (file == null) {
            synchronized (this) {
                if (file == null) {
                    file = open();
                }
            }
        }
        return file;
    }

    private ArrowFile open() throws IOException {
        ArrowFile opened = opener.open();
        List<ArrowBlock> blocks = opened.blocks;
        blockStarts = new long[blocks.size()];
        long next = start;
        for (int i = 0; i < blockStarts.length; i++) {
            blockStarts[i] = next;
            next += blocks.get(i).rows;
        }
        if (next - start != rows) {
            throw new PydlException("DataError", "the Arrow file " + name + " has " + (next - start) + " rows; expected " + rows);
        }
        return opened;
    }

    private static ArrowFile map(URI uri, FilePart description) throws IOException {
        Path local = null;
        try {
            local = Storage.localCopy(uri);
            return ArrowFile.open(local, uri, description);
        } catch (FileNotFoundException | NoSuchFileException e) {
            throw new PydlException("DataError", "the Arrow file " + uri + " is missing here: the dataset's files were deleted, or driver and "
                    + "executors do not see the same ones", null, e);
        } finally {
            if (local != null) {
                Storage.discard(uri, local);
            }
        }
    }

    int column(String name) throws IOException {
        List<Column> columns = file().columns;
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).name.equals(name)) {
                return i;
            }
        }
        return -1;
    }

    /** Copies a row of a column to an address where there is room for {@code like}. */
    void copyRow(int column, long row, Column like, long to) throws IOException {
        ArrowFile mapped = file();
        if (mapped.columns.get(column).rowBytes() != like.rowBytes()) {
            throw new PydlException("DataError", "the Arrow file " + name + " has other rows of column '" + like.name + "' than those before it");
        }
        int block = block(row);
        mapped.blocks.get(block).copyRow(column, like.rowBytes(), row - blockStarts[block], to);
    }

    /** The memory of a row. */
    ByteBuffer row(int column, long row) throws IOException {
        ArrowFile mapped = file();
        int index = block(row);
        int from = (int) (row - blockStarts[index]);
        return mapped.blocks.get(index).rows(column, mapped.columns.get(column).rowBytes(), from, from + 1);
    }

    /** The memory of {@code n} rows where they lie together and may be used as an array's own, else null. */
    ByteBuffer inPlace(int column, long row, int n) throws IOException {
        ArrowFile mapped = file();
        int index = block(row);
        ArrowBlock block = mapped.blocks.get(index);
        int from = (int) (row - blockStarts[index]);
        if (!mapped.inPlace || from + n > block.rows) {
            return null;
        }
        mapped.lend();
        return block.rows(column, mapped.columns.get(column).rowBytes(), from, from + n).slice();
    }

    /** Unmaps it where that may be done; no row may be asked for any more. */
    void close() {
        if (file != null) {
            file.close();
        }
    }

    private int block(long row) {
        int found = java.util.Arrays.binarySearch(blockStarts, row);
        return found >= 0 ? found : -found - 2;
    }
}
