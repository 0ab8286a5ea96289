package org.pydl4j.job;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** What Python does with a {@link Job}. Threads are kept and used again: ND4J keeps workspaces and random state per thread. */
public final class Jobs {
    private static final AtomicInteger COUNT = new AtomicInteger();
    private static final ExecutorService THREADS = Executors.newCachedThreadPool(work -> {
        Thread thread = new Thread(work, "pydl4j-job-" + COUNT.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    });

    private Jobs() {}

    public static Job start(Job job) {
        THREADS.execute(job);
        return job;
    }

    /** The next event as JSON text, or null when there was none for {@code millis}. */
    public static String poll(Job job, long millis) throws InterruptedException {
        return job.poll(millis);
    }

    public static void cancel(Job job) {
        job.cancel();
    }
}
