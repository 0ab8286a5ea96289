package org.nd4j.nativeblas;

import java.lang.StackWalker.StackFrame;

/**
 * The old name of ND4J's native binding, which DL4J 1.0.0-M2.1 still asks for.
 *
 * <p>{@code org.deeplearning4j.nn.layers.mkldnn.BaseMKLDNNHelper} looks up {@code Nd4jCpu$Environment} by this name before it
 * lets any layer use oneDNN; the class itself moved to {@code org.nd4j.linalg.cpu.nativecpu.bindings}. Without this one the
 * look-up fails and convolutions stay on their slow path.
 */
public final class Nd4jCpu {
    private Nd4jCpu() {}

    /** The two methods that DL4J calls. */
    public static final class Environment {
        private static final Environment INSTANCE = new Environment();
        /** Forgets avgPoolIncludePadInDivisor on the way back; without it the layer calls the same operation, rightly. */
        private static final String WRONG_HELPER = "org.deeplearning4j.nn.layers.mkldnn.MKLDNNSubsamplingHelper";

        private Environment() {}

        /** The one instance. */
        public static Environment getInstance() {
            return INSTANCE;
        }

        /** Whether the helper that asks may use oneDNN (MKL-DNN was its name before). */
        public boolean isUseMKLDNN() {
            return org.nd4j.linalg.cpu.nativecpu.bindings.Nd4jCpu.Environment.getInstance().isUseONEDNN()
                    && StackWalker.getInstance().walk(
                            frames -> frames.map(StackFrame::getClassName).noneMatch(WRONG_HELPER::equals));
        }
    }
}
