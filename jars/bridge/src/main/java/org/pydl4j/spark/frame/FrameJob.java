package org.pydl4j.spark.frame;

import java.net.URI;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;
import org.nd4j.shade.jackson.databind.node.ObjectNode;
import org.pydl4j.Json;
import org.pydl4j.spark.SparkJob;
import org.pydl4j.spark.WrittenPart;
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
        Dataset<Row> selected = frame.select(columns());
        StructType schema = selected.schema();
        RowReader labels = options.labels.length == 0 ? null : RowReader.labels(options, schema);
        JavaRDD<InternalRow> rows = selected.queryExecution().toRdd().toJavaRDD();
        Manifest manifest = new Manifest();
        FrameWriter writer = new FrameWriter(options, RowReader.features(options, schema), labels, target);
        for (WrittenPart part : rows.mapPartitions(writer).collect()) {
            manifest.add(part.file, part.rows);
        }
        Storage.writeText(Storage.child(target, Manifest.FILE), manifest.toJson());
        return Json.object().put("rows", manifest.rows());
    }

    private Column[] columns() {
        java.util.Set<String> names = new java.util.LinkedHashSet<>(java.util.List.of(options.features));
        names.addAll(java.util.List.of(options.labels));
        return names.stream().map(name -> frame.col("`" + name.replace("`", "``") + "`")).toArray(Column[]::new);
    }
}
