package org.pydl4j.spark;

import java.io.Serializable;

/** What a task sends back: Spark keeps one per partition, however often it had to be tried, so its counts count once. */
final class WorkerResult implements Serializable {
    private static final long serialVersionUID = 1L;

    /** after the last minibatch; null where the score was not finite */
    final NetState state;
    final int minibatches;
    final long examples;
    /** sum over examples */
    final double score;
    final double seconds;

    WorkerResult(NetState state, int minibatches, long examples, double score, double seconds) {
        this.state = state;
        this.minibatches = minibatches;
        this.examples = examples;
        this.score = score;
        this.seconds = seconds;
    }
}
