package org.pydl4j.spark.frame;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/** Tells once a second how far a conversion is. */
final class RowProgress {
    private RowProgress() {}

    /** @param told called while {@code conversion} is working */
    static <T> T during(Supplier<T> conversion, RowCount count, LongConsumer told) {
        ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(work -> {
            Thread thread = new Thread(work, "pydl4j-rows");
            thread.setDaemon(true);
            return thread;
        });
        try {
            clock.scheduleAtFixedRate(() -> told.accept(count.value()), 1, 1, TimeUnit.SECONDS);
            return conversion.get();
        } finally {
            clock.shutdownNow();
        }
    }
}
