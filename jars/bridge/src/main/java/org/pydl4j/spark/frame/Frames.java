package org.pydl4j.spark.frame;

import java.net.URI;
import java.util.List;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.deeplearning4j.nn.api.Model;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.pydl4j.PydlException;
import org.pydl4j.job.Job;
import org.pydl4j.job.Jobs;
import org.pydl4j.nn.Net;
import org.pydl4j.spark.Answer;
import org.pydl4j.spark.SharedNet;

/** What Python does with a DataFrame. */
public final class Frames {
    private Frames() {}

    /** A DataFrame of Parquet, by path or URI. */
    public static Dataset<Row> parquet(SparkSession session, String path) {
        try {
            return session.read().parquet(path);
        } catch (Exception e) { // Scala's: an AnalysisException is not declared
            throw new PydlException("DataError", "expected a dataset that save_dataset wrote, or Parquet. Received: " + path
                    + ", which is neither (" + String.valueOf(e.getMessage()).lines().findFirst().orElse("") + ")", "data", e);
        }
    }

    /**
     * Starts writing columns as a dataset; the result is {@code {rows}}.
     *
     * @param target an existing directory that driver and executors see, by URI
     * @param options {@code {tensors: [{name, columns, shape, dtype, range, classes, indices, normalizer}], batch_size, about}}
     */
    public static Job write(Dataset<Row> frame, String target, String options) {
        return Jobs.start(new FrameJob(frame, FrameOptions.parse(options), URI.create(target)));
    }

    /**
     * Starts collecting what a normalizer learns; the result is {@code {rows}}, then there is {@link #statistics}.
     *
     * @param options as for {@link #write}, of one tensor that is not normalized
     * @param kind the normalizer's type as DL4J writes it: STANDARDIZE or MIN_MAX
     */
    public static Job collectStatistics(Dataset<Row> frame, String options, String kind) {
        return Jobs.start(new StatisticsJob(frame, FrameOptions.parse(options), kind));
    }

    /** Of a job that is done: [2, features], mean and standard deviation or smallest and largest. */
    public static INDArray statistics(StatisticsJob job) {
        return job.pair();
    }

    /**
     * The DataFrame with columns of what the network answers appended, computed where and when the rows are.
     *
     * @param options as for {@link #write}, of features, and for scores of labels
     * @param answer one of {@link Answer}
     * @param appended {@code [{column, output, classes, score}]}: each column is an output's numbers as an array; or with {@code classes} the
     *     index of the largest, an integer; or the {@code score}, a double
     */
    public static Dataset<Row> predict(
            Dataset<Row> frame, Model network, String options, String answer, String appended, long batchSize) {
        FrameOptions parsed = FrameOptions.parse(options);
        boolean doublePrecision = parsed.tensors.get(0).doublePrecision;
        DataType number = doublePrecision ? DataTypes.DoubleType : DataTypes.FloatType;
        List<Appended> columns = Appended.parse(appended);
        StructType schema = frame.schema();
        for (Appended column : columns) {
            schema = schema.add(column.name, column.type(number), false);
        }
        SharedNet net = SharedNet.of(frame.sparkSession(), Net.of(network));
        parsed.tensors.forEach(tensor -> RowReader.of(tensor, frame.schema())); // refuses columns before rows are asked for
        Predictor predictor = new Predictor(net, parsed, frame.schema(), Answer.named(answer), columns, Math.toIntExact(batchSize));
        RDD<InternalRow> rows = frame.queryExecution().toRdd().toJavaRDD().mapPartitions(predictor).rdd();
        return frame.sparkSession().internalCreateDataFrame(rows, schema, false);
    }
}
