package org.pydl4j.spark.frame;

import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.columnar.CachedBatchSerializer;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.columnar.CachedRDDBuilder;
import org.apache.spark.sql.execution.columnar.InMemoryTableScanExec;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Rows made of the columns of a cached DataFrame of numbers, some rows at a time. Spark makes them number by number, and does so from 100
 * columns on whatever can read columns.
 */
final class CachedNumbers implements Iterator<InternalRow> {
    private final Iterator<ColumnarBatch> batches;
    private ColumnarBatch batch;
    private boolean hasNulls;
    /** of the batch: where the tile starts, and where the next row is */
    private int start;
    private int next;
    private Tile tile;

    private CachedNumbers(Iterator<ColumnarBatch> batches) {
        this.batches = batches;
    }

    /** The rows of a DataFrame, whatever it is: from its columns where it is cached and all of them are numbers. */
    static JavaRDD<InternalRow> rows(Dataset<Row> frame) {
        SparkPlan plan = frame.queryExecution().sparkPlan(); // what runs is hidden in an adaptive plan
        if (plan instanceof InMemoryTableScanExec && isOfNumbers((InMemoryTableScanExec) plan)) {
            return columns((InMemoryTableScanExec) plan).toJavaRDD().mapPartitions(CachedNumbers::new);
        }
        return frame.queryExecution().toRdd().toJavaRDD();
    }

    private static boolean isOfNumbers(InMemoryTableScanExec scan) {
        return scan.predicates().isEmpty()
                && scan.conf().cacheVectorizedReaderEnabled()
                && scan.relation().cacheBuilder().serializer().supportsColumnarOutput(scan.schema());
    }

    private static RDD<ColumnarBatch> columns(InMemoryTableScanExec scan) {
        CachedRDDBuilder cached = scan.relation().cacheBuilder();
        CachedBatchSerializer serializer = cached.serializer();
        return serializer.convertCachedBatchToColumnarBatch(
                cached.cachedColumnBuffers(), scan.relation().output(), scan.attributes(), scan.conf());
    }

    @Override
    public boolean hasNext() {
        while (batch == null || next == batch.numRows()) {
            if (batch != null) {
                batch.close(); // Spark keeps it until the task ends
                batch = null;
            }
            if (!batches.hasNext()) {
                return false;
            }
            open(batches.next());
        }
        return true;
    }

    private void open(ColumnarBatch columns) {
        batch = columns;
        next = 0;
        start = -Tile.ROWS;
        hasNulls = false;
        for (int i = 0; i < columns.numCols(); i++) {
            hasNulls |= columns.column(i).hasNull();
        }
    }

    @Override
    public InternalRow next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        int row = next++;
        if (hasNulls) {
            return batch.getRow(row);
        }
        if (row == start + Tile.ROWS) {
            start = row;
            tile = tile == null ? new Tile(batch) : tile;
            tile.fill(batch, row);
        }
        return tile.row(row - start);
    }
}
