package org.pydl4j.spark;

import java.io.Serializable;
import org.apache.spark.TaskContext;

/** A file that a task wrote. A task that is tried again writes another; the results name the ones that count. */
public final class WrittenPart implements Serializable {
    private static final long serialVersionUID = 1L;

    public final String file;
    public final long rows;

    public WrittenPart(String file, long rows) {
        this.file = file;
        this.rows = rows;
    }

    public static String name(TaskContext task) {
        return "part-" + task.partitionId() + "-" + task.taskAttemptId() + ".arrow";
    }
}
