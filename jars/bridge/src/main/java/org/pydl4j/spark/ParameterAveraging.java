package org.pydl4j.spark;

import java.util.List;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.shade.jackson.databind.JsonNode;
import org.pydl4j.nn.Net;

/**
 * Parameter averaging as DL4J's ParameterAveragingTrainingMaster does it, fed with minibatch descriptors: every minibatch is trained once
 * per epoch, whatever their number, where DL4J drops what does not fill a round. A round is one Spark job of one task per worker.
 */
final class ParameterAveraging implements Master {
    private final int workers;
    private final int frequency;
    private final int aggregationDepth;
    private final int prefetch;
    private final boolean saveUpdater;
    private final boolean collectStats;
    private Blueprint blueprint;

    ParameterAveraging(JavaSparkContext sc, JsonNode options) {
        JsonNode given = options.path("num_workers");
        workers = given.isNumber() ? given.asInt() : sc.defaultParallelism();
        frequency = options.required("averaging_frequency").asInt();
        aggregationDepth = options.required("aggregation_depth").asInt();
        prefetch = options.required("worker_prefetch_num_batches").asInt();
        collectStats = options.required("collect_training_stats").asBoolean();
        saveUpdater = options.required("save_updater").asBoolean();
    }

    @Override
    public Tally epoch(JavaSparkContext sc, Net network, Dataset data, List<String> minibatches, Progress progress) {
        Rounds rounds = new Rounds(minibatches, workers, frequency);
        if (blueprint == null) {
            blueprint = Blueprint.of(sc, network);
        }
        Tally tally = new Tally();
        for (List<String> round : rounds) {
            train(sc, network, data, round, rounds.partitions(round), tally);
            tally.requireFinite();
            network.setScore(tally.score());
            progress.trained(tally);
        }
        return tally;
    }

    private void train(
            JavaSparkContext sc, Net network, Dataset data, List<String> round, int partitions, Tally tally) {
        RoundTimes times = new RoundTimes();
        long began = System.nanoTime();
        Broadcast<NetState> state = sc.broadcast(NetState.of(network, true));
        long handedOut = System.nanoTime();
        try {
            Trainer trainer = new Trainer(blueprint, state, data.loader(), prefetch, saveUpdater);
            DataType type = network.params().dataType();
            List<WorkerResult> results = data.again(
                    () -> Gather.from(data.deal(sc, round, partitions).mapPartitions(trainer), aggregationDepth, type));
            long trained = System.nanoTime();
            tally.add(results);
            tally.workers = partitions;
            if (Double.isFinite(tally.score())) {
                tally.applied += Average.into(network, results);
            }
            if (collectStats) {
                times.broadcast = (handedOut - began) / 1e9;
                times.wait = (trained - handedOut) / 1e9;
                times.average = WorkerTimes.since(trained);
                times.bytes = NetState.length(network);
                results.forEach(result -> times.workers.addAll(result.times));
                tally.times.add(times);
            }
        } finally {
            state.destroy();
        }
    }

    @Override
    public boolean isExactWithinEpoch() {
        return true; // it is told after each average
    }

    @Override
    public void close() {
        if (blueprint != null) {
            blueprint.close();
        }
    }
}
