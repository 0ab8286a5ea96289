package org.pydl4j.nn;

import org.deeplearning4j.nn.conf.layers.Layer;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.api.MultiDataSet;
import org.nd4j.linalg.factory.Nd4j;
import org.pydl4j.PydlException;
import org.pydl4j.evaluation.ClassAxis;

/** What counts of each output: the masks of the labels, and where there are none what becomes of the features' masks on their way there. */
final class LabelsMasks {
    private LabelsMasks() {}

    /** One for each output, null for none; null where there are none at all. */
    static INDArray[] of(Net network, MultiDataSet minibatch) {
        INDArray[] given = minibatch.getLabelsMaskArrays();
        INDArray[] ofFeatures = minibatch.getFeaturesMaskArrays();
        if (ofFeatures == null) {
            return given;
        }
        INDArray[] masks = new INDArray[network.outputs()];
        INDArray[] arriving = network.arriving(ofFeatures, Math.toIntExact(minibatch.getFeatures(0).size(0)));
        for (int i = 0; i < masks.length; i++) {
            if (given != null && given[i] != null) {
                masks[i] = given[i];
            } else if (arriving[i] != null && minibatch.getLabels(i) != null) {
                masks[i] = forLabels(arriving[i], minibatch.getLabels(i), network.outputLayer(i));
            }
        }
        return masks;
    }

    /** The minibatch as DL4J's losses take it. */
    static MultiDataSet completed(Net network, MultiDataSet minibatch) {
        INDArray[] masks = of(network, minibatch);
        if (masks == null) {
            return minibatch;
        }
        INDArray[] features = minibatch.getFeatures();
        INDArray[] labels = minibatch.getLabels();
        INDArray[] ofFeatures = minibatch.getFeaturesMaskArrays();
        // DL4J takes a mask of one number for one of the labels' numbers, and fails: twice the same example has the same mean loss
        boolean twice = hasSingle(masks);
        return twice
                ? new org.nd4j.linalg.dataset.MultiDataSet(doubled(features), doubled(labels), doubled(ofFeatures), doubled(masks))
                : new org.nd4j.linalg.dataset.MultiDataSet(features, labels, ofFeatures, masks);
    }

    /** A mask of time steps or pixels as that of the labels; null where it is of something else, which a layer on the way has dealt with. */
    private static INDArray forLabels(INDArray mask, INDArray labels, Layer last) {
        int axis = ClassAxis.of(last);
        if (mask.length() * labels.size(axis) != labels.length()) {
            return null;
        }
        INDArray numbers = mask.castTo(labels.dataType()); // from a merge it comes as booleans
        if (labels.rank() != 4) {
            return numbers;
        }
        if (axis != 1) {
            throw new PydlException("ConfigError", "features_mask: DL4J cannot mask pixels with channels last, and the mask arrives at an output "
                    + "layer that has them so; give that layer data_format='nchw'", "features_mask", null);
        }
        return numbers.reshape(labels.size(0), labels.size(2), labels.size(3));
    }

    private static boolean hasSingle(INDArray[] masks) {
        for (INDArray mask : masks) {
            if (mask != null && mask.length() == 1) {
                return true;
            }
        }
        return false;
    }

    private static INDArray[] doubled(INDArray[] arrays) {
        if (arrays == null) {
            return null;
        }
        INDArray[] twice = new INDArray[arrays.length];
        for (int i = 0; i < twice.length; i++) {
            twice[i] = arrays[i] == null ? null : Nd4j.concat(0, arrays[i], arrays[i]);
        }
        return twice;
    }
}
