package org.pydl4j.spark;

import java.util.Iterator;
import org.nd4j.linalg.dataset.api.MultiDataSet;
import org.pydl4j.nn.Net;
import org.pydl4j.spark.data.Loader;

/** The minibatches that a worker trains one after the other, and what came of them. Ends early where the score is no longer finite. */
public final class Lesson implements AutoCloseable {
    private final Net network;
    private final Prefetch minibatches;
    private final long began = System.nanoTime();
    private int trained;
    private long examples;
    private double score;

    public Lesson(Net network, Iterator<String> descriptors, Loader loader, int prefetch) {
        this.network = network;
        minibatches = new Prefetch(descriptors, loader, prefetch);
    }

    public boolean hasNext() {
        return minibatches.hasNext() && Double.isFinite(score);
    }

    public void next() throws Exception {
        MultiDataSet minibatch = minibatches.next();
        network.fit(minibatch);
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
        if (!Arrays.isFinite(network.params())) {
            score = Double.NaN;
        }
        return Double.isFinite(score);
    }

    public WorkerResult result(NetState state, long updates) {
        return new WorkerResult(state, trained, examples, minibatches.loaded(), updates, score, (System.nanoTime() - began) / 1e9);
    }

    @Override
    public void close() {
        minibatches.close();
    }
}
