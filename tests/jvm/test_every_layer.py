"""Every layer trains in this process, in the smallest networks that make sense with it.

A new layer class needs an entry in `NETWORKS`.
"""

from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pydl4j import InputType, MultiLayerConfiguration, MultiLayerNetwork
from pydl4j.conf._kernel import _BY_JAVA_NAME
from pydl4j.conf.arrays import NDArray
from pydl4j.conf.layers.base import Layer
from pydl4j.data.interface import interface, seen
from pydl4j.errors import ConfigError, DataError, GuardError, JvmError, ShapeError
from pydl4j.layers import (
    LSTM,
    ActivationLayer,
    AutoEncoder,
    BatchNormalization,
    Bidirectional,
    CapsuleLayer,
    CapsuleStrengthLayer,
    CenterLossOutputLayer,
    Cnn3DLossLayer,
    CnnLossLayer,
    Convolution1D,
    Convolution1DLayer,
    Convolution2D,
    Convolution3D,
    ConvolutionLayer,
    Cropping1D,
    Cropping2D,
    Cropping3D,
    Deconvolution2D,
    Deconvolution3D,
    DenseLayer,
    DepthwiseConvolution2D,
    DropoutLayer,
    ElementWiseMultiplicationLayer,
    EmbeddingLayer,
    EmbeddingSequenceLayer,
    FrozenLayer,
    FrozenLayerWithBackprop,
    GlobalPoolingLayer,
    GravesBidirectionalLSTM,
    GravesLSTM,
    IdentityLayer,
    LastTimeStep,
    LearnedSelfAttentionLayer,
    LocallyConnected1D,
    LocallyConnected2D,
    LocalResponseNormalization,
    LossLayer,
    MaskLayer,
    MaskZeroLayer,
    OCNNOutputLayer,
    OutputLayer,
    Pooling1D,
    Pooling2D,
    PReLULayer,
    PrimaryCapsules,
    RecurrentAttentionLayer,
    RepeatVector,
    RnnLossLayer,
    RnnOutputLayer,
    SelfAttentionLayer,
    SeparableConvolution2D,
    SimpleRnn,
    SpaceToBatchLayer,
    SpaceToDepthLayer,
    Subsampling1DLayer,
    Subsampling3DLayer,
    SubsamplingLayer,
    TimeDistributed,
    Upsampling1D,
    Upsampling2D,
    Upsampling3D,
    VariationalAutoencoder,
    Yolo2OutputLayer,
    ZeroPadding1DLayer,
    ZeroPadding3DLayer,
    ZeroPaddingLayer,
)

EXAMPLES, CLASSES, WORDS = 6, 3, 7
VECTORS = InputType.feed_forward(5)
NCW, NWC = (InputType.recurrent(4, time_series_length=6, format=order) for order in ("ncw", "nwc"))
ANY_LENGTH = InputType.recurrent(4)
NCHW, NHWC = (InputType.convolutional(height=6, width=4, channels=2, format=order) for order in ("nchw", "nhwc"))
FLAT = InputType.convolutional_flat(height=6, width=4, channels=2)
NCDHW, NDHWC = (
    InputType.convolutional_3d(depth=4, height=4, width=6, channels=2, format=order) for order in ("ncdhw", "ndhwc")
)

ROWS, STEPS = OutputLayer(n_out=CLASSES), RnnOutputLayer(n_out=CLASSES)
PIXELS = CnnLossLayer(activation="softmax")
BOXES = NDArray.of([[1, 2], [2, 1]])
BEFORE = {
    "InputTypeFeedForward": DenseLayer(n_out=5),
    "InputTypeRecurrent": SimpleRnn(n_out=4),
    "InputTypeConvolutional": ConvolutionLayer(n_out=2, kernel_size=1),
    "InputTypeConvolutionalFlat": ConvolutionLayer(n_out=2, kernel_size=1),
    "InputTypeConvolutional3D": Convolution3D(n_out=2, kernel_size=1),
}
"""A layer that keeps the shape. What it learns came back through the layer after it."""


def after(layer: Layer, *types: InputType, last: Layer = ROWS) -> list[tuple[list[Layer], InputType]]:
    """Networks of a layer on each kind of input, behind another layer, and before an output layer."""
    networks = []
    for input_type in types:
        first = BEFORE[type(input_type).__name__]
        if input_type is NDHWC:
            first = first.replace(data_format="ndhwc")
        networks.append(([first, layer, last], input_type))
    return networks


def alone(*chain: Layer, of: InputType) -> list[tuple[list[Layer], InputType]]:
    """One network."""
    return [(list(chain), of)]


NETWORKS: dict[type[Layer], list[tuple[list[Layer], InputType]]] = {
    ActivationLayer: after(ActivationLayer(activation="tanh"), VECTORS, NCHW, NHWC, NCDHW),
    AutoEncoder: after(AutoEncoder(n_out=3), VECTORS, NCHW),
    BatchNormalization: after(BatchNormalization(), VECTORS, NCHW, NHWC),
    Bidirectional: after(Bidirectional(layer=LSTM(n_out=3)), NCW, NWC, ANY_LENGTH, last=STEPS)
    + after(Bidirectional(layer=LSTM(n_out=3), mode="add"), NCW, last=STEPS),
    CapsuleLayer: alone(
        PrimaryCapsules(capsule_dimensions=2, channels=2, kernel_size=3),
        CapsuleLayer(capsules=CLASSES, capsule_dimensions=2, has_bias=True),
        CapsuleStrengthLayer(),
        ActivationLayer(activation="softmax"),
        LossLayer(),
        of=NCHW,
    ),
    CapsuleStrengthLayer: after(CapsuleStrengthLayer(), NCW),
    CenterLossOutputLayer: after(DenseLayer(n_out=4), VECTORS, last=CenterLossOutputLayer(n_out=CLASSES)),
    Cnn3DLossLayer: alone(Convolution3D(n_out=3), Cnn3DLossLayer(data_format="ncdhw", activation="softmax"), of=NCDHW)
    + alone(
        Convolution3D(n_out=3, data_format="ndhwc"),
        Cnn3DLossLayer(data_format="ndhwc", activation="softmax"),
        of=NDHWC,
    )
    + alone(Convolution3D(n_out=3), Cnn3DLossLayer(data_format="ncdhw", loss="mse"), of=NCDHW),
    CnnLossLayer: after(ConvolutionLayer(n_out=CLASSES, kernel_size=2), NCHW, NHWC, FLAT, last=PIXELS)
    + after(ConvolutionLayer(n_out=1, kernel_size=2), NHWC, last=CnnLossLayer(activation="sigmoid", loss="xent"))
    + after(ConvolutionLayer(n_out=2, kernel_size=2), NCHW, last=CnnLossLayer(loss="mse")),
    Convolution1D: after(Convolution1D(n_out=3, kernel_size=2), NCW, ANY_LENGTH, last=STEPS),
    Convolution1DLayer: after(Convolution1DLayer(n_out=3, kernel_size=2, stride=2), NCW, ANY_LENGTH, last=STEPS)
    + after(Convolution1DLayer(n_out=3, kernel_size=3, convolution_mode="causal"), NCW, last=STEPS),
    Convolution2D: after(Convolution2D(n_out=3, kernel_size=2), NCHW),
    Convolution3D: after(Convolution3D(n_out=3), NCDHW) + after(Convolution3D(n_out=3, data_format="ndhwc"), NDHWC),
    ConvolutionLayer: after(ConvolutionLayer(n_out=3, kernel_size=2), NCHW, NHWC, FLAT),
    Cropping1D: after(Cropping1D(cropping=1), NCW, last=STEPS),
    Cropping2D: after(Cropping2D(cropping=1), NCHW, NHWC),
    Cropping3D: after(Cropping3D(cropping=1), NCDHW),
    Deconvolution2D: after(Deconvolution2D(n_out=3), NCHW, NHWC),
    Deconvolution3D: after(Deconvolution3D(n_out=3), NCDHW)
    + after(Deconvolution3D(n_out=3, data_format="ndhwc"), NDHWC),
    DenseLayer: after(DenseLayer(n_out=4), VECTORS, FLAT, NCHW, NHWC, NCDHW, NDHWC),
    DepthwiseConvolution2D: after(DepthwiseConvolution2D(kernel_size=2, depth_multiplier=2), NCHW, NHWC),
    DropoutLayer: after(DropoutLayer(dropout=0.8), VECTORS, NCHW),
    ElementWiseMultiplicationLayer: after(ElementWiseMultiplicationLayer(n_out=5), VECTORS),
    EmbeddingLayer: alone(EmbeddingLayer(n_out=4), ROWS, of=InputType.feed_forward(WORDS)),
    EmbeddingSequenceLayer: alone(
        EmbeddingSequenceLayer(n_out=4), SimpleRnn(n_out=3), STEPS, of=InputType.recurrent(WORDS)
    )
    + alone(EmbeddingSequenceLayer(n_out=4), GlobalPoolingLayer(), ROWS, of=InputType.feed_forward(WORDS))
    + alone(
        EmbeddingSequenceLayer(n_out=4, input_length=6, infer_input_length=False),
        Convolution1DLayer(n_out=3, kernel_size=2),
        STEPS,
        of=InputType.recurrent(WORDS),
    ),
    FrozenLayer: after(FrozenLayer(layer=DenseLayer(n_out=4)), VECTORS),
    FrozenLayerWithBackprop: after(FrozenLayerWithBackprop(layer=DenseLayer(n_out=4)), VECTORS),
    GlobalPoolingLayer: after(GlobalPoolingLayer(), NCW, ANY_LENGTH, NCHW, NHWC, NCDHW),
    GravesBidirectionalLSTM: after(GravesBidirectionalLSTM(n_out=3), NCW, NWC, last=STEPS),
    GravesLSTM: after(GravesLSTM(n_out=3), NCW, NWC, last=STEPS),
    IdentityLayer: after(IdentityLayer(), VECTORS),
    LSTM: after(LSTM(n_out=3), NCW, NWC, ANY_LENGTH, last=STEPS),
    LastTimeStep: after(LastTimeStep(layer=LSTM(n_out=3)), NCW, NWC),
    LocalResponseNormalization: after(LocalResponseNormalization(n=2), NCHW, NHWC),
    LocallyConnected1D: after(LocallyConnected1D(n_out=3), NCW, last=STEPS),
    LocallyConnected2D: after(LocallyConnected2D(n_out=3), NCHW) + after(LocallyConnected2D(n_out=3), NHWC),
    LossLayer: after(DenseLayer(n_out=CLASSES), VECTORS, last=LossLayer(activation="softmax"))
    + after(DenseLayer(n_out=2), VECTORS, last=LossLayer(activation="tanh", loss="mse"))
    + after(DenseLayer(n_out=1), VECTORS, last=LossLayer(activation="sigmoid", loss="xent")),
    MaskLayer: after(MaskLayer(), NCW, last=STEPS),
    MaskZeroLayer: after(MaskZeroLayer(layer=LSTM(n_out=3)), NCW, last=STEPS),
    OCNNOutputLayer: after(DenseLayer(n_out=4), VECTORS, last=OCNNOutputLayer(hidden_size=3, window_size=6)),
    OutputLayer: after(DenseLayer(n_out=4), VECTORS)
    + after(DenseLayer(n_out=4), VECTORS, last=OutputLayer(n_out=1, activation="sigmoid", loss="xent"))
    + after(DenseLayer(n_out=4), VECTORS, last=OutputLayer(n_out=2, activation="identity", loss="mse"))
    + after(DenseLayer(n_out=4), VECTORS, last=OutputLayer(n_out=CLASSES, loss="sparse_mcxent")),
    PReLULayer: after(PReLULayer(input_shape=(5,)), VECTORS)
    + after(PReLULayer(input_shape=(2, 6, 4), shared_axes=(2,)), NCHW),
    Pooling1D: after(Pooling1D(), NCW, last=STEPS),
    Pooling2D: after(Pooling2D(), NCHW),
    PrimaryCapsules: after(PrimaryCapsules(capsule_dimensions=2, channels=2, kernel_size=3), NCHW, last=STEPS),
    RecurrentAttentionLayer: after(RecurrentAttentionLayer(n_out=4, n_heads=2), NCW, last=STEPS),
    RepeatVector: after(RepeatVector(n=4), VECTORS, last=STEPS),
    RnnLossLayer: after(LSTM(n_out=CLASSES), NCW, last=RnnLossLayer(activation="softmax"))
    + after(LSTM(n_out=2), NCW, last=RnnLossLayer(activation="tanh", loss="mse")),
    RnnOutputLayer: after(LSTM(n_out=4), NCW, NWC, last=RnnOutputLayer(n_out=CLASSES, loss="sparse_mcxent"))
    + after(LSTM(n_out=4), NWC, last=RnnOutputLayer(n_out=1, activation="sigmoid", loss="xent")),
    SelfAttentionLayer: after(SelfAttentionLayer(n_out=4, n_heads=2, project_input=True), NCW, ANY_LENGTH, last=STEPS),
    SeparableConvolution2D: after(SeparableConvolution2D(n_out=3, kernel_size=2), NCHW, NHWC),
    SimpleRnn: after(SimpleRnn(n_out=3), NCW, NWC, last=STEPS),
    SpaceToDepthLayer: after(SpaceToDepthLayer(block_size=2), NCHW),
    Subsampling1DLayer: after(Subsampling1DLayer(), NCW, ANY_LENGTH, last=STEPS),
    Subsampling3DLayer: after(Subsampling3DLayer(), NCDHW) + after(Subsampling3DLayer(data_format="ndhwc"), NDHWC),
    SubsamplingLayer: after(SubsamplingLayer(), NCHW, NHWC),
    TimeDistributed: after(TimeDistributed(layer=DenseLayer(n_out=3)), NCW, NWC, last=STEPS),
    Upsampling1D: after(Upsampling1D(size=2), NCW, last=STEPS),
    Upsampling2D: after(Upsampling2D(size=2), NCHW, NHWC),
    Upsampling3D: after(Upsampling3D(size=2), NCDHW),
    VariationalAutoencoder: after(
        VariationalAutoencoder(n_out=2, encoder_layer_sizes=(4,), decoder_layer_sizes=(4,)), VECTORS
    ),
    Yolo2OutputLayer: [
        ([ConvolutionLayer(n_out=14, kernel_size=2), Yolo2OutputLayer(bounding_boxes=BOXES)], input_type)
        for input_type in (NCHW, NHWC)
    ],
    ZeroPadding1DLayer: after(ZeroPadding1DLayer(padding=1), NCW, last=STEPS),
    ZeroPadding3DLayer: after(ZeroPadding3DLayer(padding=1), NCDHW),
    ZeroPaddingLayer: after(ZeroPaddingLayer(padding=1), NCHW, NHWC),
}
ELSEWHERE = {
    LearnedSelfAttentionLayer: "DL4J 1.0.0-M2.1 fails in it; test_learned_self_attention_fails_in_dl4j",
    SpaceToBatchLayer: "makes several examples of one, for which there are no labels",
}
UNTRAINED = {AutoEncoder: ("vb",), VariationalAutoencoder: ("pZXLogStd2", "d", "pXZ")}
"""Parameters, by how their keys begin, that only pretraining changes."""
WRITTEN_BY_DL4J = {"input_length": 1, "input_shape": (1,), "last_epoch_since_r_updated": 0, "time_steps": 0}
"""Options of layers in which DL4J keeps what it saw, with values in place of them."""


CASES = [
    pytest.param(
        cls,
        MultiLayerConfiguration(seed=1, activation="tanh", layers=chain, input_type=of),
        id=f"{cls.__name__}-{number}",
    )
    for cls, networks in NETWORKS.items()
    for number, (chain, of) in enumerate(networks)
]


def test_every_layer_has_networks() -> None:
    of_dl4j = {cls for cls in _BY_JAVA_NAME.values() if issubclass(cls, Layer)}
    assert of_dl4j == NETWORKS.keys() | ELSEWHERE.keys()
    assert all(NETWORKS.values())


def examples(conf: MultiLayerConfiguration) -> np.ndarray:
    """Features for a network: numbers, or words."""
    rng, net = np.random.default_rng(0), interface(conf).inputs[0]
    shape = [EXAMPLES, *(6 if size is None else size for size in net.row_shape)]
    return rng.integers(0, WORDS, shape) if net.index_shapes else rng.normal(size=shape).astype("f4")


def targets(net: MultiLayerNetwork, output: np.ndarray) -> np.ndarray:
    """Labels that suit such an output: classes for a classifier, boxes for a detector, else numbers."""
    rng, last = np.random.default_rng(1), net.conf.layers[-1]
    channels_first = not str(getattr(net.conf.resolve().output_type, "format", "")).endswith("c")
    if isinstance(last, Yolo2OutputLayer):
        return boxes(output if channels_first else np.moveaxis(output, -1, 1), channels_first=channels_first)
    places = output.shape[2:] if channels_first else output.shape[1:-1]
    count = output.shape[1 if channels_first else -1]
    classes = isinstance(last, OCNNOutputLayer) or "xent" in repr(getattr(last, "loss", "")).lower()
    if not classes:
        return rng.random(output.shape)
    return rng.integers(0, max(count, 2), (EXAMPLES, *places))


def boxes(output: np.ndarray, *, channels_first: bool) -> np.ndarray:
    """One box of class 0 in the first cell of each grid: its corners, then which class."""
    labels = np.zeros((EXAMPLES, 4 + 2, *output.shape[2:]), "f4")
    labels[:, :5, 0, 0] = [0.1, 0.1, 0.8, 0.9, 1]
    return labels if channels_first else np.moveaxis(labels, 1, -1)


def by_parameter(net: MultiLayerNetwork) -> dict[tuple[int, str], np.ndarray]:
    """Parameters by layer and key."""
    values, found = net.params.copy(), {}
    for place in net.conf.resolve().layers:
        for key, shape in place.param_shapes.items():
            found[place.index, key], values = values[: prod(shape)], values[prod(shape) :]
    assert len(values) == 0
    return found


def is_trained(conf: MultiLayerConfiguration, index: int, key: str) -> bool:
    if any(isinstance(layer, FrozenLayer) for layer in conf.layers[index:]):  # nothing comes back through it
        return False
    layer = conf.layers[index]
    return not layer.frozen and not key.startswith(UNTRAINED.get(type(layer), ()))


def untouched(text: str) -> MultiLayerConfiguration:
    """A document without what DL4J writes there when it makes and trains the network."""
    conf = MultiLayerConfiguration.from_json(text)
    bare = [
        layer.replace(**{key: value for key, value in WRITTEN_BY_DL4J.items() if key in type(layer).options()})
        for layer in conf.layers
    ]
    return conf._with(layers=tuple(bare), layer_states=(), iteration_count=0, epoch_count=0)


@pytest.mark.parametrize(("cls", "conf"), CASES)
def test_trains(cls: type[Layer], conf: MultiLayerConfiguration, tmp_path: Path) -> None:
    net, x = MultiLayerNetwork(conf), examples(conf)
    assert net.params.size == conf.resolve().n_params
    output = net.output(x)
    y = targets(net, output)
    before = by_parameter(net)

    (epoch,) = net.fit(x, y, batch_size=4, progress=False)

    assert np.isfinite(epoch.score)
    after_fit = by_parameter(net)
    for place in conf.resolve().layers:
        for key in place.param_shapes:
            same = np.array_equal(before[place.index, key], after_fit[place.index, key])
            assert same is not is_trained(conf, place.index, key), (place.path, key)
    shape = seen(interface(conf), [np.asarray(x)]).outputs[0].output_shape
    assert tuple(size or real for size, real in zip(shape, output.shape[1:], strict=True)) == output.shape[1:]
    assert np.isfinite(net.score(x, y))
    check_evaluation(net, x, y)
    assert untouched(net._gateway.call("nn.Networks.configuration", net._java)) == untouched(conf.to_json())
    net.save(tmp_path / "network.zip")
    loaded = MultiLayerNetwork.load(tmp_path / "network.zip")
    np.testing.assert_array_equal(loaded.output(x), net.output(x))
    check_evaluation(loaded, x, y)
    if cls is not OCNNOutputLayer:  # DL4J does not save the scores that it goes on with
        loaded.fit(x, y, batch_size=4, progress=False)


def check_evaluation(net: MultiLayerNetwork, x: np.ndarray, y: np.ndarray) -> None:
    if not interface(net.conf).classifiers:
        np.testing.assert_array_equal(net.predict(x), net.output(x))
        with pytest.raises(ConfigError, match="evaluate needs a classifier"):
            net.evaluate(x, y)
        return
    predicted = net.predict(x)
    assert predicted.shape == y.shape
    confusion = net.evaluate(x, y).confusion
    expected = np.zeros_like(confusion)
    np.add.at(expected, (y, predicted), 1)
    np.testing.assert_array_equal(confusion, expected)


def test_learned_self_attention_fails_in_dl4j() -> None:
    layer = LearnedSelfAttentionLayer(n_out=4, n_heads=2, n_queries=2, project_input=True)
    net = MultiLayerNetwork(MultiLayerConfiguration(layers=[layer, STEPS], input_type=NCW))
    with pytest.raises(JvmError, match="scatter_update"):
        net.output(examples(net.conf))


BEFORE_IMAGES = BEFORE["InputTypeConvolutional"]
UNTRAINABLE: dict[type[Layer], tuple[list[Layer], InputType]] = {
    Convolution1DLayer: ([Convolution1DLayer(n_out=3, kernel_size=2), STEPS], NWC),
    Subsampling1DLayer: ([Subsampling1DLayer(), STEPS], NWC),
    RnnLossLayer: ([LSTM(n_out=2), RnnLossLayer(activation="tanh", loss="mse", data_format="nwc")], NWC),
    PReLULayer: (
        [BEFORE_IMAGES, PReLULayer(input_shape=(2, 12, 12), shared_axes=(2, 3)), ROWS],
        NCHW.replace(height=12, width=12),
    ),
}


@pytest.mark.parametrize("cls", UNTRAINABLE)
def test_dl4j_fails_to_train_what_is_refused(cls: type[Layer], monkeypatch: pytest.MonkeyPatch) -> None:
    chain, input_type = UNTRAINABLE[cls]
    with pytest.raises(GuardError):
        MultiLayerConfiguration(layers=chain, input_type=input_type)
    monkeypatch.setattr(cls, "check_new", lambda *_: None)
    net = MultiLayerNetwork(MultiLayerConfiguration(layers=chain, input_type=input_type))
    x = examples(net.conf)
    output = net.output(x)
    with pytest.raises(JvmError):
        net.fit(x, targets(net, output), progress=False)


@pytest.mark.parametrize(
    ("chain", "message"),
    [
        (
            [DenseLayer(n_out=3)],
            r"layers\[0\] must be an output layer, such as OutputLayer or LossLayer. Received: Dense",
        ),
        ([OutputLayer(n_out=3), ROWS], r"layers\[0\] cannot be an output layer: there are labels only for the last"),
    ],
)
def test_networks_that_have_no_place_for_labels(chain: list[Layer], message: str) -> None:
    net = MultiLayerNetwork(MultiLayerConfiguration(layers=chain, input_type=VECTORS))
    x = examples(net.conf)
    assert net.output(x).shape == (EXAMPLES, CLASSES)
    with pytest.raises(ConfigError, match=message) as caught:
        net.fit(x, [0] * EXAMPLES, progress=False)
    assert caught.value.path == "layers[0]"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            [[0], [WORDS]],
            r"x must be indices: whole numbers from 0 to 6, as n_in of the embedding .* Received: 7 at x\[1, 0\]",
        ),
        ([[0.5]], r"Received: 0.5 at x\[0, 0\]"),
        ([[-1]], r"Received: -1 at x\[0, 0\]"),
    ],
)
def test_words_that_there_are_not(words: list[Any], message: str) -> None:
    net = MultiLayerNetwork(MultiLayerConfiguration(layers=[EmbeddingLayer(n_in=WORDS, n_out=2), ROWS]))
    with pytest.raises(DataError, match=message):
        net.output(words)
    with pytest.raises(ShapeError, match=r"indices in the shape \[examples, 1\] or \[examples\], for the embedding"):
        net.output([[0, 1]])
    assert net.output([0, 1]).shape == (2, CLASSES)


def test_labels_of_pixels_in_another_shape_are_refused() -> None:
    layers: list[Layer] = [ConvolutionLayer(n_out=CLASSES, kernel_size=2), PIXELS]
    net = MultiLayerNetwork(MultiLayerConfiguration(layers=layers, input_type=NHWC))
    expected = (
        r"y must have the shape \[examples, 5, 3, 3\], or be classes \[examples, 5, 3\]. Received: \[6, 6, 4, 3\]"
    )
    with pytest.raises(ShapeError, match=expected):
        net.fit(examples(net.conf), np.zeros((EXAMPLES, 6, 4, 3)), progress=False)
