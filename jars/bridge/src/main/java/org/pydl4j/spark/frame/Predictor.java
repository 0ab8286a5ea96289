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
import org.apache.spark.sql.types.StructType;
import org.apache.spark.util.TaskCompletionListener;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.MultiDataSet;
import org.pydl4j.nn.Net;
import org.pydl4j.spark.Arrays;
import org.pydl4j.spark.SharedNet;

/** Appends the network's output to the rows of a partition, a batch at a time. */
final class Predictor implements FlatMapFunction<Iterator<InternalRow>, InternalRow> {
    private static final long serialVersionUID = 1L;

    private final SharedNet net;
    private final FrameOptions options;
    private final StructType schema;
    private final boolean classes;
    private final int batchSize;

    Predictor(SharedNet net, FrameOptions options, StructType schema, boolean classes, int batchSize) {
        this.net = net;
        this.options = options;
        this.schema = schema;
        this.classes = classes;
        this.batchSize = batchSize;
    }

    @Override
    public Iterator<InternalRow> call(Iterator<InternalRow> rows) {
        Predictions predictions = new Predictions(rows);
        TaskContext.get().addTaskCompletionListener((TaskCompletionListener) task -> predictions.close());
        return predictions;
    }

    /** Synchronized: a task that ends early may be closed while a thread of Spark's still asks for rows, to send them to Python. */
    private final class Predictions implements Iterator<InternalRow> {
        private final Iterator<InternalRow> rows;
        private final Batches batch = new Batches(options.tensors, batchSize, schema);
        private final Queue<InternalRow> ready = new ArrayDeque<>();
        private boolean closed;

        Predictions(Iterator<InternalRow> rows) {
            this.rows = rows;
        }

        @Override
        public synchronized boolean hasNext() {
            if (ready.isEmpty() && !closed && rows.hasNext()) {
                List<InternalRow> taken = take();
                ready.addAll(join(taken, batch));
                batch.clear();
            }
            return !ready.isEmpty();
        }

        @Override
        public synchronized InternalRow next() {
            return ready.remove();
        }

        private List<InternalRow> take() {
            List<InternalRow> taken = new ArrayList<>();
            while (!batch.isFull() && rows.hasNext()) {
                InternalRow row = rows.next().copy(); // Spark uses the same object for the next one
                batch.add(row);
                taken.add(row);
            }
            return taken;
        }

        synchronized void close() {
            closed = true;
            batch.close();
        }
    }

    private List<InternalRow> join(List<InternalRow> rows, Batches batch) {
        Object[] predicted = batch.use(features -> net.useUnchecked(network -> predict(network, features.get(0))));
        List<InternalRow> joined = new ArrayList<>(predicted.length);
        for (int i = 0; i < predicted.length; i++) {
            joined.add(new JoinedRow(rows.get(i), new GenericInternalRow(new Object[] {predicted[i]})));
        }
        return joined;
    }

    private Object[] predict(Net network, INDArray x) {
        INDArray output = network.output(new MultiDataSet(x, null))[0];
        Object[] predicted = classes ? classes(output) : numbers(output);
        Arrays.closeUnlessOf(x, output);
        return predicted;
    }

    private static Object[] classes(INDArray output) {
        Object[] predicted = new Object[(int) output.size(0)];
        boolean yesNo = output.size(1) == 1;
        int[] indices = yesNo ? null : output.argMax(1).toIntVector();
        for (int i = 0; i < predicted.length; i++) {
            predicted[i] = yesNo ? (output.getDouble(i) >= 0.5 ? 1 : 0) : indices[i];
        }
        return predicted;
    }

    private Object[] numbers(INDArray output) {
        Object[] predicted = new Object[(int) output.size(0)];
        INDArray plain = output.dup('c');
        INDArray flat = plain.reshape(output.size(0), output.length() / output.size(0));
        for (int i = 0; i < predicted.length; i++) {
            INDArray row = flat.getRow(i);
            predicted[i] = output.dataType() == DataType.DOUBLE
                    ? ArrayData.toArrayData(row.toDoubleVector())
                    : ArrayData.toArrayData(row.toFloatVector());
        }
        Arrays.close(plain);
        return predicted;
    }
}
