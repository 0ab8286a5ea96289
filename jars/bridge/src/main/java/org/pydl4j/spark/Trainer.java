package org.pydl4j.spark;

import java.util.Iterator;
import java.util.List;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.broadcast.Broadcast;
import org.nd4j.linalg.dataset.api.MultiDataSet;
import org.nd4j.linalg.factory.Nd4j;
import org.pydl4j.nn.Net;
import org.pydl4j.nn.Seeds;
import org.pydl4j.spark.data.Loader;

/** One worker's share of a round, on an executor: starts from the broadcast state, trains its minibatches, sends its state back. */
final class Trainer implements FlatMapFunction<Iterator<String>, WorkerResult> {
    private static final long serialVersionUID = 1L;

    private final String fit;
    private final Broadcast<String> conf;
    private final Broadcast<NetState> start;
    private final Loader loader;
    private final int prefetch;
    private final boolean returnUpdater;

    Trainer(
            String fit,
            Broadcast<String> conf,
            Broadcast<NetState> start,
            Loader loader,
            int prefetch,
            boolean returnUpdater) {
        this.fit = fit;
        this.conf = conf;
        this.start = start;
        this.loader = loader;
        this.prefetch = prefetch;
        this.returnUpdater = returnUpdater;
    }

    @Override
    public Iterator<WorkerResult> call(Iterator<String> descriptors) throws Exception {
        WorkerThreads.limit();
        NetPool pool = NetPool.of(fit, conf);
        Net network = pool.take();
        start.value().copyTo(network);
        // ND4J's random state belongs to the thread, and which thread that is is Spark's affair
        Nd4j.getRandom().setSeed(Seeds.noise(network) + TaskContext.getPartitionId());
        WorkerResult result;
        try (Prefetch minibatches = new Prefetch(descriptors, loader, prefetch)) {
            result = train(network, minibatches);
        }
        pool.giveBack(network); // not after a failure
        return List.of(result).iterator();
    }

    private WorkerResult train(Net network, Prefetch minibatches) throws Exception {
        TaskContext task = TaskContext.get();
        long began = System.nanoTime();
        int before = network.iterations();
        int trained = 0;
        long examples = 0;
        double score = 0;
        while (minibatches.hasNext() && Double.isFinite(score)) {
            task.killTaskIfInterrupted();
            MultiDataSet minibatch = minibatches.next();
            network.fit(minibatch);
            trained++;
            long rows = minibatch.getFeatures(0).size(0);
            examples += rows;
            score += network.score() * rows;
            Arrays.close(minibatch);
        }
        if (!Arrays.isFinite(network.params())) {
            score = Double.NaN; // the last minibatch's own score is from before its update
        }
        NetState state = Double.isFinite(score) ? NetState.of(network, returnUpdater) : null;
        int updates = network.iterations() - before;
        return new WorkerResult(state, trained, examples, minibatches.loaded(), updates, score, (System.nanoTime() - began) / 1e9);
    }
}
