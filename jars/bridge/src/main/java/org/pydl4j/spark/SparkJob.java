package org.pydl4j.spark;

import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.nd4j.shade.jackson.databind.node.ObjectNode;
import org.pydl4j.job.Job;

/** A job whose Spark jobs are one job group: cancelling it cancels them, and leaves the session as it was. */
public abstract class SparkJob extends Job {
    private static final long CANCEL_EVERY_MILLIS = 100;

    private final CountDownLatch ended = new CountDownLatch(1);
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

    /** The failure as the user is to see it. */
    protected Exception explained(Exception failure) {
        return failure;
    }

    @Override
    protected final ObjectNode work() throws Exception {
        sc.setJobGroup(group, description, true);
        Vacancy vacancy = new Vacancy(sc.sc(), this::waits, this::cancel);
        try (vacancy) {
            return sparkWork();
        } catch (Exception e) {
            if (vacancy.failure() != null) {
                throw explained(vacancy.failure());
            }
            if (isCancelled()) {
                throw (CancellationException) new CancellationException().initCause(e);
            }
            Sessions.requireRunning(session);
            throw explained(ExecutorLog.addedTo(SparkFailures.explain(e), sc.sc()));
        } finally {
            ended.countDown();
            sc.clearJobGroup();
        }
    }

    private void waits(String message) {
        emit(event("waiting").put("message", description + ": " + message));
    }

    /** Again and again until the work has ended: Spark cancels the jobs that run, and the next one may be about to start. */
    @Override
    protected final void cancel() {
        super.cancel();
        Thread repeat = new Thread(this::cancelUntilEnded, group + "-cancel");
        repeat.setDaemon(true);
        repeat.start();
    }

    private void cancelUntilEnded() {
        try {
            do {
                sc.cancelJobGroup(group);
            } while (!ended.await(CANCEL_EVERY_MILLIS, TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
