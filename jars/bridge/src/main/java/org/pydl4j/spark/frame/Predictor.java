package org.pydl4j.spark.frame;

import java.nio.ByteBuffer;
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
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.util.TaskCompletionListener;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.MultiDataSet;
import org.pydl4j.nn.Net;
import org.pydl4j.spark.Answer;
import org.pydl4j.spark.Arrays;
import org.pydl4j.spark.SharedNet;
import org.pydl4j.spark.data.Native;
import org.pydl4j.tensor.Tensors;

/** Appends the network's outputs to the rows of a partition, a batch at a time. */
final class Predictor implements FlatMapFunction<Iterator<InternalRow>, InternalRow> {
    private static final long serialVersionUID = 1L;

    private final SharedNet net;
    private final FrameOptions options;
    private final StructType schema;
    private final Answer answer;
    private final List<Appended> columns;
    private final int batchSize;

    Predictor(SharedNet net, FrameOptions options, StructType schema, Answer answer, List<Appended> columns, int batchSize) {
        this.net = net;
        this.options = options;
        this.schema = schema;
        this.answer = answer;
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
        private final Lengths lengths = new Lengths(options.tensors, schema);
        private final Queue<InternalRow> ready = new ArrayDeque<>();
        private boolean closed;
        private long seen;
        private Batches batch;

        Predictions(Iterator<InternalRow> rows) {
            this.rows = rows;
        }

        @Override
        public synchronized boolean hasNext() {
            if (ready.isEmpty() && !closed && rows.hasNext()) {
                ready.addAll(predicted(take()));
            }
            return !ready.isEmpty();
        }

        @Override
        public synchronized InternalRow next() {
            return ready.remove();
        }

        private List<InternalRow> take() {
            List<InternalRow> taken = new ArrayList<>();
            while (taken.size() < batchSize && rows.hasNext()) {
                taken.add(rows.next().copy()); // Spark uses the same object for the next one
            }
            return taken;
        }

        private List<InternalRow> predicted(List<InternalRow> taken) {
            if (batch == null || lengths.vary()) {
                closeBatch();
                batch = new Batches(lengths.fitting(taken), batchSize, schema);
            }
            for (InternalRow row : taken) {
                batch.add(row, seen++);
            }
            List<InternalRow> joined = join(taken, batch, taken.stream().mapToInt(lengths::steps).toArray());
            batch.clear();
            return joined;
        }

        synchronized void close() {
            closed = true;
            closeBatch();
        }

        private void closeBatch() {
            if (batch != null) {
                batch.close();
                batch = null;
            }
        }
    }

    /** @param steps of each row's sequences */
    private List<InternalRow> join(List<InternalRow> rows, Batches batch, int[] steps) {
        List<Object[]> predicted = batch.use(tensors -> net.useUnchecked(network -> predict(network, tensors, steps)));
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
    private List<Object[]> predict(Net network, List<INDArray> tensors, int[] steps) {
        List<INDArray> features = new ArrayList<>();
        List<INDArray> labels = new ArrayList<>();
        for (int i = 0; i < tensors.size(); i++) {
            TensorOptions tensor = options.tensors.get(i);
            if (!tensor.mask) {
                (tensor.isFeatures() ? features : labels).add(tensors.get(i));
            }
        }
        INDArray[] outputs = answer.of(network, new MultiDataSet(
                array(features),
                labels.isEmpty() ? null : array(labels),
                masks(tensors, features.size(), true),
                masks(tensors, labels.size(), false)));
        List<Object[]> predicted = new ArrayList<>(columns.size());
        for (Appended column : columns) {
            INDArray output = outputs[column.output];
            predicted.add(values(column, output, steps));
        }
        for (INDArray output : outputs) {
            if (features.stream().noneMatch(x -> x.data().address() == output.data().address())) {
                Arrays.close(output);
            }
        }
        return predicted;
    }

    private static Object[] values(Appended column, INDArray output, int[] steps) {
        if (column.steps) {
            StepOutputs each = new StepOutputs(output, steps, column.timeLast);
            return column.classes ? each.classes() : each.numbers();
        }
        return column.score ? scores(output) : column.classes ? classes(output) : numbers(output);
    }

    /** The masks of features or of labels; null for none. */
    private INDArray[] masks(List<INDArray> tensors, int n, boolean ofFeatures) {
        INDArray[] masks = new INDArray[n];
        boolean any = false;
        for (int i = 0; i < tensors.size(); i++) {
            TensorOptions tensor = options.tensors.get(i);
            if (tensor.mask && tensor.isFeaturesMask() == ofFeatures) {
                masks[tensor.number()] = tensors.get(i);
                any = true;
            }
        }
        return any ? masks : null;
    }

    private static INDArray[] array(List<INDArray> arrays) {
        return arrays.toArray(new INDArray[0]);
    }

    private static Object[] scores(INDArray output) {
        Object[] scores = new Object[(int) output.length()];
        for (int i = 0; i < scores.length; i++) {
            scores[i] = output.getDouble(i);
        }
        return scores;
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

    /** In Spark's own layout, copied in bulk: an array of Java would be boxed number by number. */
    private static Object[] numbers(INDArray output) {
        Object[] predicted = new Object[(int) output.size(0)];
        int width = (int) (output.length() / predicted.length);
        boolean doubles = output.dataType() == DataType.DOUBLE;
        INDArray floating = doubles ? output : output.castTo(DataType.FLOAT);
        INDArray plain = Tensors.isContiguous(floating) ? floating : floating.dup('c');
        ByteBuffer buffer = Native.buffer(plain);
        for (int i = 0; i < predicted.length; i++) {
            if (doubles) {
                double[] row = new double[width];
                buffer.asDoubleBuffer().position(i * width).get(row);
                predicted[i] = UnsafeArrayData.fromPrimitiveArray(row);
            } else {
                float[] row = new float[width];
                buffer.asFloatBuffer().position(i * width).get(row);
                predicted[i] = UnsafeArrayData.fromPrimitiveArray(row);
            }
        }
        if (plain != floating) {
            plain.close();
        }
        if (floating != output) {
            floating.close();
        }
        return predicted;
    }
}
