package org.pydl4j.spark;

import org.bytedeco.openblas.global.openblas;
import org.nd4j.linalg.factory.Nd4j;
import org.pydl4j.engine.Engine;

/** Several tasks run side by side in an executor: each computes on the one core that Spark gave it. */
final class WorkerThreads {
    static {
        Engine.prepare(); // once in each executor, before its first network
        openblas.blas_set_num_threads(1); // of the whole JVM
    }

    private WorkerThreads() {}

    /** For the calling thread, from now on. */
    static void limit() {
        Nd4j.getEnvironment().setMaxThreads(1);
    }
}
