package org.pydl4j.spark;

import java.util.List;
import java.util.UUID;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.deeplearning4j.core.loader.DataSetLoader;
import org.deeplearning4j.core.loader.MultiDataSetLoader;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.spark.impl.graph.SparkComputationGraph;
import org.deeplearning4j.spark.impl.multilayer.SparkDl4jMultiLayer;
import org.deeplearning4j.spark.impl.paramavg.ParameterAveragingTrainingMaster;
import org.nd4j.linalg.dataset.DataSet;

/**
 * DL4J's parameter averaging, fed with minibatch descriptors: every minibatch is trained once per epoch, whatever their number, where
 * DL4J drops what does not fill a round. A round is one Spark job of one task per worker.
 */
public final class ParameterAveraging extends ParameterAveragingTrainingMaster {
    private final String fit = UUID.randomUUID().toString();
    private final transient Progress progress;
    private transient Tally tally;

    ParameterAveraging(Builder options, Progress progress) {
        super(options);
        this.progress = progress;
    }

    /** What the last epoch trained. */
    Tally tally() {
        return tally;
    }

    /** One epoch over the descriptors, in their order; the loader makes a minibatch of each. */
    @Override
    public void executeTrainingPaths(
            SparkDl4jMultiLayer network,
            SparkComputationGraph graph,
            JavaRDD<String> descriptors,
            DataSetLoader loader,
            MultiDataSetLoader multiLoader) {
        if (network == null || loader == null) {
            throw new UnsupportedOperationException("ParameterAveraging trains multi-layer networks from a DataSetLoader");
        }
        JavaSparkContext sc = network.getSparkContext();
        List<String> minibatches = descriptors.collect();
        Rounds rounds = new Rounds(minibatches, numWorkers == null ? sc.defaultParallelism() : numWorkers, averagingFrequency);
        MultiLayerNetwork model = network.getNetwork();
        NetState before = NetState.of(model, true);
        Broadcast<String> conf = sc.broadcast(model.getLayerWiseConfigurations().toJson());
        tally = new Tally();
        try {
            for (List<String> round : rounds) {
                train(sc, model, conf, sc.parallelize(round, rounds.partitions(round)), loader);
                if (!Double.isFinite(tally.score())) {
                    before.copyTo(model);
                    tally.requireFinite();
                }
                network.setScore(tally.score());
                progress.round(tally);
            }
            tally.require(minibatches.size());
        } finally {
            conf.destroy();
        }
    }

    private void train(
            JavaSparkContext sc, MultiLayerNetwork model, Broadcast<String> conf, JavaRDD<String> round, DataSetLoader loader) {
        long began = System.nanoTime();
        Broadcast<NetState> state = sc.broadcast(NetState.of(model, true));
        long handedOut = System.nanoTime();
        try {
            Trainer trainer = new Trainer(fit, conf, state, loader, prefetchNumBatches, saveUpdater);
            List<WorkerResult> results =
                    Gather.from(round.mapPartitions(trainer), aggregationDepth, model.params().dataType());
            long trained = System.nanoTime();
            tally.add(results);
            if (Double.isFinite(tally.score())) {
                Average.into(model, results);
            }
            tally.broadcastSeconds += (handedOut - began) / 1e9;
            tally.workersSeconds += (trained - handedOut) / 1e9;
            tally.averageSeconds += (System.nanoTime() - trained) / 1e9;
        } finally {
            state.destroy();
        }
    }

    /** Forgets what this JVM kept for the workers. */
    void close() {
        NetPool.remove(fit);
    }

    @Override
    public void executeTraining(SparkDl4jMultiLayer network, JavaRDD<DataSet> trainingData) {
        throw new UnsupportedOperationException(
                "ParameterAveraging takes descriptors of minibatches (fitPaths): an RDD of DataSets would go through a serializer element by element");
    }
}
