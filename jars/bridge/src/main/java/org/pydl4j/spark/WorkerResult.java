package org.pydl4j.spark;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.nd4j.linalg.api.buffer.DataType;

/** What a task sends back: Spark keeps one per partition, however often it had to be tried, so its counts count once. */
public final class WorkerResult implements Serializable {
    private static final long serialVersionUID = 1L;

    /** after the last minibatch; null where the score or the parameters were not finite */
    public final NetState state;
    final int minibatches;
    final long examples;
    /** examples that the worker's loader read */
    final long loaded;
    /** steps that its updater made: one per minibatch, or more in truncated backpropagation through time */
    public final long updates;
    /** sum over examples; NaN where the parameters were not finite */
    final double score;
    /** of training; of those that trained side by side, the longest */
    final double seconds;
    /** one for each worker */
    public final List<WorkerTimes> times;

    public WorkerResult(NetState state, int minibatches, long examples, long loaded, long updates, double score, double seconds,
            List<WorkerTimes> times) {
        this.state = state;
        this.minibatches = minibatches;
        this.examples = examples;
        this.loaded = loaded;
        this.updates = updates;
        this.score = score;
        this.seconds = seconds;
        this.times = new ArrayList<>(times);
    }

    /** As one worker's that trained what they trained. */
    static WorkerResult merged(List<WorkerResult> results, DataType type) {
        int minibatches = 0;
        long examples = 0;
        long loaded = 0;
        long updates = 0;
        double score = 0;
        double seconds = 0;
        List<WorkerTimes> times = new ArrayList<>();
        for (WorkerResult result : results) {
            minibatches += result.minibatches;
            examples += result.examples;
            loaded += result.loaded;
            updates += result.updates;
            score += result.score;
            seconds = Math.max(seconds, result.seconds);
            times.addAll(result.times);
        }
        return new WorkerResult(Average.of(results, type), minibatches, examples, loaded, updates, score, seconds, times);
    }
}
