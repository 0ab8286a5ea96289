package org.pydl4j.spark;

import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.storage.StorageLevel;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.spark.api.RDDTrainingApproach;
import org.deeplearning4j.spark.api.Repartition;
import org.deeplearning4j.spark.api.RepartitionStrategy;
import org.deeplearning4j.spark.impl.graph.SparkComputationGraph;
import org.deeplearning4j.spark.impl.multilayer.SparkDl4jMultiLayer;
import org.deeplearning4j.spark.impl.paramavg.ParameterAveragingTrainingMaster;
import org.deeplearning4j.spark.impl.paramavg.util.ExportSupport;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.dataset.api.MultiDataSet;
import org.nd4j.shade.jackson.databind.JsonNode;
import org.pydl4j.PydlException;
import org.pydl4j.nn.Net;
import org.pydl4j.tensor.Tensors;

/**
 * DL4J's own ParameterAveragingTrainingMaster, Direct or Export. It cuts an RDD into rounds at random and drops what does not fill one; so it
 * gets one round at a time, with as many objects as its workers train, and what they trained is counted.
 */
final class StockAveraging implements Master {
    private final JavaSparkContext sc;
    private final int workers;
    private final int frequency;
    private final JsonNode options;
    private final boolean collectStats;
    private final Counted counted;
    private ParameterAveragingTrainingMaster master;

    StockAveraging(JavaSparkContext sc, JsonNode options) {
        this.sc = sc;
        this.options = options;
        JsonNode given = options.path("num_workers");
        workers = given.isNumber() ? given.asInt() : sc.defaultParallelism();
        frequency = options.required("averaging_frequency").asInt();
        collectStats = options.required("collect_training_stats").asBoolean();
        counted = new Counted(sc);
        if (approach() == RDDTrainingApproach.Export && !ExportSupport.exportSupported(sc)) {
            throw new PydlException("SparkError", "DL4J exports to a file system that all executors see, but the default one is local. Set "
                    + "spark.hadoop.fs.defaultFS when the session is built, or use \"direct\", or None for files of pydl4j's own",
                    "ParameterAveragingTrainingMaster.rdd_training_approach", null);
        }
    }

    private RDDTrainingApproach approach() {
        return options.required("rdd_training_approach").asText().equals("direct") ? RDDTrainingApproach.Direct : RDDTrainingApproach.Export;
    }

    @Override
    public Tally epoch(JavaSparkContext context, Net network, Dataset data, List<String> minibatches, Progress progress) {
        Rounds rounds = new Rounds(minibatches, workers, frequency);
        Tally tally = new Tally();
        for (List<String> round : rounds) {
            train(network, data, round, rounds.partitions(round), tally);
            tally.requireFinite();
            progress.trained(tally);
        }
        return tally;
    }

    private void train(Net network, Dataset data, List<String> round, int partitions, Tally tally) {
        RoundTimes times = new RoundTimes();
        long start = System.nanoTime();
        counted.reset();
        deleteTempFiles();
        master = master(partitions);
        JavaRDD<MultiDataSet> objects = data.deal(sc, round, partitions).map(new Load(data.loader()));
        try {
            execute(network.model(), objects);
        } finally {
            unpersist();
        }
        if (counted.minibatches() != round.size()) {
            throw new PydlException("CountMismatchError", "DL4J's workers trained " + counted.minibatches() + " of the " + round.size()
                    + " minibatches of a round (" + approach() + "). Expected all: repartition_data=\"always\" and repartition_strategy=\"balanced\" "
                    + "deal them out evenly, rdd_training_approach=None exactly. The network was put back to where it was before the epoch.");
        }
        double score = Tensors.isFinite(network.params()) ? network.score() : Double.NaN; // the score is from before the last update
        tally.add(List.of(new WorkerResult(null, counted.minibatches(), counted.examples(), counted.examples(), counted.minibatches(),
                score * counted.examples(), (System.nanoTime() - start) / 1e9, List.of())));
        tally.workers = partitions;
        tally.applied += counted.minibatches();
        if (collectStats) {
            times.wait = WorkerTimes.since(start);
            tally.times.add(times);
        }
    }

    private void execute(Model model, JavaRDD<MultiDataSet> objects) {
        if (model instanceof ComputationGraph) {
            master.executeTrainingMDS(new SparkComputationGraph(sc, (ComputationGraph) model, master), objects);
        } else {
            JavaRDD<DataSet> single = objects.map(StockAveraging::single);
            master.executeTraining(new SparkDl4jMultiLayer(sc, (MultiLayerNetwork) model, master), single);
        }
    }

    /** DL4J persists RDDs and forgets them. */
    private void unpersist() {
        for (JavaRDD<?> rdd : sc.getPersistentRDDs().values()) {
            String madeAt = rdd.rdd().getCreationSite();
            if (madeAt.contains("StockAveraging.java") || madeAt.contains("TrainingMaster.java")) {
                rdd.unpersist(false);
            }
        }
    }

    private static DataSet single(MultiDataSet minibatch) {
        return new DataSet(minibatch.getFeatures(0), minibatch.getLabels(0),
                minibatch.getFeaturesMaskArray(0), minibatch.getLabelsMaskArray(0));
    }

    private ParameterAveragingTrainingMaster master(int partitions) {
        int batchSize = options.required("batch_size_per_worker").asInt();
        ParameterAveragingTrainingMaster.Builder builder = new ParameterAveragingTrainingMaster.Builder(partitions, batchSize)
                .batchSizePerWorker(batchSize) // 16 else, whatever the objects hold
                .averagingFrequency(frequency)
                .aggregationDepth(options.required("aggregation_depth").asInt())
                .workerPrefetchNumBatches(0) // else a loader that fails stops a worker for ever
                .saveUpdater(options.required("save_updater").asBoolean())
                .repartionData(repartition(options.required("repartition_data").asText()))
                .repartitionStrategy(strategy(options.required("repartition_strategy").asText()))
                .rddTrainingApproach(approach())
                .storageLevel(level("storage_level"))
                .storageLevelStreams(level("storage_level_streams"))
                .trainingHooks(List.of(counted));
        if (options.hasNonNull("export_directory")) {
            builder.exportDirectory(options.get("export_directory").asText());
        }
        if (options.hasNonNull("rng_seed")) {
            builder.rngSeed(options.get("rng_seed").asLong());
        }
        return builder.build();
    }

    private static Repartition repartition(String name) {
        switch (name) {
            case "always":
                return Repartition.Always;
            case "never":
                return Repartition.Never;
            default:
                return Repartition.NumPartitionsWorkersDiffers;
        }
    }

    private static RepartitionStrategy strategy(String name) {
        switch (name) {
            case "spark_default":
                return RepartitionStrategy.SparkDefault;
            case "balanced":
                return RepartitionStrategy.Balanced;
            default:
                return RepartitionStrategy.ApproximateBalanced;
        }
    }

    private StorageLevel level(String option) {
        String name = options.required(option).asText();
        return name.equals("NONE") ? null : StorageLevel.fromString(name);
    }

    private void deleteTempFiles() {
        if (master != null) {
            master.deleteTempFiles(sc);
            master = null;
        }
    }

    @Override
    public boolean isExactWithinEpoch() {
        return true; // it is told after each average
    }

    @Override
    public void close() {
        deleteTempFiles();
    }
}
