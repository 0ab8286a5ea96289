package org.pydl4j.spark;

import java.util.List;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/** Puts the average of the workers' states into a network, each weighted by the minibatches that it trained. */
final class Average {
    private Average() {}

    /** Summed in the order given, so that the same results give the same average to the last bit. */
    static void into(MultiLayerNetwork network, List<WorkerResult> results) {
        int most = results.stream().mapToInt(r -> r.minibatches).max().orElseThrow();
        average(network.params(), results, most, false);
        INDArray updater = network.getUpdater().getStateViewArray();
        if (updater != null && results.get(0).state.updater != null) {
            average(updater, results, most, true);
        }
        int iterations = results.stream().mapToInt(r -> r.state.iterations).max().orElseThrow();
        network.getLayerWiseConfigurations().setIterationCount(iterations);
    }

    private static void average(INDArray target, List<WorkerResult> results, int most, boolean updater) {
        double weights = 0;
        INDArray next = Nd4j.createUninitialized(target.dataType(), target.shape(), target.ordering());
        for (int i = 0; i < results.size(); i++) {
            WorkerResult result = results.get(i);
            INDArray into = i == 0 ? target : next;
            (updater ? result.state.updater : result.state.params).copyTo(into);
            double weight = result.minibatches / (double) most; // exactly 1 where all trained the same number
            if (weight != 1) {
                into.muli(weight);
            }
            if (i > 0) {
                target.addi(next);
            }
            weights += weight;
        }
        if (weights != 1) {
            target.divi(weights);
        }
        Arrays.close(next);
    }
}
