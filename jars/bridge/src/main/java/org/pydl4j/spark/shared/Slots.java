package org.pydl4j.spark.shared;

import java.util.concurrent.TimeUnit;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.pydl4j.PydlException;
import org.pydl4j.spark.Progress;

/** How many workers can run at the same time, which all of them must: a barrier stage that cannot get its slots would wait for ten minutes. */
final class Slots {
    private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long LOOK_MILLIS = 100;

    private Slots() {}

    /** The number of workers for an epoch of so many minibatches. */
    static int workers(JavaSparkContext sc, Settings settings, int minibatches, Progress progress) throws InterruptedException {
        SparkConf conf = sc.sc().conf();
        if (conf.getBoolean("spark.dynamicAllocation.enabled", false)) {
            throw new PydlException("SparkError", "gradient sharing needs executors that stay, and spark.dynamicAllocation.enabled is true. "
                    + "Build the session with spark.dynamicAllocation.enabled=false and spark.executor.instances=<n>, or use parameter averaging.");
        }
        int slots = wait(sc.sc(), settings.workers == null ? 1 : settings.workers, progress);
        int wanted = settings.workers == null ? slots : settings.workers;
        if (settings.workersPerNode != null) {
            wanted = Math.min(wanted, settings.workersPerNode * executors(sc.sc()));
        }
        if (slots < wanted || slots == 0) {
            throw new PydlException("SparkError", "gradient sharing with num_workers=" + wanted + " needs as many slots at the same time, and the "
                    + "application has " + slots + " (cores of its executors / spark.task.cpus). Lower num_workers, or give the application "
                    + "more cores (spark.executor.instances, spark.executor.cores, spark.cores.max).", "SharedTrainingMaster.num_workers", null);
        }
        return Math.max(1, Math.min(wanted, minibatches));
    }

    /** Executors may be on their way. */
    private static int wait(SparkContext sc, int wanted, Progress progress) throws InterruptedException {
        long end = System.nanoTime() + WAIT_NANOS;
        int slots = slots(sc);
        while (slots < wanted && System.nanoTime() < end && !sc.isLocal()) {
            progress.waiting();
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            slots = slots(sc);
        }
        return slots;
    }

    private static int slots(SparkContext sc) {
        return sc.maxNumConcurrentTasks(sc.resourceProfileManager().defaultResourceProfile());
    }

    /** The driver is among those that have memory; in a local session it is the only one, and works. */
    private static int executors(SparkContext sc) {
        return Math.max(1, sc.statusTracker().getExecutorInfos().length - (sc.isLocal() ? 0 : 1));
    }
}
