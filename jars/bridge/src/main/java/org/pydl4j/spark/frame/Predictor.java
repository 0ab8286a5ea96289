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

/** Appends the network's outputs to the rows of a partition, a batch at a time. */
final class Predictor implements FlatMapFunction<Iterator<InternalRow>, InternalRow> {
    private static final long serialVersionUID = 1L;

    private final SharedNet net;
    private final FrameOptions options;
    private final StructType schema;
    private final List<Appended> columns;
    private final int batchSize;

    Predictor(SharedNet net, FrameOptions options, StructType schema, List<Appended> columns, int batchSize) {
        this.net = net;
        this.options = options;
        this.schema = schema;
        this.columns = columns;
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
        List<Object[]> predicted = batch.use(features -> net.useUnchecked(network -> predict(network, features)));
        List<InternalRow> joined = new ArrayList<>(rows.size());
        for (int i = 0; i < rows.size(); i++) {
            Object[] values = new Object[predicted.size()];
            for (int j = 0; j < values.length; j++) {
                values[j] = predicted.get(j)[i];
            }
            joined.add(new JoinedRow(rows.get(i), new GenericInternalRow(values)));
        }
        return joined;
    }

    /** The values of each column. */
    private List<Object[]> predict(Net network, List<INDArray> features) {
        INDArray[] outputs = network.output(new MultiDataSet(features.toArray(new INDArray[0]), null));
        List<Object[]> predicted = new ArrayList<>(columns.size());
        for (Appended column : columns) {
            INDArray output = outputs[column.output];
            predicted.add(column.classes ? classes(output) : numbers(output));
        }
        for (INDArray output : outputs) {
            if (features.stream().noneMatch(x -> x.data().address() == output.data().address())) {
                Arrays.close(output);
            }
        }
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
