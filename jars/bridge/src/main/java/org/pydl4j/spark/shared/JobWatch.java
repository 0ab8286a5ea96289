package org.pydl4j.spark.shared;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.spark.ExceptionFailure;
import org.apache.spark.ExecutorLostFailure;
import org.apache.spark.TaskFailedReason;
import org.apache.spark.TaskKilled;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.SparkListenerTaskStart;
import org.pydl4j.PydlException;
import org.pydl4j.spark.LostExecutor;
import scala.collection.JavaConverters;

/**
 * What Spark says of an epoch's job: its first failure, and the loss of executors that took part. Spark itself would start a barrier stage
 * anew, and report the last failure only.
 */
final class JobWatch extends SparkListener {
    /** local property that names the epoch of a job */
    static final String EPOCH = "pydl4j.epoch";

    private final String epoch;
    private final Set<Integer> stages = ConcurrentHashMap.newKeySet();
    private final Map<String, String> executors = new ConcurrentHashMap<>();
    private final Map<String, Long> times = new ConcurrentHashMap<>();
    private final Set<Integer> started = ConcurrentHashMap.newKeySet();
    private final AtomicReference<PydlException> failure = new AtomicReference<>();

    JobWatch(Epoch epoch) {
        this.epoch = epoch.toString();
    }

    @Override
    public void onJobStart(SparkListenerJobStart job) {
        if (job.properties() != null && epoch.equals(job.properties().getProperty(EPOCH))) {
            JavaConverters.seqAsJavaListConverter(job.stageInfos()).asJava().forEach(stage -> stages.add(stage.stageId()));
        }
    }

    @Override
    public void onTaskStart(SparkListenerTaskStart task) {
        if (stages.contains(task.stageId())) {
            executors.put(task.taskInfo().executorId(), task.taskInfo().host());
            times.putIfAbsent(task.taskInfo().executorId(), System.nanoTime());
            started.add(task.taskInfo().index());
        }
    }

    @Override
    public void onTaskEnd(SparkListenerTaskEnd end) {
        if (stages.contains(end.stageId()) && end.reason() instanceof TaskFailedReason && !(end.reason() instanceof TaskKilled)) {
            failure.compareAndSet(null, explain((TaskFailedReason) end.reason(), end.taskInfo().executorId(), end.taskInfo().host()));
        }
    }

    private static PydlException explain(TaskFailedReason reason, String executor, String host) {
        if (reason instanceof ExecutorLostFailure) {
            return lost(executor, host, reason.toErrorString());
        }
        Throwable thrown = reason instanceof ExceptionFailure && ((ExceptionFailure) reason).exception().isDefined()
                ? ((ExceptionFailure) reason).exception().get()
                : null;
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof PydlException) {
                return (PydlException) cause;
            }
        }
        String what = thrown == null ? reason.toErrorString() : thrown.toString();
        return new PydlException("TrainingError", "a worker failed on " + name(executor, host) + ": " + firstLine(what), null, thrown);
    }

    @Override
    public void onExecutorRemoved(SparkListenerExecutorRemoved removed) {
        String host = executors.get(removed.executorId());
        if (host != null) {
            failure.compareAndSet(null, lost(removed.executorId(), host, removed.reason()));
        }
    }

    private static PydlException lost(String executor, String host, String why) {
        String what = name(executor, host) + " was lost: " + firstLine(why) + ".";
        return new PydlException("ExecutorLostError", what, null, new LostExecutor(executor, null));
    }

    private static String name(String executor, String host) {
        return "executor " + executor + " on " + host;
    }

    private static String firstLine(String text) {
        return text.lines().findFirst().orElse("no reason given");
    }

    /** Executors that took part, by their ids, with their hosts. */
    Map<String, String> executors() {
        return executors;
    }

    /** Executors that were given a worker before that time ({@link System#nanoTime()}). */
    Set<String> startedBefore(long time) {
        Set<String> ids = new HashSet<>();
        times.forEach((executor, at) -> {
            if (at - time < 0) {
                ids.add(executor);
            }
        });
        return ids;
    }

    /** How many workers have started. */
    int started() {
        return started.size();
    }

    /** The first, or null. */
    PydlException failure() {
        return failure.get();
    }
}
