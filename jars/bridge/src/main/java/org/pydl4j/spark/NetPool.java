package org.pydl4j.spark;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Supplier;
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

    static NetPool of(String id, Supplier<String> conf) throws Exception {
        return POOLS.get(id, () -> new NetPool(conf.get()));
    }

    static void remove(String id) {
        POOLS.remove(id);
    }

    public Net take() {
        return take(network -> {});
    }

    /** @param whenNew what is done to a network that was in no pool before */
    Net take(Consumer<Net> whenNew) {
        Net network = idle.poll();
        if (network == null) {
            network = Net.create(conf);
            whenNew.accept(network);
        }
        return network;
    }

    public void giveBack(Net network) {
        idle.add(network);
    }
}
