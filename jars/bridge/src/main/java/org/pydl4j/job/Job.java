package org.pydl4j.job;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.nd4j.shade.jackson.databind.node.ObjectNode;
import org.pydl4j.Failures;
import org.pydl4j.Json;

/**
 * Long work on a Java thread, watched from Python: it emits events, which Python polls, and stops where it can when it is told to.
 * Events are JSON objects with a {@code type}; the last one is of type {@code done}, {@code failed} or {@code cancelled}.
 */
public abstract class Job implements Runnable {
    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
    private volatile boolean cancelled;

    /** Does the work. What it returns is the last event's {@code result}. */
    protected abstract ObjectNode work() throws Exception;

    @Override
    public final void run() {
        ObjectNode last;
        try {
            last = event("done");
            last.set("result", work());
        } catch (CancellationException e) {
            last = event("cancelled");
        } catch (Throwable t) { // everything that happened on this thread is reported to Python
            last = event("failed");
            last.set("error", Failures.toJson(t));
        }
        emit(last);
    }

    protected static ObjectNode event(String type) {
        return Json.object().put("type", type);
    }

    protected final void emit(ObjectNode event) {
        events.add(event.toString());
    }

    /** To be called between two steps of the work. */
    protected final void stopIfCancelled() {
        if (cancelled) {
            throw new CancellationException();
        }
    }

    protected final boolean isCancelled() {
        return cancelled;
    }

    /** Asks the work to stop at its next step; what it holds stays usable. */
    protected void cancel() {
        cancelled = true;
    }

    final String poll(long millis) throws InterruptedException {
        return events.poll(millis, TimeUnit.MILLISECONDS);
    }
}
