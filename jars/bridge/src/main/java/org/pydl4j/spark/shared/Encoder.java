package org.pydl4j.spark.shared;

import org.deeplearning4j.optimize.solvers.accumulation.EncodingHandler;
import org.deeplearning4j.optimize.solvers.accumulation.encoding.ThresholdAlgorithm;
import org.deeplearning4j.optimize.solvers.accumulation.encoding.threshold.AdaptiveThresholdAlgorithm;
import org.deeplearning4j.optimize.solvers.accumulation.encoding.threshold.TargetSparsityThresholdAlgorithm;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.pydl4j.spark.Arrays;
import org.pydl4j.spark.JvmCache;

/**
 * A worker's encoder: DL4J's own, by threshold. What is below it stays for later, in the residual. Residual and threshold stay in this JVM from
 * epoch to epoch of a fit. Without a threshold, what is short is sent whole: encoding it saves nothing, and costs accuracy.
 */
final class Encoder {
    private static final JvmCache<Encoder> KEPT = new JvmCache<>();

    private static final byte[] NOTHING = {};

    private final Settings settings;
    private ThresholdAlgorithm algorithm;
    private EncodingHandler handler;
    private INDArray residual;

    private Encoder(Settings settings) {
        this.settings = settings;
        algorithm = settings.threshold == null ? new AdaptiveThresholdAlgorithm() : settings.threshold;
    }

    /** For an epoch of a worker, on the calling thread. */
    static Encoder of(Epoch epoch, int worker, Settings settings) throws Exception {
        Encoder encoder = KEPT.get(key(epoch, worker), () -> new Encoder(settings));
        encoder.begin();
        return encoder;
    }

    static void forget(Epoch epoch, int worker) {
        KEPT.remove(key(epoch, worker));
    }

    private static String key(Epoch epoch, int worker) {
        return epoch.fit + "-" + worker;
    }

    /** DL4J's handler keeps its state per thread, and each epoch is a task of its own. */
    private void begin() {
        if (handler != null) {
            ThresholdAlgorithm adapted = handler.getAverageThresholdAlgorithm();
            algorithm = adapted == null || isUnusable(adapted) ? algorithm : adapted;
        }
        handler = new EncodingHandler(algorithm, settings.residual, null, settings.debug);
    }

    /** One that saw a single update refuses to go on: it knows a threshold, but no sparsity. */
    private static boolean isUnusable(ThresholdAlgorithm algorithm) {
        if (algorithm instanceof AdaptiveThresholdAlgorithm) {
            return Double.isNaN(((AdaptiveThresholdAlgorithm) algorithm).getLastSparsity());
        }
        return algorithm instanceof TargetSparsityThresholdAlgorithm
                && Double.isNaN(((TargetSparsityThresholdAlgorithm) algorithm).getLastSparsity());
    }

    /** What of the update and of what was left of earlier ones is large enough to send; nothing at all is an empty update. */
    byte[] encode(INDArray update, int iteration, int epoch) {
        if (residual == null) {
            residual = Updates.own(() -> Nd4j.create(update.dataType(), update.length()));
        }
        residual.addi(update);
        if (settings.threshold == null && Updates.isShort(update)) {
            byte[] whole = Updates.whole(residual);
            Nd4j.getMemoryManager().memset(residual);
            return whole;
        }
        INDArray encoded = Updates.own(() -> handler.encodeUpdates(iteration, epoch, residual));
        if (encoded == null) {
            return NOTHING;
        }
        byte[] bytes = Updates.bytes(encoded);
        Arrays.close(encoded);
        return bytes;
    }

    /** What waits. */
    INDArray left() {
        return residual;
    }
}
