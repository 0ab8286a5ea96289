package org.pydl4j.spark;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.SparkException;
import org.pydl4j.PydlException;

/** What a failed Spark job means for the user. */
final class SparkFailures {
    private static final Pattern LOSS = Pattern.compile("ExecutorLostFailure \\(executor (\\S+) ");
    private static final String DISK_FULL = "No space left on device";

    private SparkFailures() {}

    /** The failure itself where it says enough: a task's own exception comes as the cause of Spark's. */
    static Exception explain(Exception failure) {
        for (Throwable t = failure; t != null; t = t.getCause()) {
            if (t instanceof PydlException) {
                return failure;
            }
        }
        if (!(failure instanceof SparkException)) {
            return failure;
        }
        String message = failure.getMessage() == null ? "no message" : failure.getMessage();
        Matcher loss = LOSS.matcher(message);
        if (loss.find()) {
            String what = "executors were lost more often than Spark repeats a task (spark.task.maxFailures): " + firstLine(message);
            return new PydlException("ExecutorLostError", what, null, new LostExecutor(loss.group(1), failure));
        }
        if (message.contains(DISK_FULL)) {
            return new PydlException("SparkError", "a disk of an executor is full: " + lineWith(DISK_FULL, message)
                    + ". Make room for examples where export_directory of the training master says, and for Spark's own files where "
                    + "spark.local.dir says.", null, failure);
        }
        String reason = failure.getCause() == null ? firstLine(message) : String.valueOf(failure.getCause());
        return new PydlException("TrainingError", "a task failed on an executor: " + reason, null, failure);
    }

    private static String lineWith(String what, String text) {
        return text.lines().filter(line -> line.contains(what)).findFirst().orElseThrow().strip();
    }

    /** Whether executors were lost with what only they had. */
    static boolean isLoss(Exception failure) {
        for (Throwable t = failure; t != null; t = t.getCause()) {
            if (t instanceof PydlException && "ExecutorLostError".equals(((PydlException) t).kind())) {
                return true;
            }
        }
        return false;
    }

    private static String firstLine(String text) {
        int end = text.indexOf('\n');
        return end < 0 ? text : text.substring(0, end);
    }
}
