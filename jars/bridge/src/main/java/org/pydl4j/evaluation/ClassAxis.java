package org.pydl4j.evaluation;

import org.deeplearning4j.nn.conf.CNN2DFormat;
import org.deeplearning4j.nn.conf.RNNFormat;
import org.deeplearning4j.nn.conf.layers.Cnn3DLossLayer;
import org.deeplearning4j.nn.conf.layers.CnnLossLayer;
import org.deeplearning4j.nn.conf.layers.Convolution3D.DataFormat;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.deeplearning4j.nn.conf.layers.RnnLossLayer;
import org.deeplearning4j.nn.conf.layers.RnnOutputLayer;

/** Where outputs have their classes. */
public final class ClassAxis {
    private ClassAxis() {}

    /** The dimension of an output layer's activations that has a number for each class. */
    public static int of(Layer last) {
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
}
