package org.pydl4j.nn;

/** Random numbers from the network's seed and how far it is trained, so that equal runs are equal and a continued one goes on. */
public final class Seeds {
    private Seeds() {}

    /** For the order of the rows in the network's next epoch, in this process or on a cluster. */
    public static long rows(Net network) {
        return mix(network.seed(), network.epochs());
    }

    /** For dropout and the like, from the network's next minibatch on. */
    public static long noise(Net network) {
        return mix(~network.seed(), network.iterations());
    }

    private static long mix(long seed, long step) {
        return seed * 0x9E3779B97F4A7C15L + step * 0xD1B54A32D192ED03L;
    }
}
