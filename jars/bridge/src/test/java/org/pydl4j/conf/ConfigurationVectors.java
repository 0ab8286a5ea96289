package org.pydl4j.conf;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import org.deeplearning4j.nn.api.OptimizationAlgorithm;
import org.deeplearning4j.nn.conf.BackpropType;
import org.deeplearning4j.nn.conf.CNN2DFormat;
import org.deeplearning4j.nn.conf.CacheMode;
import org.deeplearning4j.nn.conf.ConvolutionMode;
import org.deeplearning4j.nn.conf.GradientNormalization;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.RNNFormat;
import org.deeplearning4j.nn.conf.WorkspaceMode;
import org.deeplearning4j.nn.conf.constraint.MaxNormConstraint;
import org.deeplearning4j.nn.conf.constraint.MinMaxNormConstraint;
import org.deeplearning4j.nn.conf.constraint.NonNegativeConstraint;
import org.deeplearning4j.nn.conf.constraint.UnitNormConstraint;
import org.deeplearning4j.nn.conf.distribution.BinomialDistribution;
import org.deeplearning4j.nn.conf.distribution.ConstantDistribution;
import org.deeplearning4j.nn.conf.distribution.Distribution;
import org.deeplearning4j.nn.conf.distribution.GaussianDistribution;
import org.deeplearning4j.nn.conf.distribution.LogNormalDistribution;
import org.deeplearning4j.nn.conf.distribution.NormalDistribution;
import org.deeplearning4j.nn.conf.distribution.OrthogonalDistribution;
import org.deeplearning4j.nn.conf.distribution.TruncatedNormalDistribution;
import org.deeplearning4j.nn.conf.distribution.UniformDistribution;
import org.deeplearning4j.nn.conf.dropout.AlphaDropout;
import org.deeplearning4j.nn.conf.dropout.Dropout;
import org.deeplearning4j.nn.conf.dropout.GaussianDropout;
import org.deeplearning4j.nn.conf.dropout.GaussianNoise;
import org.deeplearning4j.nn.conf.dropout.IDropout;
import org.deeplearning4j.nn.conf.dropout.SpatialDropout;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.ActivationLayer;
import org.deeplearning4j.nn.conf.layers.BatchNormalization;
import org.deeplearning4j.nn.conf.layers.ConvolutionLayer;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.DropoutLayer;
import org.deeplearning4j.nn.conf.layers.GlobalPoolingLayer;
import org.deeplearning4j.nn.conf.layers.GravesLSTM;
import org.deeplearning4j.nn.conf.layers.LSTM;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.deeplearning4j.nn.conf.layers.LocalResponseNormalization;
import org.deeplearning4j.nn.conf.layers.LossLayer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.conf.layers.PoolingType;
import org.deeplearning4j.nn.conf.layers.RnnOutputLayer;
import org.deeplearning4j.nn.conf.layers.SubsamplingLayer;
import org.deeplearning4j.nn.conf.preprocessor.CnnToFeedForwardPreProcessor;
import org.deeplearning4j.nn.conf.preprocessor.CnnToRnnPreProcessor;
import org.deeplearning4j.nn.conf.preprocessor.FeedForwardToCnnPreProcessor;
import org.deeplearning4j.nn.conf.preprocessor.FeedForwardToRnnPreProcessor;
import org.deeplearning4j.nn.conf.preprocessor.RnnToCnnPreProcessor;
import org.deeplearning4j.nn.conf.preprocessor.RnnToFeedForwardPreProcessor;
import org.deeplearning4j.nn.conf.weightnoise.DropConnect;
import org.deeplearning4j.nn.conf.weightnoise.WeightNoise;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.nn.weights.IWeightInit;
import org.deeplearning4j.nn.weights.WeightInit;
import org.deeplearning4j.nn.weights.WeightInitConstant;
import org.deeplearning4j.nn.weights.WeightInitIdentity;
import org.deeplearning4j.nn.weights.WeightInitVarScalingNormalFanIn;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.activations.IActivation;
import org.nd4j.linalg.activations.impl.ActivationELU;
import org.nd4j.linalg.activations.impl.ActivationGELU;
import org.nd4j.linalg.activations.impl.ActivationLReLU;
import org.nd4j.linalg.activations.impl.ActivationRReLU;
import org.nd4j.linalg.activations.impl.ActivationReLU;
import org.nd4j.linalg.activations.impl.ActivationThresholdedReLU;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.learning.config.AMSGrad;
import org.nd4j.linalg.learning.config.AdaDelta;
import org.nd4j.linalg.learning.config.AdaGrad;
import org.nd4j.linalg.learning.config.AdaMax;
import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.linalg.learning.config.IUpdater;
import org.nd4j.linalg.learning.config.Nadam;
import org.nd4j.linalg.learning.config.Nesterovs;
import org.nd4j.linalg.learning.config.NoOp;
import org.nd4j.linalg.learning.config.RmsProp;
import org.nd4j.linalg.learning.config.Sgd;
import org.nd4j.linalg.learning.regularization.L1Regularization;
import org.nd4j.linalg.learning.regularization.L2Regularization;
import org.nd4j.linalg.learning.regularization.Regularization;
import org.nd4j.linalg.learning.regularization.WeightDecay;
import org.nd4j.linalg.lossfunctions.ILossFunction;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;
import org.nd4j.linalg.lossfunctions.impl.LossBinaryXENT;
import org.nd4j.linalg.lossfunctions.impl.LossFMeasure;
import org.nd4j.linalg.lossfunctions.impl.LossMCXENT;
import org.nd4j.linalg.lossfunctions.impl.LossMixtureDensity;
import org.nd4j.linalg.lossfunctions.impl.LossMultiLabel;
import org.nd4j.linalg.schedule.CycleSchedule;
import org.nd4j.linalg.schedule.ExponentialSchedule;
import org.nd4j.linalg.schedule.FixedSchedule;
import org.nd4j.linalg.schedule.ISchedule;
import org.nd4j.linalg.schedule.InverseSchedule;
import org.nd4j.linalg.schedule.MapSchedule;
import org.nd4j.linalg.schedule.PolySchedule;
import org.nd4j.linalg.schedule.ScheduleType;
import org.nd4j.linalg.schedule.SigmoidSchedule;
import org.nd4j.linalg.schedule.StepSchedule;
import org.nd4j.shade.jackson.databind.ObjectMapper;
import org.nd4j.shade.jackson.databind.SerializationFeature;

/**
 * Writes what DL4J's own builders make of a wide set of configurations; the Python tests build the same and compare byte for byte.
 *
 * <p>To make the files anew, with a class path that has a native backend and the bridge's test classes:
 * {@code java -cp <class path> org.pydl4j.conf.ConfigurationVectors tests/golden/conf/vectors}
 */
@SuppressWarnings({"deprecation", "rawtypes", "unchecked"}) // DL4J deprecates classes that its users still have
public final class ConfigurationVectors {
  private final Map<String, MultiLayerConfiguration> documents = new LinkedHashMap<>();

  private ConfigurationVectors() {}

  /** Writes documents, parameter shapes, the convolution grid and printed doubles into a directory. */
  public static void main(String[] args) throws Exception {
    Path directory = Files.createDirectories(Path.of(args[0]));
    ConfigurationVectors vectors = new ConfigurationVectors();
    vectors.add();
    vectors.write(directory);
    Files.writeString(directory.resolve("grid.txt"), grid());
    Files.writeString(directory.resolve("doubles.txt"), doubles());
  }

  private void add() {
    addUpdaters();
    addFunctions();
    addWeightInits();
    addRegularization();
    addDropout();
    addGlobals();
    addConvolutions();
    addRecurrent();
    addInputTypes();
    addPreprocessors();
  }

  // Networks around one thing

  private static NeuralNetConfiguration.Builder global() {
    return new NeuralNetConfiguration.Builder().seed(42);
  }

  private static DenseLayer.Builder dense() {
    return new DenseLayer.Builder().nIn(3).nOut(3);
  }

  private static OutputLayer output() {
    return new OutputLayer.Builder().nOut(2).build();
  }

  private static RnnOutputLayer rnnOutput() {
    return new RnnOutputLayer.Builder().nOut(2).build();
  }

  private void stack(String name, NeuralNetConfiguration.Builder global, InputType input, Layer... layers) {
    NeuralNetConfiguration.ListBuilder list = global.list(layers);
    if (input != null) {
      list.setInputType(input);
    }
    documents.put(name, list.build());
  }

  private void stack(String name, InputType input, Layer... layers) {
    stack(name, global(), input, layers);
  }

  private static final InputType ROWS = InputType.feedForward(3);
  private static final InputType IMAGES = InputType.convolutional(13, 11, 2);

  // Updaters and schedules

  private static ISchedule schedule(int i) {
    ISchedule[] all = {
      new ExponentialSchedule(ScheduleType.ITERATION, 0.1, 0.99),
      new MapSchedule.Builder(ScheduleType.ITERATION).add(0, 0.1).add(200, 0.05).add(1000, 0.01).build(),
      new StepSchedule(ScheduleType.EPOCH, 0.1, 0.5, 10),
      new PolySchedule(ScheduleType.EPOCH, 0.1, 2, 100),
      new InverseSchedule(ScheduleType.ITERATION, 0.1, 0.9, 2),
      new SigmoidSchedule(ScheduleType.EPOCH, 0.1, 0.9, 2),
      new CycleSchedule(ScheduleType.ITERATION, 0.001, 0.1, 100, 11, 0.1),
      new FixedSchedule(0.3),
    };
    return all[i];
  }

  private void updaters(String name, IUpdater... updaters) {
    Layer[] layers = Arrays.stream(updaters).map(u -> dense().updater(u).build()).toArray(Layer[]::new);
    stack(name, null, layers);
  }

  private void addUpdaters() {
    updaters("updaters_default", new Sgd(), new Adam(), new AdaMax(), new Nadam(), new AMSGrad(), new AdaGrad(),
        new AdaDelta(), new RmsProp(), new Nesterovs(), new NoOp());
    updaters("updaters_set", new Sgd(0.5), new Adam(0.002, 0.8, 0.99, 1e-7), new AdaMax(0.002, 0.8, 0.99, 1e-7),
        new Nadam(0.002, 0.8, 0.99, 1e-7), new AMSGrad(0.002, 0.8, 0.99, 1e-7),
        new AdaGrad(0.02, 1e-5), new AdaDelta(0.9, 1e-5), new RmsProp(0.02, 0.9, 1e-5), new Nesterovs(0.02, 0.8));
    updaters("updaters_scheduled", new Sgd(schedule(0)), new Adam(schedule(1)), new AdaMax(schedule(2)), new Nadam(schedule(3)),
        new AMSGrad(schedule(4)), new Sgd(schedule(5)), new RmsProp(schedule(6)), new RmsProp(schedule(7)),
        new Nesterovs(schedule(0)), new Nesterovs(schedule(1), schedule(2)), new Nesterovs(0.1, schedule(7)));
    stack("updaters_inherited", global().updater(new Adam(0.01)).biasUpdater(new Sgd(0.2)), ROWS,
        dense().build(), dense().updater(new NoOp()).build(), dense().biasUpdater(new Nesterovs(0.3)).build(), output());
  }

  // Activations and losses

  private void addFunctions() {
    List<Layer> layers = new ArrayList<>();
    for (Activation a : Activation.values()) {
      layers.add(dense().activation(a).name(a.name()).build());
    }
    stack("activations_by_name", null, layers.toArray(new Layer[0]));
    IActivation[] set = {new ActivationELU(0.5), new ActivationGELU(true), new ActivationLReLU(0.3), new ActivationRReLU(0.1, 0.2),
        new ActivationReLU(6.0, 0.5, 0.25), new ActivationThresholdedReLU(0.75)};
    stack("activations_set", null, Arrays.stream(set).map(a -> dense().activation(a).build()).toArray(Layer[]::new));
    stack("activation_layers", global().activation(Activation.TANH), ROWS, dense().build(), new ActivationLayer.Builder().build(),
        new ActivationLayer(Activation.RELU), new ActivationLayer(new ActivationLReLU(0.2)), output());

    List<Layer> outputs = new ArrayList<>();
    for (LossFunction loss : LossFunction.values()) {
      Activation activation = loss == LossFunction.XENT ? Activation.SIGMOID : Activation.SOFTMAX;
      outputs.add(new OutputLayer.Builder(loss).nIn(3).nOut(3).activation(activation).name(loss.name()).build());
    }
    stack("losses_by_name", null, outputs.toArray(new Layer[0]));
    ILossFunction[] losses = {new LossMCXENT(0.01, null), new LossBinaryXENT(0.25), new LossFMeasure(2.0), new LossMultiLabel(),
        LossMixtureDensity.builder().gaussians(2).labelWidth(3).build()};
    stack("losses_set", null, Arrays.stream(losses)
        .map(l -> new OutputLayer.Builder(l).nIn(10).nOut(10)
            .activation(l instanceof LossMCXENT ? Activation.SOFTMAX : Activation.SIGMOID).build())
        .toArray(Layer[]::new));
    stack("loss_layer", ROWS, dense().activation(Activation.SOFTMAX).build(), new LossLayer.Builder(LossFunction.MSE).build());
    stack("loss_layer_on_sequences", InputType.recurrent(3, 7), new LSTM.Builder().nOut(4).build(),
        new LossLayer.Builder(LossFunction.MCXENT).activation(Activation.SOFTMAX).build());
  }

  // Weight initialization

  private void addWeightInits() {
    List<Layer> layers = new ArrayList<>();
    for (WeightInit init : WeightInit.values()) {
      if (init != WeightInit.DISTRIBUTION) {
        layers.add(dense().weightInit(init).name(init.name()).build());
      }
    }
    stack("weight_inits_by_name", null, layers.toArray(new Layer[0]));
    Distribution[] distributions = {new NormalDistribution(0, 0.01), new GaussianDistribution(1, 0.5), new UniformDistribution(-1, 1),
        new TruncatedNormalDistribution(0, 0.1), new LogNormalDistribution(0, 1), new BinomialDistribution(3, 0.5),
        new OrthogonalDistribution(1.5), new ConstantDistribution(0.125)};
    stack("distributions", null, Arrays.stream(distributions).map(d -> dense().weightInit(d).build()).toArray(Layer[]::new));
    IWeightInit[] inits = {new WeightInitConstant(0.5), new WeightInitIdentity(2.0), new WeightInitVarScalingNormalFanIn(0.5)};
    stack("weight_inits_set", null, Arrays.stream(inits).map(w -> dense().weightInit(w).build()).toArray(Layer[]::new));
    stack("weight_init_inherited", global().weightInit(new UniformDistribution(-0.1, 0.1)).biasInit(0.5), ROWS, dense().build(),
        dense().weightInit(WeightInit.RELU).biasInit(-1).gainInit(2).hasLayerNorm(true).build(),
        dense().hasBias(false).build(), output());
  }

  // Regularization

  private static Layer[] regularized() {
    return new Layer[] {dense().build(), dense().l1(0.1).build(), dense().l2(0.2).build(), dense().l1(0.1).l2(0.2).build(),
        dense().l1Bias(0.3).build(), dense().l2Bias(0.4).l2(0.5).build(), output()};
  }

  private void addRegularization() {
    stack("regularization_none", global(), ROWS, regularized());
    stack("regularization_l1", global().l1(0.01), ROWS, regularized());
    stack("regularization_l2", global().l2(1e-4), ROWS, regularized());
    stack("regularization_l1_l2", global().l1(0.01).l2(1e-4), ROWS, regularized());
    stack("regularization_bias", global().l1Bias(0.01).l2Bias(0.02), ROWS, regularized());
    stack("regularization_all", global().l1(0.01).l2(0.02).l1Bias(0.03).l2Bias(0.04), ROWS, regularized());
    DenseLayer.Builder decayed = dense();
    decayed.weightDecay(0.1);
    DenseLayer.Builder decayedBias = dense();
    decayedBias.weightDecayBias(0.2, true);
    DenseLayer.Builder decayedPlain = dense();
    decayedPlain.weightDecay(0.3, false);
    stack("weight_decay_in_layers", global(), ROWS, decayed.build(), decayedBias.build(), decayedPlain.build(), output());
    stack("weight_decay_in_network", global().weightDecay(0.01), ROWS, dense().build(), dense().l2(0.2).build(), output());
    List<Regularization> scheduled =
        new ArrayList<>(Arrays.asList(new L2Regularization(schedule(0)), new L1Regularization(schedule(2))));
    stack("regularization_scheduled", global(), ROWS, dense().regularization(scheduled).build(),
        dense().regularizationBias(new ArrayList<>(List.of(new WeightDecay(schedule(7), false)))).build(), output());
    MaxNormConstraint max = new MaxNormConstraint(2.0, 1);
    stack("constraints", global(), ROWS, dense().constrainWeights(max).build(),
        dense().constrainBias(new NonNegativeConstraint()).build(),
        dense().constrainWeights(new UnitNormConstraint(1), new MinMaxNormConstraint(0.1, 2.0, 0.5, 1)).build(),
        output());
  }

  // Dropout and weight noise

  private void addDropout() {
    IDropout[] kinds = {new Dropout(0.8), new Dropout(schedule(2)), new AlphaDropout(0.9),
        new GaussianDropout(0.25), new GaussianDropout(schedule(0)), new GaussianNoise(0.5), new GaussianNoise(schedule(1)),
        new SpatialDropout(0.75), new SpatialDropout(schedule(7))};
    stack("dropout_kinds", null, Arrays.stream(kinds).map(d -> dense().dropOut(d).build()).toArray(Layer[]::new));
    stack("dropout_inherited", global().dropOut(0.5), ROWS, dense().build(), dense().dropOut(0.9).build(),
        new ActivationLayer(Activation.RELU), output());
    stack("dropout_layers", ROWS, dense().build(), new DropoutLayer(0.5), dense().build(), new DropoutLayer(new GaussianNoise(0.1)),
        output());
    stack("weight_noise", global().weightNoise(new DropConnect(0.9)), ROWS, dense().build(),
        dense().weightNoise(new DropConnect(schedule(7), true)).build(),
        dense().weightNoise(new WeightNoise(new NormalDistribution(0, 0.1))).build(),
        dense().weightNoise(new WeightNoise(new NormalDistribution(1, 0.1), true, false)).build(), output());
  }

  // Options of the network

  private void addGlobals() {
    Supplier<Layer[]> layers = () -> new Layer[] {dense().build(), output()};
    stack("global_none", ROWS, layers.get());
    stack("global_all", global().seed(-7).activation(Activation.RELU).weightInit(WeightInit.XAVIER_UNIFORM).updater(new Adam())
        .miniBatch(false).minimize(false).optimizationAlgo(OptimizationAlgorithm.LBFGS).maxNumLineSearchIterations(9)
        .cacheMode(CacheMode.DEVICE).dataType(DataType.DOUBLE).trainingWorkspaceMode(WorkspaceMode.NONE)
        .inferenceWorkspaceMode(WorkspaceMode.NONE).convolutionMode(ConvolutionMode.Same), ROWS, layers.get());
    for (OptimizationAlgorithm algorithm : OptimizationAlgorithm.values()) {
      stack("optimization_" + algorithm.name().toLowerCase(), global().optimizationAlgo(algorithm), ROWS, layers.get());
    }
    for (GradientNormalization kind : GradientNormalization.values()) {
      stack("gradient_" + kind.name().toLowerCase(), global().gradientNormalization(kind).gradientNormalizationThreshold(0.5), ROWS,
          dense().build(), dense().gradientNormalization(GradientNormalization.ClipL2PerLayer).gradientNormalizationThreshold(2).build(),
          output());
    }
    stack("data_type_half", global().dataType(DataType.HALF), ROWS, layers.get());
    stack("data_type_double", global().dataType(DataType.DOUBLE), ROWS, layers.get());
    stack("cache_host", global().cacheMode(CacheMode.HOST), ROWS, layers.get());
    stack("names", ROWS, dense().name("first \"quoted\" \u00e9\t").build(), new OutputLayer.Builder().nOut(2).name("last").build());
  }

  // Images

  private static ConvolutionLayer.Builder conv(int... kernel) {
    return new ConvolutionLayer.Builder(kernel).nOut(4);
  }

  private void addConvolutions() {
    stack("lenet", global().updater(new Adam(1e-3)), InputType.convolutionalFlat(28, 28, 1),
        new ConvolutionLayer.Builder(5, 5).nOut(20).activation(Activation.RELU).build(),
        new SubsamplingLayer.Builder(PoolingType.MAX).kernelSize(2, 2).stride(2, 2).build(),
        new ConvolutionLayer.Builder(5, 5).nOut(50).activation(Activation.RELU).build(),
        new SubsamplingLayer.Builder(PoolingType.MAX).kernelSize(2, 2).stride(2, 2).build(),
        new DenseLayer.Builder().nOut(500).activation(Activation.RELU).build(),
        new OutputLayer.Builder(LossFunction.NEGATIVELOGLIKELIHOOD).nOut(10).activation(Activation.SOFTMAX).build());
    stack("convolution_options", global().convolutionMode(ConvolutionMode.Same).cudnnAlgoMode(ConvolutionLayer.AlgoMode.NO_WORKSPACE),
        IMAGES, conv(3, 3).build(), conv(3, 2).convolutionMode(ConvolutionMode.Truncate).stride(2, 1).padding(1, 0).build(),
        conv(2, 2).hasBias(false).dilation(2, 2).build(),
        conv(1, 1).cudnnAlgoMode(ConvolutionLayer.AlgoMode.USER_SPECIFIED).cudnnFwdMode(ConvolutionLayer.FwdAlgo.GEMM)
            .cudnnBwdFilterMode(ConvolutionLayer.BwdFilterAlgo.ALGO_3).cudnnBwdDataMode(ConvolutionLayer.BwdDataAlgo.FFT_TILING)
            .cudnnAllowFallback(false).build(),
        output());
    for (PoolingType pooling : PoolingType.values()) {
      SubsamplingLayer.Builder subsampling = new SubsamplingLayer.Builder(pooling).kernelSize(3, 3).stride(2, 2).padding(1, 1)
          .eps(1e-6).avgPoolIncludePadInDivisor(true).cudnnAllowFallback(false).dilation(2, 2);
      if (pooling == PoolingType.PNORM) {
        subsampling.pnorm(3);
      }
      stack("pooling_" + pooling.name().toLowerCase(), IMAGES, conv(3, 3).build(), subsampling.build(), output());
      stack("global_pooling_" + pooling.name().toLowerCase(), IMAGES, conv(3, 3).build(), new GlobalPoolingLayer.Builder(pooling).build(),
          output());
    }
    stack("pooling_defaults", IMAGES, new SubsamplingLayer.Builder().build(), new SubsamplingLayer.Builder(2, 2).stride(1, 1).build(),
        output());
    stack("global_pooling_kept", IMAGES, conv(3, 3).build(),
        new GlobalPoolingLayer.Builder(PoolingType.PNORM).pnorm(3).collapseDimensions(false).build(), output());
    stack("images_nhwc", InputType.convolutional(13, 11, 2, CNN2DFormat.NHWC), conv(3, 3).build(),
        new SubsamplingLayer.Builder(2, 2).build(), new BatchNormalization(), new LocalResponseNormalization.Builder().build(),
        dense().nIn(0).build(), output());
    stack("images_nhwc_pooled", InputType.convolutional(13, 11, 2, CNN2DFormat.NHWC), conv(3, 3).build(),
        new GlobalPoolingLayer(PoolingType.AVG), output());
    stack("lrn", IMAGES, conv(3, 3).build(),
        new LocalResponseNormalization.Builder().k(1).n(3).alpha(0.5).beta(0.25).build(), output());
    stack("batch_norm_options", global().updater(new Adam()), IMAGES, new BatchNormalization(),
        new BatchNormalization.Builder().decay(0.5).eps(1e-3).gamma(2).beta(0.5).minibatch(false).cudnnAllowFallback(false).build(),
        new BatchNormalization.Builder(true).build(), conv(3, 3).build(), new BatchNormalization.Builder(0.8, 1e-4).build(),
        dense().nIn(0).build(), new BatchNormalization(), output());
    stack("convolution_without_input_type", (InputType) null, conv(3, 3).nIn(2).build(), new SubsamplingLayer.Builder(2, 2).build());
    stack("two_channels_flat", InputType.convolutionalFlat(6, 5, 2), conv(2, 2).build(), output());
  }

  // Sequences

  private void addRecurrent() {
    documents.put("char_model", global().seed(12345).l2(0.001).weightInit(WeightInit.XAVIER).updater(new RmsProp(0.1)).list()
        .layer(0, new GravesLSTM.Builder().nIn(77).nOut(200).activation(Activation.TANH).build())
        .layer(1, new GravesLSTM.Builder().nIn(200).nOut(200).activation(Activation.TANH).build())
        .layer(2, new RnnOutputLayer.Builder(LossFunction.MCXENT).activation(Activation.SOFTMAX).nIn(200).nOut(77).build())
        .backpropType(BackpropType.TruncatedBPTT).tBPTTForwardLength(50).tBPTTBackwardLength(50).build());
    documents.put("tbptt_lengths", global().list(new LSTM.Builder().nIn(3).nOut(4).build(), rnnOutput())
        .backpropType(BackpropType.TruncatedBPTT).tBPTTForwardLength(30).tBPTTBackwardLength(10).build());
    documents.put("tbptt_default", global().list(new LSTM.Builder().nIn(3).nOut(4).build(), rnnOutput())
        .backpropType(BackpropType.TruncatedBPTT).build());
    LSTM.Builder set = new LSTM.Builder().nOut(4).activation(Activation.TANH).forgetGateBiasInit(2)
        .gateActivationFunction(Activation.HARDSIGMOID).weightInitRecurrent(WeightInit.RELU).helperAllowFallback(false);
    stack("lstm_options", InputType.recurrent(3), set.build(),
        new LSTM.Builder().nOut(5).weightInitRecurrent(new UniformDistribution(-0.1, 0.1)).build(),
        new GravesLSTM.Builder().nOut(3).forgetGateBiasInit(0.5).build(), rnnOutput());
    stack("lstm_nwc", InputType.recurrent(3, 7, RNNFormat.NWC), new LSTM.Builder().nOut(4).build(), rnnOutput());
    stack("lstm_length", InputType.recurrent(3, 7), new LSTM.Builder().nOut(4).build(), rnnOutput());
    stack("lstm_dense", InputType.recurrent(3), new LSTM.Builder().nOut(4).build(), dense().nIn(0).build(), rnnOutput());
    stack("lstm_dense_nwc", InputType.recurrent(3, RNNFormat.NWC), new LSTM.Builder().nOut(4).build(), dense().nIn(0).build(),
        rnnOutput());
    stack("lstm_without_input_type", (InputType) null, new LSTM.Builder().nIn(3).nOut(4).build(),
        new GravesLSTM.Builder().nOut(4).build(), rnnOutput());
    stack("lstm_nwc_without_input_type", (InputType) null, new LSTM.Builder().nIn(3).nOut(4).dataFormat(RNNFormat.NWC).build(),
        rnnOutput());
    for (PoolingType pooling : PoolingType.values()) {
      stack("sequence_pooling_" + pooling.name().toLowerCase(), InputType.recurrent(3), new LSTM.Builder().nOut(4).build(),
          new GlobalPoolingLayer(pooling), output());
    }
    stack("sequence_batch_norm", InputType.recurrent(3), new LSTM.Builder().nOut(4).build(), new BatchNormalization(), rnnOutput());
    stack("sequence_dropout", InputType.recurrent(3), new LSTM.Builder().nOut(4).dropOut(new SpatialDropout(0.5)).build(),
        new DropoutLayer(0.5), new ActivationLayer(Activation.TANH), rnnOutput());
  }

  // Input types and the preprocessors that they bring

  private void addInputTypes() {
    Map<String, InputType> types = new LinkedHashMap<>();
    types.put("rows", InputType.feedForward(30));
    types.put("sequences", InputType.recurrent(30));
    types.put("sequences_nwc", InputType.recurrent(30, 4, RNNFormat.NWC));
    types.put("images", InputType.convolutional(5, 3, 2));
    types.put("images_nhwc", InputType.convolutional(5, 3, 2, CNN2DFormat.NHWC));
    types.put("images_flat", InputType.convolutionalFlat(5, 3, 2));
    for (Map.Entry<String, InputType> type : types.entrySet()) {
      String name = type.getKey();
      boolean image = name.startsWith("images");
      stack("input_" + name + "_dense", type.getValue(), dense().nIn(0).build(), output());
      stack("input_" + name + "_output", type.getValue(), output());
      stack("input_" + name + "_lstm", type.getValue(), new LSTM.Builder().nOut(4).build(), rnnOutput());
      stack("input_" + name + "_rnn_output", type.getValue(), rnnOutput());
      stack("input_" + name + "_batch_norm", type.getValue(), new BatchNormalization(), output());
      stack("input_" + name + "_dropout", type.getValue(), new DropoutLayer(0.5), new ActivationLayer(Activation.RELU), output());
      if (!name.equals("sequences_nwc")) { // of which DL4J pools the features
        stack("input_" + name + "_pooling", type.getValue(), new GlobalPoolingLayer(PoolingType.MAX), output());
      }
      if (image) {
        stack("input_" + name + "_convolution", type.getValue(), conv(2, 2).build(), output());
        stack("input_" + name + "_subsampling", type.getValue(), new SubsamplingLayer.Builder(2, 2).stride(1, 1).build(), output());
        stack("input_" + name + "_lrn", type.getValue(), new LocalResponseNormalization.Builder().build(), output());
        stack("input_" + name + "_convolution_lstm", type.getValue(), conv(2, 2).build(), new LSTM.Builder().nOut(4).build(), rnnOutput());
      }
    }
  }

  private void addPreprocessors() {
    documents.put("given_rows_to_images", global().list(conv(2, 2).nIn(2).build(), output())
        .inputPreProcessor(0, new FeedForwardToCnnPreProcessor(5, 3, 2)).setInputType(InputType.feedForward(30)).build());
    documents.put("given_images_to_rows", global().list(conv(2, 2).build(), output())
        .inputPreProcessor(1, new CnnToFeedForwardPreProcessor(4, 2, 4)).setInputType(InputType.convolutional(5, 3, 2)).build());
    documents.put("given_sequences_to_images", global().list(conv(2, 2).build(), output())
        .inputPreProcessor(0, new RnnToCnnPreProcessor(5, 3, 2)).setInputType(InputType.recurrent(30)).build());
    documents.put("given_images_to_sequences", global().list(conv(2, 2).build(), new LSTM.Builder().nOut(3).build(), rnnOutput())
        .inputPreProcessor(1, new CnnToRnnPreProcessor(4, 2, 4, RNNFormat.NCW)).setInputType(InputType.convolutional(5, 3, 2)).build());
    documents.put("given_rows_to_sequences", global().list(dense().build(), new LSTM.Builder().nOut(3).build(), rnnOutput())
        .inputPreProcessor(1, new FeedForwardToRnnPreProcessor(RNNFormat.NWC)).setInputType(ROWS).build());
    documents.put("given_sequences_to_rows", global().list(dense().build(), output())
        .inputPreProcessor(0, new RnnToFeedForwardPreProcessor(RNNFormat.NCW)).setInputType(InputType.recurrent(3)).build());
  }

  // Writing

  private static final HashSet<String> NOT_INITIALIZED = new HashSet<>(List.of("data_type_half"));

  private void write(Path directory) throws IOException {
    Map<String, Object> shapes = new LinkedHashMap<>();
    for (Map.Entry<String, MultiLayerConfiguration> entry : documents.entrySet()) {
      MultiLayerConfiguration conf = entry.getValue();
      Files.writeString(directory.resolve(entry.getKey() + ".json"), conf.toJson());
      if (!NOT_INITIALIZED.contains(entry.getKey())) {
        shapes.put(entry.getKey(), shapes(conf.clone()));
      }
    }
    for (String name : List.of("lenet", "char_model", "updaters_scheduled", "distributions", "dropout_kinds")) {
      Files.writeString(directory.resolve(name + ".yaml"), documents.get(name).toYaml());
    }
    MultiLayerNetwork trained = new MultiLayerNetwork(documents.get("batch_norm_options").clone());
    trained.init();
    trained.getLayerWiseConfigurations().setIterationCount(123);
    trained.getLayerWiseConfigurations().setEpochCount(4);
    Files.writeString(directory.resolve("trained.json"), trained.getLayerWiseConfigurations().toJson());
    ObjectMapper mapper = new ObjectMapper().disable(SerializationFeature.INDENT_OUTPUT);
    StringBuilder lines = new StringBuilder();
    for (Map.Entry<String, Object> entry : shapes.entrySet()) {
      lines.append(entry.getKey()).append(' ').append(mapper.writeValueAsString(entry.getValue())).append('\n');
    }
    Files.writeString(directory.resolve("shapes.txt"), lines.toString());
  }

  private static Map<String, Object> shapes(MultiLayerConfiguration conf) {
    MultiLayerNetwork net = new MultiLayerNetwork(conf);
    net.init();
    Map<String, Object> shapes = new LinkedHashMap<>();
    net.paramTable().forEach((key, array) -> shapes.put(key, array.shape()));
    shapes.put("n_params", net.numParams());
    return shapes;
  }

  /** Lines of options and the SHA-256 of the document of convolution, subsampling and output with these. */
  private static String grid() throws Exception {
    StringBuilder lines = new StringBuilder();
    for (ConvolutionMode mode : List.of(ConvolutionMode.Strict, ConvolutionMode.Truncate, ConvolutionMode.Same)) {
      for (int[] kernel : new int[][] {{1, 1}, {2, 2}, {3, 2}, {5, 3}}) {
        for (int[] stride : new int[][] {{1, 1}, {2, 2}, {1, 3}}) {
          for (int[] padding : new int[][] {{0, 0}, {1, 1}, {2, 0}}) {
            for (int[] dilation : new int[][] {{1, 1}, {2, 1}}) {
              lines.append(gridLine(mode, kernel, stride, padding, dilation));
            }
          }
        }
      }
    }
    return lines.toString();
  }

  private static String gridLine(ConvolutionMode mode, int[] kernel, int[] stride, int[] padding, int[] dilation) throws Exception {
    String options = mode + " " + text(kernel) + " " + text(stride) + " " + text(padding) + " " + text(dilation);
    String result;
    try {
      MultiLayerConfiguration conf = global().convolutionMode(mode).list(
          new ConvolutionLayer.Builder(kernel).stride(stride).padding(padding).dilation(dilation).nOut(3).build(),
          new SubsamplingLayer.Builder(kernel).stride(stride).padding(padding).dilation(dilation).build(),
          output()).setInputType(IMAGES).build();
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(conf.toJson().getBytes(StandardCharsets.UTF_8));
      StringBuilder hex = new StringBuilder();
      for (byte b : hash) {
        hex.append(String.format("%02x", b));
      }
      result = conf.getLayerActivationTypes(IMAGES).stream().anyMatch(ConfigurationVectors::isEmpty) ? "empty" : hex.toString();
    } catch (org.deeplearning4j.exception.DL4JInvalidConfigException e) {
      result = "refused";
    }
    return options + " " + result + "\n";
  }

  private static boolean isEmpty(InputType type) {
    return Arrays.stream(type.getShape()).anyMatch(size -> size <= 0);
  }

  private static String text(int[] pair) {
    return pair[0] + "," + pair[1];
  }

  private static String doubles() {
    List<Double> values = new ArrayList<>(List.of(0.0, -0.0, 1.0, 0.001, 9.99e-4, 1e7, 9999999.0, 1.0E7, 123456789.0, 0.1, 1.0 / 3, 1e-8,
        1e21, 1e22, 1e23, 2e23, 4.9e-324, Double.MAX_VALUE, Double.MIN_NORMAL, 2.2e-322, 5e-5, 3e-4, 2e-3, 0.30000001192092896));
    for (int i = 1; i < 100; i++) {
      Collections.addAll(values, i / 100.0, i / 1000.0, i * 1e-4, i * 1e-5, i * 1e-6, i * 1e-8, i * 1e5, i * 0.7, Math.sqrt(i));
    }
    Random random = new Random(1);
    for (int i = 0; i < 2000; i++) {
      values.add(Double.longBitsToDouble(random.nextLong()));
    }
    StringBuilder lines = new StringBuilder();
    for (double value : values) {
      if (!Double.isNaN(value)) {
        lines.append(Long.toHexString(Double.doubleToRawLongBits(value))).append(' ').append(value).append('\n');
      }
    }
    return lines.toString();
  }
}
