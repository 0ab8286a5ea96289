package org.pydl4j.spark.shared;

import java.io.Serializable;
import java.util.concurrent.TimeUnit;
import org.deeplearning4j.optimize.solvers.accumulation.encoding.ResidualPostProcessor;
import org.deeplearning4j.optimize.solvers.accumulation.encoding.ThresholdAlgorithm;
import org.deeplearning4j.optimize.solvers.accumulation.encoding.residual.NoOpResidualPostProcessor;
import org.deeplearning4j.optimize.solvers.accumulation.encoding.residual.ResidualClippingPostProcessor;
import org.deeplearning4j.optimize.solvers.accumulation.encoding.threshold.AdaptiveThresholdAlgorithm;
import org.deeplearning4j.optimize.solvers.accumulation.encoding.threshold.FixedThresholdAlgorithm;
import org.deeplearning4j.optimize.solvers.accumulation.encoding.threshold.TargetSparsityThresholdAlgorithm;
import org.nd4j.shade.jackson.databind.JsonNode;

/** The options of a SharedTrainingMaster, as driver and workers need them. */
final class Settings implements Serializable {
    private static final long serialVersionUID = 1L;
    private static final int FIRST_STREAM = 1001;

    /** null: as many as there are slots */
    final Integer workers;
    /** null: no limit but the slots */
    final Integer workersPerNode;
    final int prefetch;
    /** null: whole updates where they are short, else DL4J's default */
    final ThresholdAlgorithm threshold;
    final ResidualPostProcessor residual;
    final boolean debug;
    final Ports ports;
    final int stream;
    /** null: any network */
    final String mask;
    /** null: spark.driver.host, or the driver's address inside the mask */
    final String controller;
    final long updateNanos;

    Settings(JsonNode options) {
        workers = integer(options.path("num_workers"));
        workersPerNode = integer(options.path("workers_per_node"));
        prefetch = options.required("worker_prefetch_num_batches").asInt();
        threshold = threshold(options.path("threshold_algorithm"));
        residual = residual(options.required("residual_post_processor"));
        debug = options.required("encoding_debug_mode").asBoolean();
        updateNanos = (long) (options.required("update_timeout").asDouble() * TimeUnit.SECONDS.toNanos(1));
        JsonNode network = options.required("void_configuration");
        Integer port = integer(network.path("unicast_port"));
        ports = port == null ? Ports.any() : new Ports(port, port + network.required("port_range").asInt());
        Integer number = integer(network.path("stream_id"));
        stream = number == null ? FIRST_STREAM : number;
        mask = text(network.path("network_mask"));
        controller = text(network.path("controller_address"));
    }

    private static Integer integer(JsonNode node) {
        return node.isNumber() ? node.asInt() : null;
    }

    private static String text(JsonNode node) {
        return node.isTextual() ? node.asText() : null;
    }

    private static ThresholdAlgorithm threshold(JsonNode node) {
        if (!node.isObject()) {
            return null;
        }
        String name = node.required("@class").asText();
        switch (name) {
            case "AdaptiveThresholdAlgorithm":
                return new AdaptiveThresholdAlgorithm(
                        node.required("initial_threshold").asDouble(),
                        node.required("min_sparsity_target").asDouble(),
                        node.required("max_sparsity_target").asDouble(),
                        node.required("decay_rate").asDouble());
            case "FixedThresholdAlgorithm":
                return new FixedThresholdAlgorithm(node.required("threshold").asDouble());
            case "TargetSparsityThresholdAlgorithm":
                return new TargetSparsityThresholdAlgorithm(
                        node.required("initial_threshold").asDouble(),
                        node.required("sparsity_target").asDouble(),
                        node.required("decay_rate").asDouble());
            default:
                throw new IllegalArgumentException("no threshold algorithm: " + name);
        }
    }

    private static ResidualPostProcessor residual(JsonNode node) {
        String name = node.required("@class").asText();
        switch (name) {
            case "ResidualClippingPostProcessor":
                return new ResidualClippingPostProcessor(
                        node.required("threshold_multiple_clip_value").asDouble(), node.required("frequency").asInt());
            case "NoOpResidualPostProcessor":
                return new NoOpResidualPostProcessor();
            default:
                throw new IllegalArgumentException("no residual post-processor: " + name);
        }
    }
}
