"""The short names of classes in documents of DL4J 1.0.0-alpha, as far as 1.0.0-M2.1 knows them (``LegacyJsonFormat``)."""


def _classes(pattern: str, names: str) -> dict[str, str]:
    return {name: pattern.format(name) for name in names.split()}


def _renamed(pattern: str, **classes: str) -> dict[str, str]:
    return {name: pattern.format(java) for name, java in classes.items()}


_CONF = "org.deeplearning4j.nn.conf."
_LAYER = _CONF + "layers.{}"
_ACTIVATION = "org.nd4j.linalg.activations.impl.Activation{}"

JAVA_CLASSES = {
    **_renamed(
        _LAYER,
        activation="ActivationLayer",
        autoEncoder="AutoEncoder",
        batchNormalization="BatchNormalization",
        convolution="ConvolutionLayer",
        convolution1d="Convolution1DLayer",
        dense="DenseLayer",
        dropout="DropoutLayer",
        embedding="EmbeddingLayer",
        gravesBidirectionalLSTM="GravesBidirectionalLSTM",
        gravesLSTM="GravesLSTM",
        localResponseNormalization="LocalResponseNormalization",
        loss="LossLayer",
        output="OutputLayer",
        rnnoutput="RnnOutputLayer",
        subsampling="SubsamplingLayer",
        subsampling1d="Subsampling1DLayer",
        zeroPadding="ZeroPaddingLayer",
        zeroPadding1d="ZeroPadding1DLayer",
        ElementWiseMult="misc.ElementWiseMultiplicationLayer",
        GlobalPooling="GlobalPoolingLayer",
        LossWrapper="variational.LossFunctionWrapper",
    ),
    **_classes(_LAYER, "CenterLossOutputLayer CnnLossLayer LSTM RnnLossLayer Upsampling2D"),
    **_classes(_CONF + "layers.convolutional.{}", "Cropping1D Cropping2D"),
    **_classes(_CONF + "layers.recurrent.{}", "Bidirectional SimpleRnn"),
    **_classes(_CONF + "layers.util.{}", "MaskLayer MaskZeroLayer"),
    "FrozenLayer": _CONF + "layers.misc.FrozenLayer",
    "Yolo2OutputLayer": _CONF + "layers.objdetect.Yolo2OutputLayer",
    "VariationalAutoencoder": _CONF + "layers.variational.VariationalAutoencoder",
    **_classes(_CONF + "layers.variational.{}ReconstructionDistribution", "Bernoulli Composite Exponential Gaussian"),
    **_renamed(
        _CONF + "preprocessor.{}PreProcessor",
        cnnToFeedForward="CnnToFeedForward",
        cnnToRnn="CnnToRnn",
        feedForwardToCnn="FeedForwardToCnn",
        feedForwardToRnn="FeedForwardToRnn",
        rnnToCnn="RnnToCnn",
        rnnToFeedForward="RnnToFeedForward",
    ),
    "composableInput": _CONF + "preprocessor.ComposableInputPreProcessor",
    **_classes(
        _CONF + "graph.{}",
        "ElementWiseVertex L2NormalizeVertex L2Vertex LayerVertex MergeVertex PreprocessorVertex ScaleVertex"
        " StackVertex SubsetVertex UnstackVertex",
    ),
    **_classes(_CONF + "graph.rnn.{}", "DuplicateToTimeSeriesVertex LastTimeStepVertex ReverseTimeSeriesVertex"),
    **_classes(
        _ACTIVATION,
        "Cube ELU HardSigmoid Identity LReLU RReLU RationalTanh ReLU RectifiedTanh SELU Sigmoid SoftPlus SoftSign"
        " Softmax TanH",
    ),
    **_renamed(_ACTIVATION, HardTanh="HardTanH", SWISH="Swish"),
    **_classes(
        "org.nd4j.linalg.lossfunctions.impl.Loss{}",
        "BinaryXENT CosineProximity FMeasure Hinge KLD L1 L2 MAE MAPE MCXENT MSE MSLE NegativeLogLikelihood Poisson"
        " SquaredHinge",
    ),
}
