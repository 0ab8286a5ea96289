package org.pydl4j.engine;

import java.io.File;
import java.util.Locale;
import java.util.Map;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.openblas.global.openblas;
import org.deeplearning4j.config.DL4JSystemProperties;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.BatchNormalization;
import org.deeplearning4j.nn.conf.layers.ConvolutionLayer;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.deeplearning4j.nn.layers.LayerHelper;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.nativeblas.NativeOps;
import org.nd4j.nativeblas.NativeOpsHolder;
import org.nd4j.shade.jackson.core.JsonProcessingException;
import org.nd4j.shade.jackson.databind.ObjectMapper;
import org.nd4j.shade.jackson.databind.node.ObjectNode;
import org.pydl4j.PydlException;

/** The native engine under ND4J: which library was loaded, whether layers use oneDNN, how many threads it may use. */
public final class Engine {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String EXECUTIONER_PROPERTY = "opexec";
    /** Names of NativeOps.binaryLevel() and optimalLevel(). */
    private static final String[] LEVELS = {"generic", "avx", "avx2", "avx512"};

    private static final ThreadLocal<Integer> OPENMP_THREADS = ThreadLocal.withInitial(() -> 0); // 0: as it came
    private static volatile int blasThreads;

    private Engine() {}

    /**
     * Loads the backend with oneDNN allowed, and describes it.
     *
     * <p>To be called before ND4J starts and the first layer is made: ND4J makes its executioner, and a layer its helper,
     * once. What the user has set himself stands.
     *
     * @return the same as {@link #describe()}
     */
    public static String prepare() {
        setDefault(DL4JSystemProperties.DISABLE_HELPER_PROPERTY, "false");
        if (Engine.class.getResource("/nd4j-jcublas.properties") == null) {
            setDefault(EXECUTIONER_PROPERTY, GatedExecutioner.class.getName());
        }
        return describe();
    }

    private static void setDefault(String property, String value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, value);
        }
    }

    /**
     * What this JVM computes with, as JSON: backend, blas, natives, built_for, cpu, onednn, helpers (by kind of layer),
     * helpers_off_because (null when they are on), gated (whether oneDNN is kept from what it is slower at), cores, threads.
     */
    public static String describe() {
        NativeOps ops = ops();
        Map<?, ?> environment = Nd4j.getExecutioner().getEnvironmentInformation();
        ObjectNode node = JSON.createObjectNode();
        node.put("backend", String.valueOf(environment.get("backend")).toLowerCase(Locale.ROOT));
        node.put("blas", String.valueOf(environment.get("blas.vendor")).toLowerCase(Locale.ROOT));
        node.put("natives", natives());
        node.put("built_for", level(ops.binaryLevel()));
        node.put("cpu", level(ops.optimalLevel()));
        node.put("onednn", onednn(ops));
        ObjectNode helpers = node.putObject("helpers");
        helpers.put("convolution", helper(new ConvolutionLayer.Builder(1, 1).nIn(1).nOut(1).build()) != null);
        helpers.put("batch_normalization", helper(new BatchNormalization.Builder().nIn(1).nOut(1).build()) != null);
        node.put("helpers_off_because", helpers.get("convolution").booleanValue() ? null : whyOff(ops));
        node.put("gated", Nd4j.getExecutioner() instanceof GatedExecutioner);
        node.put("cores", Runtime.getRuntime().availableProcessors());
        node.set("threads", threads());
        return text(node);
    }

    /**
     * Sets how many threads the operations of the calling thread may use.
     *
     * <p>OpenMP counts by calling thread: call it on the thread that trains. OpenBLAS counts for the whole JVM: with several
     * training threads, give all the same number. ND4J's own limit (SD_MAX_THREADS) cannot be changed once it is loaded; its
     * loops keep to OpenMP's.
     *
     * @param threads 1 or more
     */
    public static void setThreads(long threads) {
        if (threads < 1 || threads > Integer.MAX_VALUE) {
            throw new PydlException("ConfigError", "threads: expected a positive number, got " + threads, "threads", null);
        }
        int wanted = (int) threads;
        if (OPENMP_THREADS.get() != wanted) {
            ops().setOmpNumThreads(wanted);
            OPENMP_THREADS.set(wanted);
        }
        if (blasThreads != wanted) { // setting it looks for OpenBLAS's file, each time
            openblas.blas_set_num_threads(wanted);
            blasThreads = wanted;
        }
    }

    private static NativeOps ops() {
        Nd4j.getBackend(); // loads it: the holder is empty before
        return NativeOpsHolder.getInstance().getDeviceNativeOps();
    }

    private static LayerHelper helper(Layer layer) {
        NeuralNetConfiguration conf = new NeuralNetConfiguration.Builder().layer(layer).build();
        long size = conf.getLayer().initializer().numParams(conf);
        INDArray params = Nd4j.create(DataType.FLOAT, 1, size);
        return conf.getLayer().instantiate(conf, null, 0, params, true, DataType.FLOAT).getHelper();
    }

    private static String whyOff(NativeOps ops) {
        if (!onednn(ops)) {
            return "the native library (" + natives() + ") was built without oneDNN: put the -onednn one on the class path";
        }
        String property = DL4JSystemProperties.DISABLE_HELPER_PROPERTY;
        if (!"false".equalsIgnoreCase(System.getProperty(property))) {
            return "the system property " + property + " is " + System.getProperty(property) + ", not false";
        }
        return Nd4j.getEnvironment().helpersAllowed()
                ? "DL4J's check for oneDNN failed once in this JVM, before the pydl4j bridge was on the class path"
                : "ND4J's environment does not allow helpers";
    }

    private static boolean onednn(NativeOps ops) {
        return ops.buildInfo().contains("HAVE_ONEDNN");
    }

    /** The folder that the native library came from, such as linux-x86_64-onednn: each build lies in its own. */
    private static String natives() {
        String path = Loader.getLoadedLibraries().get("nd4jcpu");
        return path == null ? null : new File(path).getParentFile().getName();
    }

    private static String level(int level) {
        return level >= 0 && level < LEVELS.length ? LEVELS[level] : String.valueOf(level);
    }

    private static ObjectNode threads() {
        return JSON.createObjectNode()
                .put("openmp", ops().ompGetMaxThreads())
                .put("nd4j", Nd4j.getEnvironment().maxThreads())
                .put("blas", openblas.blas_get_num_threads());
    }

    private static String text(ObjectNode node) {
        try {
            return JSON.writeValueAsString(node);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
