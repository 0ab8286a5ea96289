package org.pydl4j.spark;

import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.spark.broadcast.Broadcast;
import org.pydl4j.nn.Net;

/**
 * Networks that live in this JVM from task to task of a fit, one per task that runs at a time: building one costs more than a
 * minibatch. Whoever takes one puts the state he needs into it, so it does not matter whose it was before.
 */
public final class NetPool {
    private static final JvmCache<NetPool> POOLS = new JvmCache<>();

    private final ConcurrentLinkedQueue<Net> idle = new ConcurrentLinkedQueue<>();
    private final String conf;

    private NetPool(String conf) {
        this.conf = conf;
    }

    public static NetPool of(String id, Broadcast<String> conf) throws Exception {
        return POOLS.get(id, () -> new NetPool(conf.value()));
    }

    public static void remove(String id) {
        POOLS.remove(id);
    }

    public Net take() {
        Net network = idle.poll();
        return network == null ? Net.create(conf) : network;
    }

    public void giveBack(Net network) {
        idle.add(network);
    }
}
