package org.pydl4j.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.ConvolutionLayer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.conf.layers.SubsamplingLayer;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HelperGateTest {
    @ParameterizedTest
    @CsvSource({
        "conv2d, 1, 0, true", "conv2d, 2, 0, false", "conv2d_bp, 2, 1, false", "maxpool2d, 1, 0, false",
        "maxpool2d_bp, 1, 1, true", "avgpool2d, 2, 1, false", "avgpool2d_bp, 1, 0, false", "batchnorm, 2, 0, true"
    })
    void oneDnnWhereItIsRightAndNotSlower(String op, long dilation, long format, boolean allowed) {
        List<Long> arguments = List.of(3L, 3L, 1L, 1L, 0L, 0L, 1L, dilation, 0L, 0L, format);
        assertEquals(allowed, HelperGate.allows(op, arguments));
    }

    @Test
    void poolingHasNoHelperAndConvolutionHas() {
        Engine.prepare();
        MultiLayerNetwork network = new MultiLayerNetwork(new NeuralNetConfiguration.Builder()
                .list()
                .layer(new ConvolutionLayer.Builder(2, 2).nOut(2).build())
                .layer(new SubsamplingLayer.Builder().build())
                .layer(new OutputLayer.Builder().nOut(2).build())
                .setInputType(InputType.convolutional(4, 4, 1))
                .build());
        network.init();
        assertNotNull(network.getLayer(0).getHelper());
        assertNull(network.getLayer(1).getHelper());
    }
}
