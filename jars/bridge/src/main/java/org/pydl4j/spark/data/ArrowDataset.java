package org.pydl4j.spark.data;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.MultiDataSet;
import org.nd4j.linalg.factory.Nd4j;
import org.pydl4j.PydlException;
import org.pydl4j.spark.JvmCache;
import org.pydl4j.tensor.Tensors;

/** A dataset of Arrow files, opened once per JVM; its parts are mapped when a row of theirs is first asked for. */
public final class ArrowDataset {
    private static final JvmCache<ArrowDataset> OPEN = new JvmCache<>();

    private final URI manifest;
    private final List<Part> parts = new ArrayList<>();
    private final long rows;
    private final Orders orders = new Orders(parts);
    private int[] counts;
    /** written to by who closes it; rows are read by many at a time */
    private final ReadWriteLock use = new ReentrantReadWriteLock();
    private boolean closed;

    private ArrowDataset(URI uri) throws IOException {
        manifest = uri;
        Manifest content = Manifest.parse(Storage.readText(uri), uri.toString());
        if (!Objects.equals(uri.getFragment(), content.id())) {
            throw new PydlException("DataError", "the dataset " + uri + " was overwritten while it was in use: it is "
                    + content.id() + " now. Load it again");
        }
        long start = 0;
        for (FilePart part : content.parts()) {
            parts.add(Part.of(Storage.child(uri.resolve("."), part.file), start, part));
            start += part.rows;
        }
        rows = start;
    }

    private ArrowDataset(URI name, List<Part> parts, long rows) {
        manifest = name;
        this.parts.addAll(parts);
        this.rows = rows;
    }

    /** One that is not on storage. */
    static ArrowDataset of(URI name, Supplier<List<Part>> parts) throws IOException {
        try {
            return OPEN.get(name.toString(), () -> {
                List<Part> found = parts.get();
                return new ArrowDataset(name, found, found.stream().mapToLong(part -> part.rows).sum());
            });
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    public static ArrowDataset open(URI manifest) throws IOException {
        try {
            return OPEN.get(manifest.toString(), () -> new ArrowDataset(manifest));
        } catch (IOException e) {
            if (e instanceof InterruptedIOException || e instanceof java.nio.channels.ClosedByInterruptException) {
                throw e;
            }
            throw new PydlException("DataError",
                    "the dataset " + manifest + " cannot be read here: " + e + ". Driver and executors must see the same files: "
                            + "give the training master an export_directory on storage that they share.", null, e);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Refuses a file that is not there, or not as long as the dataset's manifest says. */
    public static void check(URI file, FilePart part) throws IOException {
        long length = Storage.length(file);
        if (length < 0) {
            throw new PydlException("DataError", "the dataset is incomplete: " + file + " is missing");
        }
        if (part.isSealed() && length != part.bytes) {
            throw new PydlException("DataError", "the Arrow file " + file + " is unusable: it has " + length + " bytes; expected "
                    + part.bytes + ": truncated, or overwritten");
        }
    }

    /** Forgets a dataset in this JVM. Its memory is unmapped now, or when the last array that lies in it is gone. */
    public static void release(URI manifest) {
        ArrowDataset dataset = OPEN.remove(manifest.toString());
        if (dataset != null) {
            dataset.close();
        }
    }

    private void close() {
        use.writeLock().lock();
        try {
            closed = true;
            parts.forEach(Part::close);
        } finally {
            use.writeLock().unlock();
        }
    }

    public long rows() {
        return rows;
    }

    /**
     * {@code n} rows of the columns {@code features}, {@code features_1}, ..., and, where the dataset has them, of {@code labels},
     * {@code features_mask} and {@code labels_mask}, numbered in the same way. Rows that lie together are not copied. Sequences of several
     * buckets are padded to the longest.
     */
    MultiDataSet minibatch(Descriptor asked) throws IOException {
        use.readLock().lock();
        try {
            if (closed) {
                throw new CancellationException("the dataset " + manifest + " was released while it was in use");
            }
            return read(asked);
        } finally {
            use.readLock().unlock();
        }
    }

    private MultiDataSet read(Descriptor asked) throws IOException {
        long from = asked.from;
        int n = asked.rows;
        if (from < 0 || n <= 0 || from > rows - n) {
            throw new PydlException("DataError", "rows " + from + " to " + (from + n) + " of the " + rows + " of " + manifest);
        }
        long[] wanted = new long[n];
        int[] permutation = asked.order == null ? null : orders.of(asked.order, asked.size);
        for (int i = 0; i < n; i++) {
            wanted[i] = permutation == null ? from + i : permutation[(int) from + i];
        }
        int[] counts = counts();
        INDArray[] features = tensors("features", counts[0], wanted, permutation == null);
        INDArray[] labels = tensors("labels", counts[1], wanted, permutation == null);
        return new MultiDataSet(
                features,
                labels,
                masks(tensors("features_mask", features.length, wanted, permutation == null)),
                masks(tensors("labels_mask", labels.length, wanted, permutation == null)));
    }

    /** Of features and of labels: found once, and not with each minibatch. */
    private synchronized int[] counts() throws IOException {
        if (counts == null) {
            counts = new int[] {count("features"), count("labels")};
        }
        return counts;
    }

    /** How many there are, those included that are left out before others: labels of outputs that are not looked at. */
    private int count(String name) throws IOException {
        int n = 0;
        for (Column column : parts.get(0).file().columns) {
            n = Math.max(n, number(name, column.name) + 1);
        }
        return n;
    }

    /** What {@link #numbered} made the column's name of; -1 for another column. */
    private static int number(String name, String column) {
        if (column.equals(name)) {
            return 0;
        }
        return column.matches(name + "_\\d+") ? Integer.parseInt(column.substring(name.length() + 1)) : -1;
    }

    private static String numbered(String name, int i) {
        return i == 0 ? name : name + "_" + i;
    }

    private INDArray[] tensors(String name, int n, long[] wanted, boolean contiguous) throws IOException {
        INDArray[] tensors = new INDArray[n];
        for (int i = 0; i < n; i++) {
            tensors[i] = tensor(numbered(name, i), wanted, contiguous);
        }
        return tensors;
    }

    /** DL4J's word for no masks at all is null. */
    private static INDArray[] masks(INDArray[] masks) {
        return java.util.Arrays.stream(masks).allMatch(java.util.Objects::isNull) ? null : masks;
    }

    private INDArray tensor(String name, long[] wanted, boolean contiguous) throws IOException {
        Part first = part(wanted[0]);
        int index = first.column(name);
        if (index < 0) {
            return null;
        }
        Column column = first.file().columns.get(index);
        if (contiguous) {
            ByteBuffer memory = first.inPlace(index, wanted[0], wanted.length);
            if (memory != null) {
                return Native.wrap(memory, column.type, column.shapeOf(wanted.length));
            }
        }
        if (orders.areBucketed()) {
            return padded(index, wanted);
        }
        INDArray gathered = Nd4j.createUninitialized(column.type, column.shapeOf(wanted.length), 'c');
        long to = Tensors.address(gathered);
        for (long row : wanted) {
            part(row).copyRow(index, row, column, to);
            to += column.rowBytes();
        }
        return gathered;
    }

    /** Rows of several buckets, as long as the longest of them. */
    private INDArray padded(int index, long[] wanted) throws IOException {
        Column longest = part(wanted[0]).file().columns.get(index);
        for (long row : wanted) {
            Column other = part(row).file().columns.get(index);
            longest = other.rowElements() > longest.rowElements() ? other : longest;
        }
        INDArray gathered = Nd4j.zeros(longest.type, longest.shapeOf(wanted.length));
        ByteBuffer into = Native.buffer(gathered);
        for (int i = 0; i < wanted.length; i++) {
            Part part = part(wanted[i]);
            into.position(Math.toIntExact(i * longest.rowBytes()));
            part.file().columns.get(index).copy(part.row(index, wanted[i]), into, longest);
        }
        return gathered;
    }

    private Part part(long row) {
        int low = 0;
        int high = parts.size() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (parts.get(middle).start <= row) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return parts.get(low);
    }
}
