package org.pydl4j.spark.frame;

import java.net.URI;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.nd4j.shade.jackson.databind.node.ObjectNode;
import org.pydl4j.Json;
import org.pydl4j.spark.BlockStore;
import org.pydl4j.spark.SparkJob;
import org.pydl4j.spark.Spools;
import org.pydl4j.spark.data.Block;
import org.pydl4j.spark.data.Manifest;
import org.pydl4j.spark.data.Storage;

/** Writes columns of a DataFrame as a dataset of Arrow files: the executors do, and the driver notes down what they wrote. */
final class FrameJob extends SparkJob {
    private final Dataset<Row> frame;
    private final FrameOptions options;
    private final URI target;

    FrameJob(Dataset<Row> frame, FrameOptions options, URI target) {
        super(frame.sparkSession(), "pydl4j: DataFrame to tensors");
        this.frame = frame;
        this.options = options;
        this.target = target;
    }

    @Override
    protected ObjectNode sparkWork() throws Exception {
        Dataset<Row> selected = options.select(frame);
        options.tensors.forEach(tensor -> RowReader.of(tensor, selected.schema())); // refuses columns before executors start
        JavaRDD<InternalRow> rows = CachedNumbers.rows(selected);
        RowCount count = RowCount.of(sc);
        if (!Spools.isShared(target.toString())) {
            JavaRDD<Block> blocks = rows.mapPartitions(new FrameBlocks(options, selected.schema(), count));
            URI manifest = Storage.child(target, Manifest.FILE);
            long kept = RowProgress.during(() -> BlockStore.keep(sc, manifest, blocks), count, this::converted);
            return Json.object().put("rows", kept);
        }
        FrameWriter writer = new FrameWriter(options, selected.schema(), target, count);
        Manifest manifest = Manifest.of(Json.parse(options.about));
        RowProgress.during(() -> rows.mapPartitions(writer).collect(), count, this::converted).forEach(manifest::add);
        Storage.writeText(Storage.child(target, Manifest.FILE), manifest.toJson());
        return Json.object().put("rows", manifest.rows());
    }

    private void converted(long rows) {
        emit(event("rows").put("rows", rows));
    }
}
