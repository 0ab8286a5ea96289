package org.pydl4j.nn;

import org.deeplearning4j.nn.conf.CNN2DFormat;
import org.deeplearning4j.nn.conf.RNNFormat;
import org.deeplearning4j.nn.conf.layers.Cnn3DLossLayer;
import org.deeplearning4j.nn.conf.layers.CnnLossLayer;
import org.deeplearning4j.nn.conf.layers.Convolution3D.DataFormat;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.deeplearning4j.nn.conf.layers.RnnLossLayer;
import org.deeplearning4j.nn.conf.layers.RnnOutputLayer;
import org.nd4j.evaluation.IEvaluation;
import org.nd4j.evaluation.classification.Evaluation;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.factory.ops.NDBase;

/** Counts which classes a network predicts, wherever its output and its labels have them. */
public final class Counting {
    private Counting() {}

    /** Nothing counted yet. */
    public static Evaluation of(Net network) {
        Evaluation evaluation = new Evaluation();
        evaluation.setAxis(axis(network.outputLayer(0)));
        return evaluation;
    }

    /** The dimension of an output layer's activations that has a number for each class. */
    static int axis(Layer last) {
        if (last instanceof CnnLossLayer) {
            return ((CnnLossLayer) last).getFormat() == CNN2DFormat.NHWC ? 3 : 1;
        }
        if (last instanceof Cnn3DLossLayer) {
            return ((Cnn3DLossLayer) last).getDataFormat() == DataFormat.NDHWC ? 4 : 1;
        }
        return isTimeFirst(last) ? 2 : 1;
    }

    /** @param mask of the labels; may be null */
    public static void add(IEvaluation<?> evaluation, INDArray labels, INDArray output, INDArray mask) {
        evaluation.eval(oneHot(labels, output), output, mask);
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
