package org.pydl4j.spark;

import java.util.UUID;
import java.util.concurrent.CancellationException;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.nd4j.shade.jackson.databind.node.ObjectNode;
import org.pydl4j.job.Job;

/** A job whose Spark jobs are one job group: cancelling it cancels them, and leaves the session as it was. */
public abstract class SparkJob extends Job {
    private final String group = "pydl4j-" + UUID.randomUUID();
    private final String description;
    protected final SparkSession session;
    protected final JavaSparkContext sc;

    protected SparkJob(SparkSession session, String description) {
        Sessions.requireRunning(session);
        this.session = session;
        this.description = description;
        sc = new JavaSparkContext(session.sparkContext());
    }

    protected abstract ObjectNode sparkWork() throws Exception;

    @Override
    protected final ObjectNode work() throws Exception {
        sc.setJobGroup(group, description, true);
        try {
            return sparkWork();
        } catch (Exception e) {
            if (isCancelled()) {
                throw (CancellationException) new CancellationException().initCause(e);
            }
            Sessions.requireRunning(session);
            throw SparkFailures.explain(e);
        } finally {
            sc.clearJobGroup();
        }
    }

    @Override
    protected final void cancel() {
        super.cancel();
        sc.cancelJobGroup(group);
    }
}
