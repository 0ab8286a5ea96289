package org.pydl4j.spark;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.Partitioner;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.nd4j.linalg.api.buffer.DataType;
import scala.Tuple2;

/** Brings the workers' results to the driver. Where they are many, executors average groups of them first. */
final class Gather {
    /** So many results the driver averages itself, faster than executors could be told to. */
    private static final int FLAT = 4;

    private Gather() {}

    /**
     * The results in the order of the partitions, or averages of neighbours in that order. Nothing is persisted: an RDD of results is used
     * once.
     *
     * @param depth as in Spark's treeAggregate: 1 for no averaging on executors, 2 for one level of it
     * @param type of the network's parameters
     */
    static List<WorkerResult> from(JavaRDD<WorkerResult> results, int depth, DataType type) {
        int group = Math.max(2, (int) Math.ceil(Math.pow(results.getNumPartitions(), 1.0 / depth)));
        for (int level = 1; level < depth && results.getNumPartitions() > FLAT; level++) {
            results = averaged(results, new Neighbours(results.getNumPartitions(), group), type);
        }
        return results.collect();
    }

    private static JavaRDD<WorkerResult> averaged(JavaRDD<WorkerResult> results, Neighbours groups, DataType type) {
        return results.mapPartitionsWithIndex(Gather::numbered, false)
                .mapToPair(numbered -> numbered)
                .partitionBy(groups)
                .mapPartitions(new Merge(type));
    }

    private static Iterator<Tuple2<Integer, WorkerResult>> numbered(int partition, Iterator<WorkerResult> results) {
        return List.of(new Tuple2<>(partition, results.next())).iterator(); // a task sends one
    }

    /** Puts so many partitions that follow each other into one. */
    private static final class Neighbours extends Partitioner {
        private static final long serialVersionUID = 1L;

        private final int partitions;
        private final int group;

        Neighbours(int partitions, int group) {
            this.partitions = partitions;
            this.group = group;
        }

        @Override
        public int numPartitions() {
            return (partitions + group - 1) / group;
        }

        @Override
        public int getPartition(Object partition) {
            return (Integer) partition / group;
        }
    }

    private static final class Merge implements FlatMapFunction<Iterator<Tuple2<Integer, WorkerResult>>, WorkerResult>, Serializable {
        private static final long serialVersionUID = 1L;

        private final DataType type;

        Merge(DataType type) {
            this.type = type;
        }

        @Override
        public Iterator<WorkerResult> call(Iterator<Tuple2<Integer, WorkerResult>> numbered) {
            WorkerThreads.limit();
            List<Tuple2<Integer, WorkerResult>> sorted = new ArrayList<>();
            numbered.forEachRemaining(sorted::add);
            sorted.sort(Comparator.comparing(Tuple2::_1)); // they come in the order in which they were fetched
            List<WorkerResult> results = new ArrayList<>();
            sorted.forEach(result -> results.add(result._2));
            return List.of(WorkerResult.merged(results, type)).iterator();
        }
    }
}
