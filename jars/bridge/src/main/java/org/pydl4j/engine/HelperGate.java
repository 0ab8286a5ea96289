package org.pydl4j.engine;

import java.util.List;

/**
 * Which operations may use oneDNN: those where it is right and not slower than libnd4j's own code.
 *
 * <p>Found by HelperParityTest and by timing single operations (batch 64, 20 x 24 x 24, one AVX2 thread):
 * <ul>
 * <li>Dilation: libnd4j does not hand it to oneDNN's pooling, which computes without it, and oneDNN refuses convolutions
 *     with it.
 * <li>Pooling in NCHW runs oneDNN's reference code: maximum 8.9 ms against 1.0, its gradient 13.3 against 4.6; average 4.2
 *     against 1.4, its gradient 2.7 against 2.0. In NHWC oneDNN is 5 to 40 times faster.
 * </ul>
 */
final class HelperGate {
    /** Places among the integer arguments: kernel, stride, padding and dilation take two each. */
    private static final int DILATION = 6;
    /** Of pooling; NCHW when left out. */
    private static final int FORMAT = 10;
    private static final long NHWC = 1;

    private HelperGate() {}

    static boolean allows(String op, List<Long> arguments) {
        switch (op) {
            case "maxpool2d":
            case "maxpool2d_bp":
            case "avgpool2d":
            case "avgpool2d_bp":
                return dense(arguments) && format(arguments) == NHWC;
            case "conv2d":
            case "conv2d_bp":
                return dense(arguments);
            default:
                return true;
        }
    }

    /** Whether both dilations are 1. */
    private static boolean dense(List<Long> arguments) {
        return arguments.get(DILATION) == 1 && arguments.get(DILATION + 1) == 1;
    }

    private static long format(List<Long> arguments) {
        return arguments.size() > FORMAT ? arguments.get(FORMAT) : 0;
    }
}
