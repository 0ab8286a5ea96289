package org.pydl4j.spark.frame;

import java.net.URI;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.deeplearning4j.nn.api.Model;
import org.pydl4j.job.Job;
import org.pydl4j.job.Jobs;
import org.pydl4j.nn.Net;
import org.pydl4j.spark.SharedNet;

/** What Python does with a DataFrame. */
public final class Frames {
    private Frames() {}

    /**
     * Starts writing columns as a dataset; the result is {@code {rows}}.
     *
     * @param target an existing directory that driver and executors see, by URI
     * @param options {@code {features, feature_shape, labels, label_shape, dtype}}
     */
    public static Job write(Dataset<Row> frame, String target, String options) {
        return Jobs.start(new FrameJob(frame, FrameOptions.parse(options), URI.create(target)));
    }

    /**
     * The DataFrame with a column of the network's output appended, computed where and when the rows are.
     *
     * @param options as for {@link #write}, without labels
     * @param classes whether the column is the index of the largest output, an integer; else the outputs as an array
     */
    public static Dataset<Row> predict(
            Dataset<Row> frame, Model network, String options, String column, boolean classes, long batchSize) {
        FrameOptions parsed = FrameOptions.parse(options);
        DataType number = parsed.doublePrecision ? DataTypes.DoubleType : DataTypes.FloatType;
        DataType type = classes ? DataTypes.IntegerType : DataTypes.createArrayType(number, false);
        StructType schema = frame.schema().add(column, type, false);
        SharedNet net = SharedNet.of(frame.sparkSession(), Net.of(network));
        Predictor predictor = new Predictor(
                net, parsed, RowReader.features(parsed, frame.schema()), classes, Math.toIntExact(batchSize));
        RDD<InternalRow> rows = frame.queryExecution().toRdd().toJavaRDD().mapPartitions(predictor).rdd();
        return frame.sparkSession().internalCreateDataFrame(rows, schema, false);
    }
}
