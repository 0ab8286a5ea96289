package org.pydl4j.engine;

import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.deeplearning4j.nn.conf.CNN2DFormat;
import org.deeplearning4j.nn.conf.ConvolutionMode;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.BatchNormalization;
import org.deeplearning4j.nn.conf.layers.Convolution1DLayer;
import org.deeplearning4j.nn.conf.layers.ConvolutionLayer;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.deeplearning4j.nn.conf.layers.LocalResponseNormalization;
import org.deeplearning4j.nn.conf.layers.SubsamplingLayer;
import org.deeplearning4j.nn.conf.layers.SubsamplingLayer.PoolingType;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.nd4j.linalg.api.buffer.DataType;

/** oneDNN on against off, outputs, gradients and parameters after training: they may differ by rounding only. */
class HelperParityTest {
    private static final int[][] INPUTS = {{13, 11, 3}, {9, 9, 16}};
    private static final int[][] KERNELS = {{1, 1}, {2, 2}, {3, 3}, {5, 5}, {3, 2}, {1, 4}};
    private static final int[][] STRIDES = {{1, 1}, {2, 2}, {1, 2}};
    private static final int[][] DILATIONS = {{1, 1}, {2, 2}, {2, 1}};
    private static final int[][] PADDINGS = {{0, 0}, {1, 1}, {1, 0}};
    private static final int[] BATCHES = {4, 1};
    /** One case in this many is in every build; the grids' sizes share no factor with it. */
    private static final int SAMPLE = 317;

    private final List<DynamicTest> cases = new ArrayList<>();

    @BeforeAll
    static void prepare() {
        Engine.prepare();
    }

    @TestFactory
    Stream<DynamicTest> sampleOfTheGrid() {
        List<DynamicTest> all = grid();
        return IntStream.range(0, all.size()).filter(i -> i % SAMPLE == 0).mapToObj(all::get);
    }

    @Tag("nightly")
    @TestFactory
    List<DynamicTest> wholeGrid() {
        return grid();
    }

    private List<DynamicTest> grid() {
        windows(this::convolutions);
        windows(this::poolings);
        normalizations();
        oneDimension();
        return cases;
    }

    private interface Window {
        void add(int[] in, CNN2DFormat format, ConvolutionMode mode, int[] kernel, int[] stride, int[] dilation, int[] pad);
    }

    private static void windows(Window window) {
        for (int[] in : INPUTS)
            for (CNN2DFormat format : CNN2DFormat.values())
                for (ConvolutionMode mode : List.of(ConvolutionMode.Truncate, ConvolutionMode.Same, ConvolutionMode.Strict))
                    for (int[] kernel : KERNELS)
                        for (int[] stride : STRIDES)
                            for (int[] dilation : DILATIONS)
                                for (int[] pad : PADDINGS)
                                    if (fits(in, mode, kernel, stride, dilation, pad))
                                        window.add(in, format, mode, kernel, stride, dilation, pad);
    }

    /** What DL4J itself accepts: Same mode pads by itself, Strict mode needs steps that come out even. */
    private static boolean fits(int[] in, ConvolutionMode mode, int[] kernel, int[] stride, int[] dilation, int[] pad) {
        for (int i = 0; i < 2; i++) {
            int reach = kernel[i] + (kernel[i] - 1) * (dilation[i] - 1);
            int steps = in[i] + 2 * pad[i] - reach;
            if (kernel[i] == 1 && dilation[i] > 1 || pad[i] >= kernel[i]) return false;
            if (mode == ConvolutionMode.Same ? pad[i] > 0 : steps < 0) return false;
            if (mode == ConvolutionMode.Strict && steps % stride[i] != 0) return false;
        }
        return true;
    }

    private void convolutions(
            int[] in, CNN2DFormat format, ConvolutionMode mode, int[] kernel, int[] stride, int[] dilation, int[] pad) {
        boolean bias = (kernel[0] + stride[1] + dilation[0]) % 3 != 0;
        Layer layer = new ConvolutionLayer.Builder(kernel)
                .stride(stride)
                .dilation(dilation)
                .padding(pad)
                .convolutionMode(mode)
                .dataFormat(format)
                .hasBias(bias)
                .nOut(in[2] == 3 ? 4 : 24)
                .helperAllowFallback(false)
                .build();
        add("convolution bias " + bias + " " + name(in, format, mode, kernel, stride, dilation, pad), layer, in, format);
    }

    private void poolings(
            int[] in, CNN2DFormat format, ConvolutionMode mode, int[] kernel, int[] stride, int[] dilation, int[] pad) {
        String where = name(in, format, mode, kernel, stride, dilation, pad);
        for (PoolingType type : List.of(PoolingType.MAX, PoolingType.AVG, PoolingType.PNORM)) {
            boolean includePad = type == PoolingType.AVG && (kernel[1] + stride[0]) % 2 == 0;
            Layer layer = new SubsamplingLayer.Builder(type, kernel, stride, pad)
                    .dilation(dilation)
                    .convolutionMode(mode)
                    .dataFormat(format)
                    .pnorm(2)
                    .avgPoolIncludePadInDivisor(includePad)
                    .helperAllowFallback(false)
                    .build();
            add("pooling " + type + (includePad ? " with padding " : " ") + where, layer, in, format);
        }
    }

    private void normalizations() {
        for (int[] in : new int[][] {{13, 11, 3}, {9, 9, 16}, {5, 7, 33}})
            for (CNN2DFormat format : CNN2DFormat.values()) {
                String where = format + " " + Arrays.toString(in);
                for (double eps : new double[] {1e-5, 1e-2})
                    for (double decay : new double[] {0.9, 0.5})
                        for (boolean lock : locks(format))
                            for (boolean logStd : new boolean[] {false, true})
                                add("batch normalization eps " + eps + " decay " + decay + " lock " + lock + " log " + logStd
                                                + " " + where,
                                        normalization(eps, decay, lock, logStd, format), in, format);
                for (double n : new double[] {3, 5})
                    for (double k : new double[] {1, 2})
                        for (double alpha : new double[] {1e-4, 0.5})
                            for (double beta : new double[] {0.5, 0.75})
                                add("LRN n " + n + " k " + k + " alpha " + alpha + " beta " + beta + " " + where,
                                        new LocalResponseNormalization.Builder(k, n, alpha, beta).dataFormat(format).build(),
                                        in, format);
            }
        for (CNN2DFormat format : CNN2DFormat.values())
            for (boolean lock : locks(format))
                for (boolean logStd : new boolean[] {false, true}) {
                    BatchNormalization layer = (BatchNormalization) normalization(1e-5, 0.9, lock, logStd, format);
                    // the helper takes NHWC's axis for two dimensions, too: the operation refuses, and the layer does without
                    layer.setCudnnAllowFallback(format == CNN2DFormat.NHWC);
                    add("batch normalization after dense, lock " + lock + " log " + logStd + " " + format,
                            List.of(new DenseLayer.Builder().nOut(9).build(), layer),
                            InputType.feedForward(7));
                }
    }

    /** DL4J itself cannot train a locked batch normalization in NHWC: its backpropGradient reads shape[3] of two. */
    private static boolean[] locks(CNN2DFormat format) {
        return format == CNN2DFormat.NHWC ? new boolean[] {false} : new boolean[] {false, true};
    }

    private static Layer normalization(double eps, double decay, boolean lock, boolean logStd, CNN2DFormat format) {
        return new BatchNormalization.Builder(lock)
                .eps(eps)
                .decay(decay)
                .useLogStd(logStd)
                .dataFormat(format)
                .helperAllowFallback(false)
                .build();
    }

    private void oneDimension() {
        for (ConvolutionMode mode : List.of(ConvolutionMode.Truncate, ConvolutionMode.Same, ConvolutionMode.Causal))
            for (int kernel : new int[] {1, 2, 3, 5})
                for (int stride : new int[] {1, 2})
                    for (int dilation : new int[] {1, 2}) {
                        Layer layer = new Convolution1DLayer.Builder(kernel, stride)
                                .dilation(dilation)
                                .convolutionMode(mode)
                                .nOut(5)
                                .helperAllowFallback(false)
                                .build();
                        add("convolution 1d " + mode + " kernel " + kernel + " stride " + stride + " dilation " + dilation,
                                List.of(layer), InputType.recurrent(4, 17));
                    }
    }

    private static String name(int[] in, CNN2DFormat format, ConvolutionMode mode, int[]... numbers) {
        return mode + " " + format + " in " + Arrays.toString(in) + " kernel, stride, dilation, padding "
                + Arrays.deepToString(numbers);
    }

    private void add(String name, Layer layer, int[] in, CNN2DFormat format) {
        Layer first = new ConvolutionLayer.Builder(1, 1)
                .nOut(in[2])
                .dataFormat(format)
                .helperAllowFallback(false)
                .build(); // its gradient is what the layer hands back
        add(name, List.of(first, layer), InputType.convolutional(in[0], in[1], in[2], format));
    }

    private void add(String name, List<Layer> layers, InputType input) {
        for (DataType type : List.of(DataType.FLOAT, DataType.DOUBLE, DataType.FLOAT16)) {
            double floor = type == DataType.FLOAT ? 2e-5 : type == DataType.DOUBLE ? 1e-12 : 2e-2;
            for (int batch : BATCHES) {
                cases.add(dynamicTest(
                        name + " batch " + batch + " " + type, () -> new Parity(layers, input, batch).check(type, floor)));
            }
        }
    }
}
