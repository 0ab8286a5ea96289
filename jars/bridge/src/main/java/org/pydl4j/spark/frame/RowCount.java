package org.pydl4j.spark.frame;

import java.io.Serializable;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.util.LongAccumulator;

/** How many rows executors have converted, as the driver hears of it with their heartbeats and when tasks end. */
final class RowCount implements Serializable {
    private static final long serialVersionUID = 1L;

    private final LongAccumulator rows = new LongAccumulator();

    static RowCount of(JavaSparkContext sc) {
        RowCount count = new RowCount();
        sc.sc().register(count.rows);
        return count;
    }

    void add(long more) {
        rows.add(more);
    }

    long value() {
        return rows.value();
    }
}
