package org.pydl4j.spark.shared;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.MultiDataSet;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;
import org.pydl4j.Json;
import org.pydl4j.engine.Engine;
import org.pydl4j.nn.Net;

/** Workers and the driver share updates in one JVM. */
@Timeout(60)
class SharingTest {
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(20);
    private static final int STEPS = 60;

    static Settings settings(String threshold) {
        return new Settings(Json.parse("{\"worker_prefetch_num_batches\":0,\"threshold_algorithm\":" + threshold
                + ",\"residual_post_processor\":{\"@class\":\"NoOpResidualPostProcessor\"},\"encoding_debug_mode\":false,"
                + "\"update_timeout\":20,\"void_configuration\":{\"port_range\":0}}"));
    }

    /** Whatever was seen when: at the end everybody has taken the same steps. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void networksOfBothKindsEndAtTheSameParameters(boolean graph) throws Exception {
        Engine.prepare();
        Epoch epoch = new Epoch(UUID.randomUUID(), 0);
        Net driver = Net.create(configuration(graph));
        INDArray start = driver.params().dup();
        Node node = Node.alone(epoch, Updates.longest(driver.params().length()));
        List<Net> networks = List.of(Net.create(configuration(graph)), Net.create(configuration(graph)));
        List<Member> members = List.of(node.join(0), node.join(1));
        try (Consumer consumer = new Consumer(node, driver, 2)) {
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                int worker = i;
                Thread thread = new Thread(() -> train(epoch, networks.get(worker), members.get(worker)));
                thread.start();
                threads.add(thread);
            }
            for (Thread thread : threads) {
                thread.join();
            }
            node.check();
            long end = System.nanoTime() + PATIENCE;
            while (!consumer.isComplete()) {
                assertTrue(System.nanoTime() < end);
                Member.nap();
            }
            assertEquals(STEPS, consumer.applied(0));
            assertEquals(STEPS, consumer.applied(1));
        }
        assertNotEquals(start, driver.params());
        for (Net network : networks) {
            assertEquals(0, network.params().sub(driver.params()).amaxNumber().doubleValue(), 1e-4);
        }
    }

    private static void train(Epoch epoch, Net network, Member member) {
        try {
            Encoder encoder =
                    Encoder.of(epoch, member.id, settings("{\"@class\":\"FixedThresholdAlgorithm\",\"threshold\":0.002}"));
            Sharing sharing = new Sharing(member, encoder, PATIENCE, () -> {});
            network.setGradientsAccumulator(sharing);
            Nd4j.getRandom().setSeed(member.id);
            for (int i = 0; i < STEPS; i++) {
                network.fit(new MultiDataSet(Nd4j.rand(8, 4), Nd4j.rand(8, 2)));
            }
            member.end();
            INDArray rest = Nd4j.zeros(network.params().dataType(), network.params().length());
            while (!member.hasAllOf(2)) { // what came after the last step
                for (Message message = member.poll(); message != null; message = member.poll()) {
                    Updates.decode(message.body, rest);
                }
                Member.nap();
            }
            network.params().subi(rest);
            sharing.close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** DL4J's adaptive algorithm knows a threshold but no sparsity then, and refuses to go on. */
    @Test
    void anEpochOfOneUpdateLeavesAnEncoderThatGoesOn() throws Exception {
        UUID fit = UUID.randomUUID();
        for (int epoch = 0; epoch < 3; epoch++) {
            Encoder encoder = Encoder.of(new Epoch(fit, epoch), 0, settings("{\"@class\":\"AdaptiveThresholdAlgorithm\","
                    + "\"initial_threshold\":0.01,\"min_sparsity_target\":0.0001,\"max_sparsity_target\":0.01,\"decay_rate\":0.95}"));
            assertTrue(encoder.encode(Nd4j.ones(100).muli(0.1), epoch, epoch).length > 0);
        }
    }

    private static String configuration(boolean graph) {
        NeuralNetConfiguration.Builder builder = new NeuralNetConfiguration.Builder().seed(5).updater(new Adam(0.01));
        DenseLayer dense = new DenseLayer.Builder().nIn(4).nOut(8).activation(Activation.TANH).build();
        OutputLayer output = new OutputLayer.Builder(LossFunction.MSE).nIn(8).nOut(2).activation(Activation.IDENTITY).build();
        return graph
                ? builder.graphBuilder().addInputs("in").addLayer("dense", dense, "in").addLayer("out", output, "dense").setOutputs("out").build().toJson()
                : builder.list().layer(dense).layer(output).build().toJson();
    }
}
