package org.pydl4j.spark;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Queue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.nd4j.linalg.dataset.api.MultiDataSet;
import org.pydl4j.spark.data.Loader;

/** Minibatches, read up to {@code ahead} ahead on a thread of their own; what goes wrong there is thrown by {@link #next()}. */
final class Prefetch implements AutoCloseable {
    private final Iterator<String> descriptors;
    private final Loader loader;
    private final int ahead;
    private final Queue<Future<MultiDataSet>> waiting = new ArrayDeque<>();
    private final ExecutorService thread;
    private final AtomicLong loaded = new AtomicLong();

    Prefetch(Iterator<String> descriptors, Loader loader, int ahead) {
        this.descriptors = descriptors;
        this.loader = loader;
        this.ahead = ahead;
        thread = ahead == 0 ? null : Executors.newSingleThreadExecutor();
    }

    boolean hasNext() {
        return descriptors.hasNext() || !waiting.isEmpty();
    }

    MultiDataSet next() throws Exception {
        if (ahead == 0) {
            return load(descriptors.next());
        }
        while (waiting.size() < ahead && descriptors.hasNext()) {
            String descriptor = descriptors.next();
            waiting.add(thread.submit(() -> load(descriptor)));
        }
        try {
            return waiting.remove().get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception ? (Exception) e.getCause() : e;
        }
    }

    private MultiDataSet load(String descriptor) throws IOException {
        MultiDataSet minibatch = loader.load(descriptor);
        loaded.addAndGet(minibatch.getFeatures(0).size(0));
        return minibatch;
    }

    /** Examples that the loader read so far. */
    long loaded() {
        return loaded.get();
    }

    @Override
    public void close() {
        if (thread != null) {
            thread.shutdownNow();
        }
    }
}
