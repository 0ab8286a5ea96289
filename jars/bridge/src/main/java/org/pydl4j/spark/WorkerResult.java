package org.pydl4j.spark;

import java.io.Serializable;
import java.util.List;
import org.nd4j.linalg.api.buffer.DataType;

/** What a task sends back: Spark keeps one per partition, however often it had to be tried, so its counts count once. */
final class WorkerResult implements Serializable {
    private static final long serialVersionUID = 1L;

    /** after the last minibatch; null where the score or the parameters were not finite */
    final NetState state;
    final int minibatches;
    final long examples;
    /** sum over examples; NaN where the parameters were not finite */
    final double score;
    /** of training; of those that trained side by side, the longest */
    final double seconds;

    WorkerResult(NetState state, int minibatches, long examples, double score, double seconds) {
        this.state = state;
        this.minibatches = minibatches;
        this.examples = examples;
        this.score = score;
        this.seconds = seconds;
    }

    /** As one worker's that trained what they trained. */
    static WorkerResult merged(List<WorkerResult> results, DataType type) {
        int minibatches = 0;
        long examples = 0;
        double score = 0;
        double seconds = 0;
        for (WorkerResult result : results) {
            minibatches += result.minibatches;
            examples += result.examples;
            score += result.score;
            seconds = Math.max(seconds, result.seconds);
        }
        return new WorkerResult(Average.of(results, type), minibatches, examples, score, seconds);
    }
}
