package org.pydl4j.bench;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.spark.api.RDDTrainingApproach;
import org.deeplearning4j.spark.impl.multilayer.SparkDl4jMultiLayer;
import org.deeplearning4j.spark.impl.paramavg.ParameterAveragingTrainingMaster;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.indexing.NDArrayIndex;

/** DL4J's parameter averaging over an RDD of minibatches, driven as DL4J's own examples do. */
public final class Stock {
    private final SparkDl4jMultiLayer network;
    private final JavaRDD<DataSet> minibatches;

    private Stock(SparkDl4jMultiLayer network, JavaRDD<DataSet> minibatches) {
        this.network = network;
        this.minibatches = minibatches;
    }

    /** @param approach DL4J's: Direct or Export */
    public static Stock of(
            SparkSession session, String conf, INDArray x, INDArray y, long batchSize, long frequency, String approach) {
        JavaSparkContext sc = JavaSparkContext.fromSparkContext(session.sparkContext());
        int size = Math.toIntExact(batchSize);
        ParameterAveragingTrainingMaster master = new ParameterAveragingTrainingMaster.Builder(size)
                .averagingFrequency(Math.toIntExact(frequency))
                .workerPrefetchNumBatches(2)
                .batchSizePerWorker(size) // else it is 16, and Export drops the rest
                .rddTrainingApproach(RDDTrainingApproach.valueOf(approach))
                .saveUpdater(true)
                .build();
        SparkDl4jMultiLayer network = new SparkDl4jMultiLayer(sc, MultiLayerConfiguration.fromJson(conf), master);
        return new Stock(network, sc.parallelize(cut(x, y, size)));
    }

    private static List<DataSet> cut(INDArray x, INDArray y, int size) {
        List<DataSet> minibatches = new ArrayList<>();
        for (long from = 0; from < x.size(0); from += size) {
            var rows = NDArrayIndex.interval(from, Math.min(from + size, x.size(0)));
            minibatches.add(new DataSet(
                    x.get(rows, NDArrayIndex.all()).dup(), y.get(rows, NDArrayIndex.all()).dup()));
        }
        return minibatches;
    }

    /** Trains one epoch; returns the seconds that it took. */
    public static double epoch(Stock stock) {
        long start = System.nanoTime();
        stock.network.fit(stock.minibatches);
        return (System.nanoTime() - start) / 1e9;
    }

    public static MultiLayerNetwork network(Stock stock) {
        return stock.network.getNetwork();
    }
}
