package org.pydl4j.spark.frame;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.pydl4j.spark.SharedNet;

/** Appends the network's output to the rows of a partition, a batch at a time. */
final class Predictor implements FlatMapFunction<Iterator<InternalRow>, InternalRow> {
    private static final long serialVersionUID = 1L;

    private final SharedNet net;
    private final FrameOptions options;
    private final RowReader features;
    private final boolean classes;
    private final int batchSize;

    Predictor(SharedNet net, FrameOptions options, RowReader features, boolean classes, int batchSize) {
        this.net = net;
        this.options = options;
        this.features = features;
        this.classes = classes;
        this.batchSize = batchSize;
    }

    @Override
    public Iterator<InternalRow> call(Iterator<InternalRow> rows) {
        Batch batch = new Batch(batchSize, options.featureShape, options.doublePrecision);
        Queue<InternalRow> ready = new ArrayDeque<>();
        int partition = TaskContext.getPartitionId();
        return new Iterator<>() {
            private long seen;

            @Override
            public boolean hasNext() {
                if (ready.isEmpty() && rows.hasNext()) {
                    List<InternalRow> taken = take();
                    ready.addAll(join(taken, batch.rows(taken.size())));
                    batch.clear();
                }
                return !ready.isEmpty();
            }

            @Override
            public InternalRow next() {
                return ready.remove();
            }

            private List<InternalRow> take() {
                List<InternalRow> taken = new ArrayList<>();
                while (taken.size() < batchSize && rows.hasNext()) {
                    InternalRow row = rows.next().copy(); // Spark uses the same object for the next one
                    features.read(row, batch.buffer(), partition, seen++);
                    taken.add(row);
                }
                return taken;
            }
        };
    }

    private List<InternalRow> join(List<InternalRow> rows, INDArray x) {
        Object[] predicted = net.useUnchecked(network -> predict(network, x));
        List<InternalRow> joined = new ArrayList<>(predicted.length);
        for (int i = 0; i < predicted.length; i++) {
            joined.add(new JoinedRow(rows.get(i), new GenericInternalRow(new Object[] {predicted[i]})));
        }
        return joined;
    }

    private Object[] predict(MultiLayerNetwork network, INDArray x) {
        if (options.normalizer != null) {
            options.normalizer.transform(x);
        }
        INDArray output = network.output(x, false);
        Object[] predicted = new Object[(int) output.size(0)];
        if (classes) {
            boolean yesNo = output.size(1) == 1;
            int[] indices = yesNo ? null : output.argMax(1).toIntVector();
            for (int i = 0; i < predicted.length; i++) {
                predicted[i] = yesNo ? (output.getDouble(i) >= 0.5 ? 1 : 0) : indices[i];
            }
            return predicted;
        }
        INDArray flat = output.dup('c').reshape(output.size(0), output.length() / output.size(0));
        for (int i = 0; i < predicted.length; i++) {
            INDArray row = flat.getRow(i);
            predicted[i] = options.doublePrecision
                    ? ArrayData.toArrayData(row.toDoubleVector())
                    : ArrayData.toArrayData(row.toFloatVector());
        }
        return predicted;
    }
}
