package org.pydl4j.conf;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.deeplearning4j.nn.conf.ComputationGraphConfiguration;
import org.deeplearning4j.nn.conf.ComputationGraphConfiguration.GraphBuilder;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.graph.L2NormalizeVertex;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.CenterLossOutputLayer;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.zoo.model.AlexNet;
import org.deeplearning4j.zoo.model.Darknet19;
import org.deeplearning4j.zoo.model.FaceNetNN4Small2;
import org.deeplearning4j.zoo.model.InceptionResNetV1;
import org.deeplearning4j.zoo.model.LeNet;
import org.deeplearning4j.zoo.model.ResNet50;
import org.deeplearning4j.zoo.model.SimpleCNN;
import org.deeplearning4j.zoo.model.SqueezeNet;
import org.deeplearning4j.zoo.model.TextGenerationLSTM;
import org.deeplearning4j.zoo.model.TinyYOLO;
import org.deeplearning4j.zoo.model.UNet;
import org.deeplearning4j.zoo.model.VGG16;
import org.deeplearning4j.zoo.model.VGG19;
import org.deeplearning4j.zoo.model.Xception;
import org.deeplearning4j.zoo.model.YOLO2;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

/** The configurations of DL4J's model zoo for ten classes. NASNet is missing: its builder fails in this version. */
final class Zoo {
  private static final int CLASSES = 10;

  private Zoo() {}

  static Map<String, Supplier<MultiLayerConfiguration>> multiLayer() {
    Map<String, Supplier<MultiLayerConfiguration>> models = new LinkedHashMap<>();
    models.put("AlexNet", () -> AlexNet.builder().numClasses(CLASSES).build().conf());
    models.put("LeNet", () -> LeNet.builder().numClasses(CLASSES).build().conf());
    models.put("SimpleCNN", () -> SimpleCNN.builder().numClasses(CLASSES).build().conf());
    models.put("TextGenerationLSTM", Zoo::textGeneration);
    return models;
  }

  static Map<String, Supplier<ComputationGraphConfiguration>> graphs() {
    Map<String, Supplier<ComputationGraphConfiguration>> models = new LinkedHashMap<>();
    models.put("Darknet19", () -> Darknet19.builder().numClasses(CLASSES).build().conf());
    models.put("FaceNetNN4Small2", () -> FaceNetNN4Small2.builder().numClasses(CLASSES).build().conf());
    models.put("InceptionResNetV1", Zoo::inceptionResNet);
    models.put("ResNet50", () -> ResNet50.builder().numClasses(CLASSES).build().graphBuilder().build());
    models.put("SqueezeNet", () -> onImages(SqueezeNet.builder().numClasses(CLASSES).build().graphBuilder(), 227));
    models.put("TinyYOLO", () -> TinyYOLO.builder().numClasses(CLASSES).build().conf());
    models.put("UNet", () -> onImages(UNet.builder().build().graphBuilder(), 512));
    models.put("VGG16", () -> VGG16.builder().numClasses(CLASSES).build().conf());
    models.put("VGG19", () -> VGG19.builder().numClasses(CLASSES).build().conf());
    models.put("Xception", () -> onImages(Xception.builder().numClasses(CLASSES).build().graphBuilder(), 299));
    models.put("YOLO2", () -> YOLO2.builder().numClasses(CLASSES).build().conf());
    return models;
  }

  static long parameters(MultiLayerConfiguration conf) {
    MultiLayerNetwork network = new MultiLayerNetwork(conf);
    network.init();
    try {
      return network.numParams();
    } finally {
      network.close();
    }
  }

  static long parameters(ComputationGraphConfiguration conf) {
    ComputationGraph network = new ComputationGraph(conf);
    network.init();
    try {
      return network.numParams();
    } finally {
      network.close();
    }
  }

  private static MultiLayerConfiguration textGeneration() {
    TextGenerationLSTM model = TextGenerationLSTM.builder().build();
    model.setInputShape(new int[][] {{40, 47}}); // what the builder forgets
    return model.conf();
  }

  /** What the {@code init()} of these models does before it makes the network. */
  private static ComputationGraphConfiguration onImages(GraphBuilder graph, int size) {
    return graph.addInputs("input").setInputTypes(InputType.convolutional(size, size, 3)).build();
  }

  private static ComputationGraphConfiguration inceptionResNet() {
    CenterLossOutputLayer loss = new CenterLossOutputLayer.Builder().lossFunction(LossFunction.NEGATIVELOGLIKELIHOOD)
        .activation(Activation.SOFTMAX).alpha(0.9).lambda(1e-4).nIn(128).nOut(CLASSES).build();
    return InceptionResNetV1.builder().numClasses(CLASSES).build().graphBuilder("input1").addInputs("input1")
        .setInputTypes(InputType.convolutional(160, 160, 3))
        .addLayer("bottleneck", new DenseLayer.Builder().nIn(5376).nOut(128).build(), "avgpool")
        .addVertex("embeddings", new L2NormalizeVertex(new int[] {1}, 1e-10), "bottleneck")
        .addLayer("outputLayer", loss, "embeddings").setOutputs("outputLayer").build();
  }
}
