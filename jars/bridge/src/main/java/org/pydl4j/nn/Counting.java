package org.pydl4j.nn;

import java.util.stream.IntStream;
import org.deeplearning4j.nn.conf.CNN2DFormat;
import org.deeplearning4j.nn.conf.RNNFormat;
import org.deeplearning4j.nn.conf.layers.Cnn3DLossLayer;
import org.deeplearning4j.nn.conf.layers.CnnLossLayer;
import org.deeplearning4j.nn.conf.layers.Convolution3D.DataFormat;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.deeplearning4j.nn.conf.layers.RnnLossLayer;
import org.deeplearning4j.nn.conf.layers.RnnOutputLayer;
import org.nd4j.evaluation.IEvaluation;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.api.MultiDataSet;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.factory.ops.NDBase;

/** Hands a network's outputs and their labels to DL4J's evaluations, as rows: an example, a time step or a pixel each. */
public final class Counting {
    private Counting() {}

    /**
     * Adds what one output gives for a minibatch.
     *
     * @param evaluation as DL4J makes it: no axis is set
     * @param activations of all outputs
     */
    public static void add(IEvaluation<?> evaluation, Net network, int output, MultiDataSet minibatch, INDArray[] activations) {
        INDArray[] masks = network.labelsMasks(minibatch);
        add(evaluation, axis(network.outputLayer(output)), minibatch.getLabels(output), activations[output], masks == null ? null : masks[output]);
    }

    private static void add(IEvaluation<?> evaluation, int axis, INDArray labels, INDArray output, INDArray mask) {
        INDArray actual = rows(oneHot(labels, output), axis);
        INDArray predicted = rows(output, axis);
        if (mask == null) {
            evaluation.eval(actual, predicted);
        } else if (mask.length() == labels.length() && mask.length() > actual.size(0)) { // of each number: what evaluations know themselves
            evaluation.eval(actual, predicted, rows(mask, axis));
        } else {
            int[] counted = counted(mask.dup('c').reshape(mask.length()), actual.size(0));
            if (counted.length > 0) {
                evaluation.eval(Nd4j.pullRows(actual, 1, counted, 'c'), Nd4j.pullRows(predicted, 1, counted, 'c'));
            }
        }
    }

    /** Rows that the mask leaves. */
    private static int[] counted(INDArray mask, long rows) {
        if (mask.length() != rows) {
            throw new IllegalStateException("a mask of " + mask.length() + " for " + rows + " rows of labels");
        }
        double[] values = mask.toDoubleVector();
        return IntStream.range(0, values.length).filter(i -> values[i] != 0).toArray();
    }

    /** A row for each place, in the order of examples and places. */
    private static INDArray rows(INDArray array, int axis) {
        if (array.rank() == 2) {
            return array;
        }
        int rank = array.rank();
        int[] order = IntStream.concat(IntStream.range(0, rank).filter(i -> i != axis), IntStream.of(axis)).toArray();
        return array.permute(order).dup('c').reshape(array.length() / array.size(axis), array.size(axis));
    }

    /** The dimension of an output layer's activations that has a number for each class. */
    private static int axis(Layer last) {
        if (last instanceof CnnLossLayer) {
            return ((CnnLossLayer) last).getFormat() == CNN2DFormat.NHWC ? 3 : 1;
        }
        if (last instanceof Cnn3DLossLayer) {
            return ((Cnn3DLossLayer) last).getDataFormat() == DataFormat.NDHWC ? 4 : 1;
        }
        return isTimeFirst(last) ? 2 : 1;
    }

    private static boolean isTimeFirst(Layer last) {
        return last instanceof RnnOutputLayer && ((RnnOutputLayer) last).getRnnDataFormat() == RNNFormat.NWC
                || last instanceof RnnLossLayer && ((RnnLossLayer) last).getRnnDataFormat() == RNNFormat.NWC;
    }

    /** Labels as an Evaluation wants them, of the output's shape: those of a sparse loss are indices of classes. */
    private static INDArray oneHot(INDArray labels, INDArray output) {
        int axis = 1; // where the classes are
        while (axis < labels.rank() && labels.size(axis) == output.size(axis)) {
            axis++;
        }
        if (axis == labels.rank()) {
            return labels;
        }
        INDArray classes = Nd4j.squeeze(labels, axis).castTo(DataType.INT32);
        return new NDBase().oneHot(classes, (int) output.size(axis), axis, 1, 0, output.dataType());
    }
}
