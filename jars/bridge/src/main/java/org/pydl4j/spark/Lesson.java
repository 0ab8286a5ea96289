package org.pydl4j.spark;

import java.util.Iterator;
import java.util.List;
import org.nd4j.linalg.dataset.api.MultiDataSet;
import org.pydl4j.nn.Net;
import org.pydl4j.spark.data.Loader;
import org.pydl4j.tensor.Tensors;

/** The minibatches that a worker trains one after the other, and what came of them. Ends early where the score is no longer finite. */
public final class Lesson implements AutoCloseable {
    private final Net network;
    private final Prefetch minibatches;
    private final long began = System.nanoTime();
    private final WorkerTimes times;
    private int trained;
    private long examples;
    private double score;

    public Lesson(Net network, Iterator<String> descriptors, Loader loader, int prefetch, WorkerTimes times) {
        this.network = network;
        this.times = times;
        minibatches = new Prefetch(descriptors, loader, prefetch);
    }

    public boolean hasNext() {
        return minibatches.hasNext() && Double.isFinite(score);
    }

    public void next() throws Exception {
        long asked = System.nanoTime();
        MultiDataSet minibatch = minibatches.next();
        long loaded = System.nanoTime();
        times.load += (loaded - asked) / 1e9;
        network.fit(minibatch);
        times.fit += WorkerTimes.since(loaded);
        trained++;
        long rows = minibatch.getFeatures(0).size(0);
        examples += rows;
        score += network.score() * rows;
        Arrays.close(minibatch);
    }

    public int trained() {
        return trained;
    }

    public long examples() {
        return examples;
    }

    /** Sum over the examples. */
    public double score() {
        return score;
    }

    /** A minibatch's own score is from before its update, so the parameters are looked at, too. */
    public boolean endsFinite() {
        if (!Tensors.isFinite(network.params())) {
            score = Double.NaN;
        }
        return Double.isFinite(score);
    }

    public WorkerResult result(NetState state, long updates) {
        times.end(trained, state == null ? 0 : state.length());
        return new WorkerResult(
                state, trained, examples, minibatches.loaded(), updates, score, WorkerTimes.since(began), List.of(times));
    }

    @Override
    public void close() {
        minibatches.close();
    }
}
