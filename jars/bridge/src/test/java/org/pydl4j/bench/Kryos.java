package org.pydl4j.bench;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import org.apache.spark.SparkConf;
import org.apache.spark.serializer.KryoSerializer;
import org.nd4j.linalg.api.ndarray.INDArray;

/** What Spark's Kryo takes for an INDArray. */
public final class Kryos {
    private Kryos() {}

    /**
     * Writes an array and reads it back, so many times; returns the seconds of one.
     *
     * @param registrator the class that tells Kryo how
     */
    public static double seconds(INDArray array, String registrator, long times) {
        SparkConf conf = new SparkConf(false)
                .set("spark.kryo.registrator", registrator)
                .set("spark.kryo.registrationRequired", "false");
        Kryo kryo = new KryoSerializer(conf).newKryo();
        Output out = new Output(1 << 20, 1 << 30);
        long start = System.nanoTime();
        for (long i = 0; i < times; i++) {
            out.clear();
            kryo.writeClassAndObject(out, array);
            INDArray back = (INDArray) kryo.readClassAndObject(new Input(out.getBuffer(), 0, out.position()));
            if (back.length() != array.length()) {
                throw new IllegalStateException(back.length() + " of " + array.length() + " numbers came back");
            }
            back.close();
        }
        return (System.nanoTime() - start) / 1e9 / times;
    }
}
