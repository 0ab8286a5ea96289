package org.pydl4j.spark;

import org.apache.spark.TaskContext;
import org.pydl4j.engine.Engine;

/** What every task of ours begins with. Several run side by side in an executor: each computes on the cores that Spark gave it (spark.task.cpus). */
public final class WorkerThreads {
    static {
        Engine.prepare(); // once in each executor, before its first network
    }

    private WorkerThreads() {}

    /** For the calling task's thread, from now on. */
    public static void limit() {
        Engine.setThreads(TaskContext.get().cpus());
        WorkerLog.goesWithFailures(TaskContext.get());
    }
}
