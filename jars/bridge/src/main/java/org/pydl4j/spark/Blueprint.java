package org.pydl4j.spark;

import java.io.Serializable;
import java.util.UUID;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.pydl4j.nn.Net;

/** A network's configuration as executors see it, and there the networks that were built of it: broadcast once, for as long as it is used. */
public final class Blueprint implements Serializable, AutoCloseable {
    private static final long serialVersionUID = 1L;

    private final String id = UUID.randomUUID().toString();
    private final Broadcast<String> conf;

    private Blueprint(Broadcast<String> conf) {
        this.conf = conf;
    }

    public static Blueprint of(JavaSparkContext sc, Net network) {
        return new Blueprint(sc.broadcast(network.configuration()));
    }

    /** This JVM's networks. */
    public NetPool pool() throws Exception {
        return NetPool.of(id, conf::value);
    }

    /** On the driver, when no job uses it any more. */
    @Override
    public void close() {
        NetPool.remove(id);
        conf.destroy();
    }
}
