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
    void incrementEpochs() {
        graph.incrementEpochCount();
    }

    @Override
    public Net copy() {
        return of(Copies.of(graph));
    }

    @Override
    void step(MultiDataSet minibatch) {
        graph.fit(minibatch);
    }

    @Override
    public void setScore(double score) {
        graph.setScore(score);
    }

    @Override
    double loss(MultiDataSet minibatch) {
        try {
            return graph.score(minibatch, false);
        } finally {
            graph.clearLayerMaskArrays(); // DL4J leaves them for whatever comes next
        }
    }

    @Override
    INDArray[] arriving(INDArray[] masks, int rows) {
        return MaskFlow.of(graph, masks, rows);
    }

    @Override
    INDArray losses(MultiDataSet minibatch, boolean regularization) {
        try {
            return graph.scoreExamples(minibatch, regularization);
        } finally {
            graph.clearLayerMaskArrays();
        }
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
    Collection<TrainingListener> listeners() {
        return graph.getListeners();
    }

    @Override
    public void setGradientsAccumulator(GradientsAccumulator accumulator) {
        graph.setGradientsAccumulator(accumulator);
    }
}
