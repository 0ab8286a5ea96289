package org.pydl4j.spark;

import java.io.Serializable;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.SparkSession;
import org.pydl4j.nn.Net;

/** A network as executors see it while they compute with it: broadcast once, built once per task that runs at a time. */
public final class SharedNet implements Serializable, AutoCloseable {
    private static final long serialVersionUID = 1L;

    /** What a task does with the network. */
    @FunctionalInterface
    public interface Use<T> {
        T with(Net network) throws Exception;
    }

    private final Blueprint blueprint;
    private final Broadcast<NetState> state;

    private SharedNet(Blueprint blueprint, Broadcast<NetState> state) {
        this.blueprint = blueprint;
        this.state = state;
    }

    public static SharedNet of(SparkSession session, Net network) {
        return of(new JavaSparkContext(session.sparkContext()), network);
    }

    static SharedNet of(JavaSparkContext sc, Net network) {
        return new SharedNet(Blueprint.of(sc, network), sc.broadcast(NetState.of(network, false)));
    }

    public <T> T useUnchecked(Use<T> task) {
        try {
            return use(task);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    <T> T use(Use<T> task) throws Exception {
        WorkerThreads.limit();
        NetPool pool = blueprint.pool();
        Net network = pool.take(unused -> state.value().copyTo(unused)); // nobody changes it after that
        T result = task.with(network);
        pool.giveBack(network);
        return result;
    }

    /** On the driver, when no job uses it any more. */
    @Override
    public void close() {
        blueprint.close();
        state.destroy();
    }
}
