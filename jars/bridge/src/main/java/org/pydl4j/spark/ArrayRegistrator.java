package org.pydl4j.spark;

import com.esotericsoftware.kryo.Kryo;
import java.util.ArrayList;
import org.nd4j.kryo.Nd4jRegistrator;
import org.nd4j.linalg.factory.Nd4j;
import org.pydl4j.evaluation.Counts;
import org.pydl4j.spark.data.Block;
import org.pydl4j.spark.data.FilePart;
import org.pydl4j.spark.shared.SharedResult;

/**
 * For {@code spark.kryo.registrator}: ND4J's own, but with arrays moved in bulk, where ND4J's moves them element by element; and what the
 * bridge itself sends, for sessions with {@code spark.kryo.registrationRequired}.
 */
public final class ArrayRegistrator extends Nd4jRegistrator {
    @Override
    public void registerClasses(Kryo kryo) {
        super.registerClasses(kryo);
        kryo.register(Nd4j.getBackend().getNDArrayClass(), new ArraySerializer());
        kryo.register(byte[][].class);
        kryo.register(Bytes.class);
        kryo.register(NetState.class);
        kryo.register(WorkerResult.class);
        kryo.register(WorkerTimes.class);
        kryo.register(SharedResult.class);
        kryo.register(SharedResult[].class); // as Spark collects them
        kryo.register(ArrayList.class);
        kryo.register(Evaluated.class);
        Counts.classes().forEach(kryo::register);
        kryo.register(FilePart.class);
        kryo.register(Block.class);
        kryo.register(long[].class);
    }
}
