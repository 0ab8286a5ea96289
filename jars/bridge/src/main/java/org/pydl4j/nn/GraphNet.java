package org.pydl4j.nn;

import java.util.Collection;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.optimize.api.TrainingListener;
import org.deeplearning4j.optimize.solvers.accumulation.GradientsAccumulator;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.api.MultiDataSet;

/** A graph of vertices with any number of inputs and outputs. */
final class GraphNet extends Net {
    private final ComputationGraph graph;

    GraphNet(ComputationGraph graph) {
        this.graph = graph;
    }

    @Override
    public Model model() {
        return graph;
    }

    @Override
    public String configuration() {
        return graph.getConfiguration().toJson();
    }

    @Override
    public long seed() {
        return graph.getConfiguration().getDefaultConfiguration().getSeed();
    }

    @Override
    public INDArray updaterState() {
        return graph.getUpdater().getStateViewArray();
    }

    @Override
    public int iterations() {
        return graph.getConfiguration().getIterationCount();
    }

    @Override
    public int epochs() {
        return graph.getConfiguration().getEpochCount();
    }

    @Override
    public void setCounters(int iterations, int epochs) {
        graph.getConfiguration().setIterationCount(iterations);
        graph.getConfiguration().setEpochCount(epochs);
    }

    @Override
    public void incrementEpochs() {
        graph.incrementEpochCount();
    }

    @Override
    public Net copy() {
        return of(Copies.of(graph));
    }

    @Override
    public void fit(MultiDataSet minibatch) {
        graph.fit(masked(minibatch));
    }

    @Override
    public void setScore(double score) {
        graph.setScore(score);
    }

    @Override
    public double score(MultiDataSet minibatch) {
        try {
            return graph.score(masked(minibatch), false);
        } finally {
            graph.clearLayerMaskArrays(); // DL4J leaves them for whatever comes next
        }
    }

    /** With a mask for each output that has one: DL4J counts all of an output whose labels have none in the score of training. */
    private MultiDataSet masked(MultiDataSet minibatch) {
        if (minibatch.getFeaturesMaskArrays() == null) {
            return minibatch;
        }
        return new org.nd4j.linalg.dataset.MultiDataSet(
                minibatch.getFeatures(), minibatch.getLabels(), minibatch.getFeaturesMaskArrays(), labelsMasks(minibatch));
    }

    @Override
    public INDArray[] labelsMasks(MultiDataSet minibatch) {
        INDArray[] masks = minibatch.getLabelsMaskArrays();
        if (minibatch.getFeaturesMaskArrays() == null) {
            return masks;
        }
        INDArray[] all = new INDArray[outputs()];
        try {
            graph.setLayerMaskArrays(minibatch.getFeaturesMaskArrays(), masks);
            for (int i = 0; i < all.length; i++) {
                org.deeplearning4j.nn.api.Layer layer = graph.getOutputLayer(i); // null for a vertex that is no layer
                INDArray mask = layer == null ? null : layer.getMaskArray();
                all[i] = mask == null ? null : mask.castTo(graph.params().dataType());
            }
        } finally {
            graph.clearLayerMaskArrays();
        }
        return all;
    }

    @Override
    public INDArray[] output(MultiDataSet minibatch) {
        try {
            return graph.output(false, minibatch.getFeatures(), minibatch.getFeaturesMaskArrays(), null);
        } finally {
            if (minibatch.getFeaturesMaskArrays() != null) {
                graph.clearLayerMaskArrays();
            }
        }
    }

    @Override
    public int outputs() {
        return graph.getNumOutputArrays();
    }

    @Override
    public Layer outputLayer(int index) {
        return graph.getOutputLayer(index).conf().getLayer();
    }

    @Override
    public Collection<TrainingListener> listeners() {
        return graph.getListeners();
    }

    @Override
    public void setGradientsAccumulator(GradientsAccumulator accumulator) {
        graph.setGradientsAccumulator(accumulator);
    }
}
