package org.pydl4j.spark.shared;

import java.io.Serializable;
import java.util.UUID;

/** What the driver tells the workers of an epoch: where it is, and how many they are. */
final class Call implements Serializable {
    private static final long serialVersionUID = 1L;

    private final UUID fit;
    private final int number;
    final int longest;
    final int workers;
    /** the driver's {@link NodeAddress} as JSON; null where all workers are in its JVM */
    final String driver;
    final UUID driverId;

    Call(Epoch epoch, int longest, int workers, NodeAddress driver) {
        fit = epoch.fit;
        number = epoch.number;
        this.longest = longest;
        this.workers = workers;
        this.driver = driver == null ? null : driver.toJson().toString();
        driverId = driver == null ? null : driver.id;
    }

    Epoch epoch() {
        return new Epoch(fit, number);
    }
}
