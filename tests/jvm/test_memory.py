"""The numbers under ``summary(batch_size=...)`` that are exact: those of networks that DL4J has initialized."""

import sys
from pathlib import Path

import jpype
import numpy as np
import pytest

from pydl4j import ComputationGraphConfiguration, Input, InputType, MultiLayerConfiguration, updaters
from pydl4j.conf._memory import estimate
from pydl4j.conf.rows import rows
from pydl4j.errors import JvmError
from pydl4j.layers import (
    LSTM,
    AutoEncoder,
    BatchNormalization,
    Bidirectional,
    CapsuleLayer,
    CapsuleStrengthLayer,
    CenterLossOutputLayer,
    Convolution1DLayer,
    Convolution3D,
    ConvolutionLayer,
    Deconvolution2D,
    Deconvolution3D,
    DenseLayer,
    DepthwiseConvolution2D,
    DropoutLayer,
    EmbeddingLayer,
    FrozenLayer,
    FrozenLayerWithBackprop,
    GravesBidirectionalLSTM,
    GravesLSTM,
    LastTimeStep,
    LocallyConnected1D,
    LocallyConnected2D,
    LossLayer,
    MaskZeroLayer,
    OCNNOutputLayer,
    OutputLayer,
    PrimaryCapsules,
    RnnOutputLayer,
    SeparableConvolution2D,
    SimpleRnn,
    SubsamplingLayer,
    TimeDistributed,
    VariationalAutoencoder,
)
from pydl4j.vertices import (
    AttentionVertex,
    ElementWiseVertex,
    FrozenVertex,
    LastTimeStepVertex,
    LayerVertex,
    MergeVertex,
    ScaleVertex,
)

sys.path.insert(0, str(Path(__file__).parents[1] / "unit" / "conf"))
from vectors import BUILT, VECTORS

HALF = "data_type_half"  # initialization draws numbers that the CPU backend has not in half precision
BROKEN = "adabelief"  # M2.1 reads the width of its state, which is a vector and has none
NAMES = ["adadelta", "adagrad", "adam", "adamax", "amsgrad", "nadam", "nesterovs", "none", "rmsprop", "sgd"]


def in_java(jvm, conf) -> tuple[int, int]:
    network = jvm.call("nn.Networks.create", conf.to_json())
    state = jvm.call("nn.Networks.updaterState", network)
    return jvm.get(jvm.call("nn.Networks.params", network)).size, 0 if state is None else jvm.get(state).size


def in_python(conf) -> tuple[int, int]:
    memory = estimate(rows(conf.resolve()), "float", 1)
    return memory.parameters, memory.updater_state


def each_kind(updater):
    layers = [
        ConvolutionLayer(n_out=3),
        BatchNormalization(),
        DenseLayer(n_out=5, has_layer_norm=True),
        OutputLayer(n_out=2),
    ]
    return MultiLayerConfiguration(
        layers=layers, updater=updater, input_type=InputType.convolutional(height=8, width=8, channels=2)
    )


@pytest.mark.parametrize("name", NAMES)
def test_the_state_of_every_updater_has_the_foretold_length(jvm, name):
    assert in_python(each_kind(name)) == in_java(jvm, each_kind(name))


def test_every_updater_is_tried():
    classes = [value for name, value in vars(updaters).items() if getattr(value, "java_name", "")]
    assert {type(updaters.IUpdater.convert(name)) for name in [*NAMES, BROKEN]} == set(classes)


def test_the_updater_that_is_left_out_cannot_be_used(jvm):
    document = each_kind("adam").to_json().replace("config.Adam", "config.AdaBelief")  # a new network is refused
    with pytest.raises(JvmError, match="Index 1 out of bounds for length 1"):
        in_java(jvm, MultiLayerConfiguration.from_json(document))


def test_biases_have_an_updater_of_their_own(jvm):
    conf = each_kind("adam").replace(bias_updater="nesterovs")
    assert in_python(conf) == in_java(jvm, conf)
    assert in_python(conf)[1] < in_python(each_kind("adam"))[1]


@pytest.mark.parametrize(
    ("layers", "input_type", "shape"),
    [
        (
            [ConvolutionLayer(n_out=3), SubsamplingLayer(kernel_size=2), BatchNormalization(), OutputLayer(n_out=2)],
            InputType.convolutional_flat(height=12, width=12, channels=2),
            (12 * 12 * 2,),
        ),
        ([LSTM(n_out=3), RnnOutputLayer(n_out=2)], InputType.recurrent(5, time_series_length=7), (5, 7)),
        ([LSTM(n_out=3), RnnOutputLayer(n_out=2)], InputType.recurrent(5, time_series_length=7, format="nwc"), (7, 5)),
        ([DenseLayer(n_out=30), DropoutLayer(), OutputLayer(n_out=2)], InputType.feed_forward(4), (4,)),
    ],
)
def test_activations_have_the_foretold_length(jvm, layers, input_type, shape):
    conf = MultiLayerConfiguration(layers=layers, input_type=input_type)
    network = jvm.call("nn.Networks.create", conf.to_json())
    activations = network.feedForward(jvm.put(np.ones((6, *shape), np.float32)))
    foretold = estimate(rows(conf.resolve()), "float", 6)
    assert foretold.activations == sum(int(activation.length()) for activation in activations)


@pytest.mark.parametrize("name", sorted(set(BUILT) - {HALF}))
def test_parameters_and_updater_state_have_the_foretold_length(jvm, name):
    conf = VECTORS[name]()
    assert in_python(conf) == in_java(jvm, conf)


def graph_in_java(jvm, conf):
    read = jpype.JClass("org.deeplearning4j.nn.conf.ComputationGraphConfiguration").fromJson(conf.to_json())
    graph = jpype.JClass("org.deeplearning4j.nn.graph.ComputationGraph")(read)
    graph.init()
    return graph


def branches(**options):
    """Images, sequences and rows, joined; with a skip and a frozen vertex."""
    image = Input(InputType.convolutional(height=6, width=6, channels=2), name="image")
    series = Input(InputType.recurrent(3, time_series_length=4), name="series")
    row = Input(InputType.feed_forward(5), name="row")
    x = ConvolutionLayer(n_out=2, kernel_size=3, convolution_mode="same")(image)
    x = ElementWiseVertex(op="add")(BatchNormalization()(x), image)
    attended = AttentionVertex(n_out=4, n_heads=2, project_input=True)(series, series, series)
    last = LastTimeStepVertex(mask_array_input_name="series")(LSTM(n_out=3)(attended))
    kept = FrozenVertex(underlying=LayerVertex(layer=DenseLayer(n_in=5, n_out=6, updater="adam")))(row)
    joined = MergeVertex()(DenseLayer(n_out=7)(x), last, ScaleVertex(scale_factor=2.0)(kept))
    out = OutputLayer(n_out=2)(joined)
    return ComputationGraphConfiguration(inputs=[image, series, row], outputs=[out], **options)


@pytest.mark.parametrize("updater", ["sgd", "nesterovs", "adam", "amsgrad"])
def test_graphs_have_the_foretold_lengths(jvm, updater):
    conf = branches(updater=updater)
    graph = graph_in_java(jvm, conf)
    state = graph.getUpdater().getStateViewArray()
    assert in_python(conf) == (int(graph.params().length()), 0 if state is None else int(state.length()))


def test_activations_of_graphs_have_the_foretold_length(jvm):
    conf = branches()
    graph = graph_in_java(jvm, conf)
    shapes = [(2, 6, 6), (3, 4), (5,)]
    arrays = [jvm.put(np.ones((6, *shape), np.float32)) for shape in shapes]
    activations = graph.feedForward(jpype.JArray(jpype.JClass("org.nd4j.linalg.api.ndarray.INDArray"))(arrays), False)
    assert estimate(rows(conf.resolve()), "float", 6).activations == sum(int(a.length()) for a in activations.values())


ROWS, SERIES = InputType.feed_forward(6), InputType.recurrent(3, time_series_length=4)
IMAGES = InputType.convolutional(height=8, width=8, channels=2)
VOLUMES = InputType.convolutional_3d(depth=4, height=4, width=4, channels=2)
OUTPUT, RNN_OUTPUT = OutputLayer(n_out=2), RnnOutputLayer(n_out=2)
KINDS_OF_LAYERS = {
    "frozen": (ROWS, [FrozenLayer(layer=DenseLayer(n_out=4)), DenseLayer(n_out=3), OUTPUT]),
    "frozen with backprop": (ROWS, [FrozenLayerWithBackprop(layer=DenseLayer(n_out=4)), OUTPUT]),
    "frozen normalization": (IMAGES, [FrozenLayer(layer=BatchNormalization()), OUTPUT]),
    "bidirectional": (SERIES, [Bidirectional(layer=LSTM(n_out=4)), RNN_OUTPUT]),
    "frozen bidirectional": (SERIES, [FrozenLayerWithBackprop(layer=Bidirectional(layer=LSTM(n_out=4))), RNN_OUTPUT]),
    "last time step": (SERIES, [LastTimeStep(layer=SimpleRnn(n_out=4, has_layer_norm=True)), OUTPUT]),
    "time distributed": (SERIES, [TimeDistributed(layer=DenseLayer(n_out=4)), RNN_OUTPUT]),
    "mask zero": (SERIES, [MaskZeroLayer(layer=GravesLSTM(n_out=4)), RNN_OUTPUT]),
    "Graves bidirectional": (SERIES, [GravesBidirectionalLSTM(n_out=4), RNN_OUTPUT]),
    "autoencoder": (ROWS, [AutoEncoder(n_out=4), OUTPUT]),
    "variational autoencoder": (
        ROWS,
        [VariationalAutoencoder(n_out=2, encoder_layer_sizes=[5], decoder_layer_sizes=[4]), OUTPUT],
    ),
    "center loss": (ROWS, [DenseLayer(n_out=4), CenterLossOutputLayer(n_out=3)]),
    "one class": (ROWS, [OCNNOutputLayer(hidden_size=4)]),
    "convolution 1D": (SERIES, [Convolution1DLayer(n_out=4, kernel_size=2), RNN_OUTPUT]),
    "convolution 3D": (VOLUMES, [Convolution3D(n_out=4, kernel_size=2), OUTPUT]),
    "deconvolution": (IMAGES, [Deconvolution2D(n_out=4, kernel_size=2), OUTPUT]),
    "deconvolution 3D": (VOLUMES, [Deconvolution3D(n_out=4, kernel_size=2), OUTPUT]),
    "depthwise": (IMAGES, [DepthwiseConvolution2D(depth_multiplier=2, kernel_size=2), OUTPUT]),
    "separable": (IMAGES, [SeparableConvolution2D(n_out=4, kernel_size=2), OUTPUT]),
    "locally connected": (IMAGES, [LocallyConnected2D(n_out=4, kernel_size=(2, 2)), OUTPUT]),
    "locally connected 1D": (SERIES, [LocallyConnected1D(n_out=4, kernel_size=2), RNN_OUTPUT]),
    "capsules": (
        IMAGES,
        [
            PrimaryCapsules(capsule_dimensions=2, channels=3, kernel_size=3),
            CapsuleLayer(capsules=2, capsule_dimensions=3),
            CapsuleStrengthLayer(),
            LossLayer(),
        ],
    ),
    "embedding": (None, [EmbeddingLayer(n_in=9, n_out=4), OUTPUT]),
}


@pytest.mark.parametrize("bias_updater", [None, "nesterovs"])
@pytest.mark.parametrize("kind", KINDS_OF_LAYERS)
def test_the_state_of_every_kind_of_layer_has_the_foretold_length(jvm, kind, bias_updater):
    input_type, layers = KINDS_OF_LAYERS[kind]
    conf = MultiLayerConfiguration(layers=layers, input_type=input_type, updater="adam", bias_updater=bias_updater)
    assert in_python(conf) == in_java(jvm, conf)
