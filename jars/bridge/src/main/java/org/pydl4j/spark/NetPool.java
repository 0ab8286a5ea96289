package org.pydl4j.spark;

import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.spark.broadcast.Broadcast;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;

/**
 * Networks that live in this JVM from task to task of a fit, one per task that runs at a time: building one costs more than a
 * minibatch. Whoever takes one puts the state he needs into it, so it does not matter whose it was before.
 */
final class NetPool {
    private static final JvmCache<NetPool> POOLS = new JvmCache<>();

    private final ConcurrentLinkedQueue<MultiLayerNetwork> idle = new ConcurrentLinkedQueue<>();
    private final String conf;

    private NetPool(String conf) {
        this.conf = conf;
    }

    static NetPool of(String id, Broadcast<String> conf) throws Exception {
        return POOLS.get(id, () -> new NetPool(conf.value()));
    }

    static void remove(String id) {
        POOLS.remove(id);
    }

    MultiLayerNetwork take() {
        MultiLayerNetwork network = idle.poll();
        if (network == null) {
            network = new MultiLayerNetwork(MultiLayerConfiguration.fromJson(conf));
            network.init();
        }
        return network;
    }

    void giveBack(MultiLayerNetwork network) {
        idle.add(network);
    }
}
