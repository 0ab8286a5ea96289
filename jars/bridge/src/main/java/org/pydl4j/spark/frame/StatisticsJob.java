package org.pydl4j.spark.frame;

import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.shade.jackson.databind.node.ObjectNode;
import org.pydl4j.Json;
import org.pydl4j.PydlException;
import org.pydl4j.spark.SparkJob;

/** What a normalizer learns of a DataFrame's features, in one pass on the executors. */
public final class StatisticsJob extends SparkJob {
    private final Dataset<Row> frame;
    private final FrameOptions options;
    private final String kind;
    private INDArray pair;

    StatisticsJob(Dataset<Row> frame, FrameOptions options, String kind) {
        super(frame.sparkSession(), "pydl4j: statistics of a DataFrame");
        this.frame = frame;
        this.options = options;
        this.kind = kind;
    }

    @Override
    protected ObjectNode sparkWork() {
        Dataset<Row> selected = options.select(frame);
        TensorOptions tensor = options.tensors.get(0);
        options.tensors.forEach(each -> RowReader.of(each, selected.schema()));
        JavaRDD<InternalRow> rows = CachedNumbers.rows(selected);
        RowCount count = RowCount.of(sc);
        Statistics all = Statistics.of(kind, tensor.shape);
        Collect collect = new Collect(options.tensors, selected.schema(), kind, count);
        RowProgress.during(() -> rows.mapPartitions(collect).collect(), count, seen -> emit(event("rows").put("rows", seen)))
                .forEach(all::merge);
        if (count.value() > 0 && !all.isKnown()) {
            throw new PydlException("DataError", "no time step of the features counts: their mask is 0 everywhere", "features_mask", null);
        }
        synchronized (this) {
            pair = Nd4j.create(all.pair());
        }
        return Json.object().put("rows", count.value());
    }

    /** [2, features] once the job is done. */
    synchronized INDArray pair() {
        return pair;
    }

    /** A partition's statistics, on an executor. */
    private static final class Collect implements FlatMapFunction<Iterator<InternalRow>, Statistics> {
        private static final long serialVersionUID = 1L;

        /** features, and for sequences their mask */
        private final List<TensorOptions> tensors;
        private final StructType schema;
        private final String kind;
        private final RowCount count;

        Collect(List<TensorOptions> tensors, StructType schema, String kind, RowCount count) {
            this.tensors = tensors;
            this.schema = schema;
            this.kind = kind;
            this.count = count;
        }

        @Override
        public Iterator<Statistics> call(Iterator<InternalRow> rows) {
            Statistics statistics = Statistics.of(kind, tensors.get(0).shape);
            try (Batches batches = new Batches(tensors, 0, schema)) {
                batches.each(rows, count, arrays -> add(statistics, arrays));
            }
            return List.of(statistics).iterator();
        }

        private void add(Statistics statistics, List<INDArray> arrays) {
            if (arrays.size() == 1) {
                statistics.add(arrays.get(0));
                return;
            }
            SequenceShape shape = tensors.get(0).sequence;
            double[] steps = new MaskedSteps(shape, arrays.get(1)).of(arrays.get(0));
            if (steps.length > 0) {
                statistics.add(steps, steps.length / shape.size);
            }
        }
    }
}
