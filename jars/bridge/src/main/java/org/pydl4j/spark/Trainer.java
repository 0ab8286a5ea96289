package org.pydl4j.spark;

import java.util.Iterator;
import java.util.List;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.broadcast.Broadcast;
import org.nd4j.linalg.factory.Nd4j;
import org.pydl4j.nn.Net;
import org.pydl4j.nn.Seeds;
import org.pydl4j.spark.data.Loader;

/** One worker's share of a round, on an executor: starts from the broadcast state, trains its minibatches, sends its state back. */
final class Trainer implements FlatMapFunction<Iterator<String>, WorkerResult> {
    private static final long serialVersionUID = 1L;

    private final Blueprint blueprint;
    private final Broadcast<NetState> start;
    private final Loader loader;
    private final int prefetch;
    private final boolean returnUpdater;

    Trainer(
            Blueprint blueprint,
            Broadcast<NetState> start,
            Loader loader,
            int prefetch,
            boolean returnUpdater) {
        this.blueprint = blueprint;
        this.start = start;
        this.loader = loader;
        this.prefetch = prefetch;
        this.returnUpdater = returnUpdater;
    }

    @Override
    public Iterator<WorkerResult> call(Iterator<String> descriptors) throws Exception {
        WorkerThreads.limit();
        WorkerTimes times = new WorkerTimes();
        long began = System.nanoTime();
        NetPool pool = blueprint.pool();
        Net network = pool.take();
        start.value().copyTo(network);
        // ND4J's random state belongs to the thread, and which thread that is is Spark's affair
        Nd4j.getRandom().setSeed(Seeds.noise(network) + TaskContext.getPartitionId());
        times.receive = WorkerTimes.since(began);
        WorkerResult result;
        int before = network.iterations();
        try (Lesson lesson = new Lesson(network, descriptors, loader, prefetch, times)) {
            while (lesson.hasNext()) {
                TaskContext.get().killTaskIfInterrupted();
                lesson.next();
            }
            boolean finite = lesson.endsFinite();
            long ended = System.nanoTime();
            NetState state = finite ? NetState.of(network, returnUpdater) : null;
            times.serialize = WorkerTimes.since(ended);
            result = lesson.result(state, network.iterations() - before);
        }
        pool.giveBack(network); // not after a failure
        return List.of(result).iterator();
    }
}
