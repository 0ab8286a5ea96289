package org.pydl4j.nn;

import java.util.Collection;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.optimize.api.TrainingListener;
import org.deeplearning4j.optimize.solvers.accumulation.GradientsAccumulator;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.dataset.api.MultiDataSet;

/** Layers one after the other. */
final class MultiLayerNet extends Net {
    private final MultiLayerNetwork network;

    MultiLayerNet(MultiLayerNetwork network) {
        this.network = network;
    }

    @Override
    public Model model() {
        return network;
    }

    @Override
    public String configuration() {
        return network.getLayerWiseConfigurations().toJson();
    }

    @Override
    public long seed() {
        return network.getLayerWiseConfigurations().getConf(0).getSeed();
    }

    @Override
    public INDArray updaterState() {
        return network.getUpdater().getStateViewArray();
    }

    @Override
    public int iterations() {
        return network.getLayerWiseConfigurations().getIterationCount();
    }

    @Override
    public int epochs() {
        return network.getLayerWiseConfigurations().getEpochCount();
    }

    @Override
    public void setCounters(int iterations, int epochs) {
        network.getLayerWiseConfigurations().setIterationCount(iterations);
        network.getLayerWiseConfigurations().setEpochCount(epochs);
    }

    @Override
    void incrementEpochs() {
        network.incrementEpochCount();
    }

    @Override
    public Net copy() {
        return of(Copies.of(network));
    }

    @Override
    void step(MultiDataSet minibatch) {
        network.fit(single(minibatch));
    }

    @Override
    public void setScore(double score) {
        network.setScore(score);
    }

    @Override
    double loss(MultiDataSet minibatch) {
        return network.score(single(minibatch), false);
    }

    @Override
    INDArray losses(MultiDataSet minibatch, boolean regularization) {
        return network.scoreExamples(single(minibatch), regularization);
    }

    @Override
    public INDArray[] output(MultiDataSet minibatch) {
        INDArray features = minibatch.getFeatures(0);
        return new INDArray[] {network.output(features, false, mask(minibatch.getFeaturesMaskArrays()), null)};
    }

    @Override
    INDArray[] arriving(INDArray[] masks, int rows) {
        return new INDArray[] {MaskFlow.of(network, masks[0])};
    }

    @Override
    public int outputs() {
        return 1;
    }

    @Override
    public Layer outputLayer(int index) {
        return network.getOutputLayer().conf().getLayer();
    }

    @Override
    Collection<TrainingListener> listeners() {
        return network.getListeners();
    }

    @Override
    public void setGradientsAccumulator(GradientsAccumulator accumulator) {
        network.setGradientsAccumulator(accumulator);
    }

    static DataSet single(MultiDataSet minibatch) {
        if (minibatch.numFeatureArrays() != 1 || minibatch.numLabelsArrays() != 1) {
            throw new IllegalArgumentException("a multi-layer network has one input and one output; received "
                    + minibatch.numFeatureArrays() + " and " + minibatch.numLabelsArrays());
        }
        return new DataSet(minibatch.getFeatures(0), minibatch.getLabels(0),
                mask(minibatch.getFeaturesMaskArrays()), mask(minibatch.getLabelsMaskArrays()));
    }

    private static INDArray mask(INDArray[] masks) {
        return masks == null ? null : masks[0];
    }
}
