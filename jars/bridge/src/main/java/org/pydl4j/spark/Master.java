package org.pydl4j.spark;

import java.util.List;
import org.apache.spark.api.java.JavaSparkContext;
import org.pydl4j.nn.Net;

/** How the work of an epoch is shared among workers: one for each fit, used on the driver. */
public interface Master extends AutoCloseable {
    /**
     * Trains every minibatch once. The caller holds what its tally says was trained against what was handed in. Where it throws, the caller puts the
     * network back to where it was: always where it is not {@link #isExactWithinEpoch() exact within an epoch}, else where a score was not finite or
     * a count is wrong.
     *
     * @param minibatches descriptors of the dataset's minibatches, in their order
     * @param progress told from time to time; may throw to stop training
     */
    Tally epoch(JavaSparkContext sc, Net network, Dataset data, List<String> minibatches, Progress progress) throws Exception;

    /** Whether the network holds exactly what was trained whenever progress is told, not only at the end of an epoch. */
    default boolean isExactWithinEpoch() {
        return false;
    }

    /** Forgets what was kept for the workers. */
    @Override
    void close();
}
