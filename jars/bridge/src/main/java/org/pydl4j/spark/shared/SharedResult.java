package org.pydl4j.spark.shared;

import java.io.Serializable;
import org.pydl4j.spark.WorkerResult;

/** What a worker sends back: what it trained, and how many updates of each other worker came to it. */
public final class SharedResult implements Serializable {
    private static final long serialVersionUID = 1L;

    final int worker;
    final WorkerResult trained;
    final long[] received;
    final String host;

    SharedResult(int worker, WorkerResult trained, long[] received, String host) {
        this.worker = worker;
        this.trained = trained;
        this.received = received;
        this.host = host;
    }
}
