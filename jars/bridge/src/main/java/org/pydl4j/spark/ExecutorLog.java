package org.pydl4j.spark;

import java.io.IOException;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.spark.SparkContext;
import org.apache.spark.status.api.v1.ExecutorSummary;
import org.pydl4j.PydlException;
import org.pydl4j.WorkerLines;
import scala.Option;
import scala.collection.JavaConverters;

/** The end of what an executor wrote to its standard streams, which Spark's standalone workers show on their web pages; else where it is shown. */
final class ExecutorLog {
    private static final int LINES = 50;
    private static final int CHARACTERS = 500;
    private static final int MOST = 3; // in a sentence
    private static final int SHORT = 200;
    private static final int BYTES = 1 << 16;
    private static final String PAGE = "/logPage";
    private static final String TEXT = "/log";
    private static final Pattern TROUBLE = Pattern.compile("ERROR|FATAL|Error|Exception|[Ff]atal|Unrecognized|Invalid|SIG[A-Z]+");
    private static final Pattern STACK = Pattern.compile("\\s+at .*|\\s+\\.\\.\\. \\d+ more");

    private final String executor;
    /** of stderr, for people; null where there is none */
    private final String url;
    private final List<String> lines;

    private ExecutorLog(String executor, String url, List<String> lines) {
        this.executor = executor;
        this.url = url;
        this.lines = lines;
    }

    /** The failure with the log of the executor that it tells of, where it tells of one. */
    static Exception addedTo(Exception failure, SparkContext sc) {
        LostExecutor lost = LostExecutor.of(failure);
        return lost == null || sc.isStopped() ? failure : find(sc, lost.id).addedTo(failure);
    }

    private static ExecutorLog find(SparkContext sc, String executor) {
        for (ExecutorSummary summary : JavaConverters.seqAsJavaListConverter(sc.statusStore().executorList(false)).asJava()) {
            if (summary.id().equals(executor)) {
                Option<String> url = summary.executorLogs().get("stderr");
                return url.isEmpty() ? new ExecutorLog(executor, null, List.of()) : at(executor, url.get());
            }
        }
        return new ExecutorLog(executor, null, List.of());
    }

    /** @param url of the page with its stderr */
    static ExecutorLog at(String executor, String url) {
        List<String> lines;
        try {
            // where the JVM itself crashes it says so on stdout
            String stdout = text(url.replace("logType=stderr", "logType=stdout"));
            lines = (stdout.isBlank() ? text(url) : text(url) + "\nstdout:\n" + stdout).lines().collect(Collectors.toList());
        } catch (IOException e) {
            lines = List.of();
        }
        return new ExecutorLog(executor, url, lines);
    }

    private static String text(String url) throws IOException {
        if (!url.contains(PAGE)) {
            throw new IOException("not of a standalone worker: " + url);
        }
        String text = Http.get(url.replace(PAGE, TEXT) + "&byteLength=" + BYTES);
        return text.substring(text.indexOf('\n') + 1).strip(); // the first line says which bytes these are
    }

    private Exception addedTo(Exception failure) {
        if (url == null) {
            return failure;
        }
        PydlException known = known(failure);
        PydlException told = new PydlException(known.kind(), known.getMessage() + " " + summary(), known.path(), failure);
        told.addSuppressed(lines());
        return told;
    }

    private static PydlException known(Throwable failure) {
        return failure instanceof PydlException ? (PydlException) failure : known(failure.getCause());
    }

    /** In a sentence. */
    String summary() {
        return lines.isEmpty()
                ? "The log of executor " + executor + " is at " + url + " ."
                : "Executor " + executor + " said last: \"" + last() + "\".";
    }

    /** The last lines that tell of trouble, else the last one. */
    private String last() {
        List<String> said = lines.stream().filter(line -> !line.isBlank() && !STACK.matcher(line).matches()).collect(Collectors.toList());
        List<String> trouble = said.stream().filter(line -> TROUBLE.matcher(line).find()).collect(Collectors.toList());
        List<String> last = trouble.isEmpty() ? said.subList(said.size() - 1, said.size()) : trouble;
        return last.stream().skip(Math.max(0, last.size() - MOST)).map(line -> cut(line.strip(), SHORT)).collect(Collectors.joining("; "));
    }

    WorkerLines lines() {
        String end = lines.stream().skip(Math.max(0, lines.size() - LINES)).map(line -> cut(line, CHARACTERS)).collect(Collectors.joining("\n"));
        return new WorkerLines("executor " + executor, end.isEmpty() ? "its log is at " + url : end);
    }

    private static String cut(String line, int most) {
        return line.substring(0, Math.min(most, line.length()));
    }
}
