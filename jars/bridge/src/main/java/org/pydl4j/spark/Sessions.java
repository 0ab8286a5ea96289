package org.pydl4j.spark;

import org.apache.spark.SparkConf;
import org.apache.spark.sql.SparkSession;
import org.nd4j.shade.jackson.databind.node.ObjectNode;
import org.pydl4j.Json;
import org.pydl4j.PydlException;

/** What Python asks about a session. */
public final class Sessions {
    private Sessions() {}

    /** Settings by key as JSON; null where one is not set. */
    public static String settings(SparkSession session, String keys) {
        requireRunning(session);
        SparkConf conf = session.sparkContext().getConf();
        ObjectNode json = Json.object();
        for (String key : keys.split(",")) {
            json.put(key, conf.get(key, null));
        }
        return json.toString();
    }

    static void requireRunning(SparkSession session) {
        if (session.sparkContext().isStopped()) {
            throw new PydlException("SparkSessionStoppedError",
                    "this SparkSession was stopped. Expected a running one: build a new session and attach to it.");
        }
    }

    /** Kryo, where a session has it, serializes a result as one piece. */
    static void requireRoom(SparkSession session, long bytes) {
        SparkConf conf = session.sparkContext().getConf();
        if (!conf.get("spark.serializer", "").endsWith("KryoSerializer")) {
            return;
        }
        long most = conf.getSizeAsMb("spark.kryoserializer.buffer.max", "64m") << 20;
        if (bytes > most - (1 << 20)) {
            throw new PydlException("SparkError", "a network of " + (bytes >> 20) + " MiB (parameters and updater state) does not fit "
                    + "spark.kryoserializer.buffer.max of " + (most >> 20) + " MiB. Set it to up to 2047m when the session is built.");
        }
    }
}
