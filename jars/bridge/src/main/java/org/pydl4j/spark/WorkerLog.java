package org.pydl4j.spark;

import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;
import org.apache.logging.log4j.core.layout.PatternLayout;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.util.TaskFailureListener;
import org.pydl4j.WorkerLines;

/** The last lines that were logged in this JVM by DL4J, ND4J and pydl4j, and by others as warnings; a task that fails takes them to the driver. */
final class WorkerLog extends AbstractAppender {
    private static final int LINES = 50;
    private static final int CHARACTERS = 500;
    private static final WorkerLog HERE = new WorkerLog();

    static {
        HERE.start();
        if (LogManager.getContext(false) instanceof LoggerContext) { // a session may log through another library: then there are no lines
            LoggerContext context = (LoggerContext) LogManager.getContext(false);
            context.getConfiguration().addAppender(HERE);
            context.getRootLogger().addAppender(HERE);
        }
    }

    private final Deque<String> lines = new ArrayDeque<>();

    private WorkerLog() {
        super("pydl4j-worker-log", null, PatternLayout.newBuilder().withPattern("%d{HH:mm:ss.SSS} %p %c{1}: %m%n%ex{short}").build(), true,
                Property.EMPTY_ARRAY);
    }

    /** For the calling task; more than once is as once. */
    static void goesWithFailures(TaskContext task) {
        task.addTaskFailureListener(new Attach());
    }

    @Override
    public void append(LogEvent event) {
        if (!isWanted(event)) {
            return;
        }
        String text = toSerializable(event).toString().strip();
        synchronized (lines) {
            if (lines.size() == LINES) {
                lines.removeFirst();
            }
            lines.addLast(text.substring(0, Math.min(CHARACTERS, text.length())));
        }
    }

    private static boolean isWanted(LogEvent event) {
        String logger = event.getLoggerName();
        boolean own = logger.startsWith("org.pydl4j") || logger.startsWith("org.deeplearning4j") || logger.startsWith("org.nd4j");
        return own || event.getLevel().isMoreSpecificThan(Level.WARN);
    }

    private String text() {
        synchronized (lines) {
            return String.join("\n", lines);
        }
    }

    private static final class Attach implements TaskFailureListener {
        @Override
        public void onTaskFailure(TaskContext task, Throwable failure) {
            for (Throwable attached : failure.getSuppressed()) {
                if (attached instanceof WorkerLines) {
                    return;
                }
            }
            String executor = SparkEnv.get().executorId();
            String host = SparkEnv.get().rpcEnv().address() == null ? "" : " on " + SparkEnv.get().rpcEnv().address().host();
            failure.addSuppressed(new WorkerLines("executor " + executor + host, HERE.text()));
        }
    }
}
