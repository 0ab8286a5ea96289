package org.pydl4j.spark;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.spark.SparkContext;
import org.apache.spark.status.api.v1.ExecutorSummary;
import org.pydl4j.PydlException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.collection.JavaConverters;

/**
 * Looks after a job on a cluster while it has no executor: says that it waits, which may be long where a cluster is slow to give any, and ends it
 * where executors are given and fail as they start, which Spark would go on with for minutes.
 */
final class Vacancy implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Vacancy.class);
    private static final long LOOK_MILLIS = 1_000;
    private static final long TELL_NANOS = TimeUnit.SECONDS.toNanos(10);
    /** an executor that lasts so long has started */
    private static final long STARTED_MILLIS = 5_000;
    private static final int FAILURES = 3;

    private final SparkContext sc;
    private final Consumer<String> tell;
    private final Runnable end;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread thread = new Thread(work, "pydl4j-vacancy");
        thread.setDaemon(true);
        return thread;
    });
    private volatile PydlException failure;
    private long since; // 0 while there are executors
    private long told;
    private Set<Integer> before; // failed before; null where that is not known yet
    private boolean warned;

    Vacancy(SparkContext sc, Consumer<String> tell, Runnable end) {
        this.sc = sc;
        this.tell = tell;
        this.end = end;
        if (!sc.isLocal()) {
            timer.scheduleWithFixedDelay(this::look, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    /** What it ended the job for; null for nothing. */
    PydlException failure() {
        return failure;
    }

    private void look() {
        if (sc.isStopped() || failure != null) {
            return;
        }
        try {
            lookAt(executors());
        } catch (Exception e) { // Scala throws what it does not declare; of a context that is being stopped, anything
            if (!sc.isStopped() && !timer.isShutdown()) {
                LOG.warn("pydl4j cannot see what executors there are", e);
            }
        }
    }

    private Map<Integer, ExecutorSummary> executors() {
        Map<Integer, ExecutorSummary> executors = new TreeMap<>();
        for (ExecutorSummary executor : JavaConverters.seqAsJavaListConverter(sc.statusStore().executorList(false)).asJava()) {
            if (!executor.id().equals("driver")) {
                executors.put(Integer.valueOf(executor.id()), executor);
            }
        }
        return executors;
    }

    private void lookAt(Map<Integer, ExecutorSummary> executors) {
        if (executors.values().stream().anyMatch(executor -> executor.isActive() && hasStarted(executor))) {
            since = 0;
            before = null;
            return;
        }
        long now = System.nanoTime();
        if (since == 0) {
            since = now;
            told = now;
        }
        TreeMap<Integer, String> failed = failed(executors);
        if (failed.size() >= FAILURES) {
            failure = failure(failed);
            end.run();
        } else if (now - told > TELL_NANOS) {
            told = now;
            tell.accept("waiting for executors since " + TimeUnit.NANOSECONDS.toSeconds(now - since) + " s: none is there, "
                    + failed.size() + " failed to start");
        }
    }

    /** Since it waits; where no executor ever started, of all time. */
    private TreeMap<Integer, String> failed(Map<Integer, ExecutorSummary> executors) {
        TreeMap<Integer, String> failed = new TreeMap<>();
        try {
            failed.putAll(Standalone.ended(sc));
        } catch (Exception e) { // as above; hosts may be gone, or too busy to answer
            if (!timer.isShutdown() && !warned) {
                LOG.warn("pydl4j cannot see whether executors failed to start", e);
                warned = true;
            }
            return failed;
        }
        executors.forEach((id, executor) -> {
            if (hasStarted(executor)) {
                failed.remove(id);
            }
        });
        if (before == null) {
            boolean never = executors.values().stream().noneMatch(Vacancy::hasStarted);
            before = never ? Set.of() : Set.copyOf(failed.keySet());
        }
        failed.keySet().removeAll(before);
        return failed;
    }

    private static boolean hasStarted(ExecutorSummary executor) {
        long end = executor.removeTime().isDefined() ? executor.removeTime().get().getTime() : System.currentTimeMillis();
        return executor.totalTasks() > 0 || end - executor.addTime().getTime() > STARTED_MILLIS;
    }

    private static PydlException failure(TreeMap<Integer, String> failed) {
        ExecutorLog log = ExecutorLog.at(failed.lastKey().toString(), failed.lastEntry().getValue());
        PydlException failure = new PydlException("ExecutorLostError", "there is no executor, and " + failed.size() + " failed as they started. "
                + log.summary() + " Their JVM options, memory and jars are settings of the session (spark.executor.extraJavaOptions, "
                + "spark.executor.memory, spark.jars): build a new one.");
        failure.addSuppressed(log.lines());
        return failure;
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
