"""The convolution family without a JVM: real documents built in Python, and what is refused."""

import json
import re
from pathlib import Path

import pytest

from pydl4j import InputType, MultiLayerConfiguration
from pydl4j.errors import ConfigError, GuardError
from pydl4j.layers import (
    CapsuleLayer,
    CapsuleStrengthLayer,
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
    GlobalPoolingLayer,
    LocallyConnected1D,
    LocallyConnected2D,
    LocalResponseNormalization,
    OutputLayer,
    Pooling1D,
    Pooling2D,
    PrimaryCapsules,
    SeparableConvolution2D,
    SpaceToBatchLayer,
    SpaceToDepthLayer,
    Subsampling1DLayer,
    Subsampling3DLayer,
    SubsamplingLayer,
    Upsampling1D,
    Upsampling2D,
    Upsampling3D,
    Yolo2OutputLayer,
    ZeroPadding1DLayer,
    ZeroPadding3DLayer,
    ZeroPaddingLayer,
)
from pydl4j.preprocessors import FeedForwardToCnn3DPreProcessor

GOLDEN = Path(__file__).parents[2] / "golden" / "conf" / "m21"
SERIES = InputType.recurrent(5, time_series_length=20)
NWC = SERIES.replace(format="nwc")
IMAGE = InputType.convolutional(height=12, width=10, channels=3)
NHWC = IMAGE.replace(format="nhwc")
VOLUME = InputType.convolutional_3d(depth=6, height=8, width=10, channels=2)
NDHWC = VOLUME.replace(format="ndhwc")
OUT = OutputLayer(n_out=3)


def golden(name):
    return (GOLDEN / f"{name}.json").read_text()


def made(layers, input_type, **options):
    return MultiLayerConfiguration(layers=layers, input_type=input_type, **options)


def first_type(layer, input_type):
    return made([layer, OUT], input_type).resolve().layers[0].output_type


@pytest.mark.parametrize(
    ("layer", "input_type", "expected"),
    [
        (Convolution1DLayer(n_out=4, kernel_size=3), SERIES, InputType.recurrent(4, time_series_length=18)),
        (Convolution1DLayer(n_out=4, kernel_size=3), InputType.recurrent(5), InputType.recurrent(4)),
        (Convolution1DLayer(n_out=4, kernel_size=3, stride=3), SERIES.replace(time_series_length=9),
         InputType.recurrent(4, time_series_length=3)),
        (Convolution1DLayer(n_out=4, kernel_size=9, stride=3, convolution_mode="causal"), SERIES,
         InputType.recurrent(4, time_series_length=7)),
        (Deconvolution2D(n_out=4, kernel_size=3, stride=2, padding=1, dilation=2), IMAGE,
         InputType.convolutional(height=25, width=21, channels=4)),
        (Deconvolution2D(n_out=4, stride=(2, 3), convolution_mode="same"), NHWC,
         InputType.convolutional(height=24, width=30, channels=4, format="nhwc")),
        (SeparableConvolution2D(n_out=4), IMAGE, InputType.convolutional(height=8, width=6, channels=4)),
        (DepthwiseConvolution2D(depth_multiplier=2), IMAGE, InputType.convolutional(height=8, width=6, channels=6)),
        (Convolution3D(n_out=4, stride=(1, 2, 3)), VOLUME,
         InputType.convolutional_3d(depth=5, height=4, width=3, channels=4)),
        (Convolution3D(n_out=4, stride=(1, 2, 3), convolution_mode="same", data_format="ndhwc"), NDHWC,
         InputType.convolutional_3d(depth=6, height=4, width=4, channels=4, format="ndhwc")),
        (Deconvolution3D(n_out=4, kernel_size=(2, 3, 4)), VOLUME,
         InputType.convolutional_3d(depth=7, height=10, width=13, channels=4)),
        (Subsampling1DLayer(stride=2), SERIES, InputType.recurrent(5, time_series_length=10)),
        (Subsampling3DLayer(), VOLUME, InputType.convolutional_3d(depth=3, height=4, width=5, channels=2)),
        (GlobalPoolingLayer(), VOLUME, InputType.feed_forward(2)),
        (GlobalPoolingLayer(collapse_dimensions=False), VOLUME,
         InputType.convolutional_3d(depth=1, height=1, width=1, channels=2)),
        (Upsampling1D(size=3), SERIES, InputType.recurrent(5, time_series_length=60)),
        (Upsampling3D(size=(1, 2, 3)), VOLUME, InputType.convolutional_3d(depth=6, height=16, width=30, channels=2)),
        (ZeroPadding1DLayer(padding=(1, 2)), SERIES, InputType.recurrent(5, time_series_length=23)),
        (ZeroPadding1DLayer(padding=3), InputType.recurrent(5), InputType.recurrent(5)),
        (ZeroPadding3DLayer(padding=1), VOLUME, InputType.convolutional_3d(depth=8, height=10, width=12, channels=2)),
        (Cropping1D(cropping=(1, 2)), SERIES, InputType.recurrent(5, time_series_length=17)),
        (Cropping2D(cropping=(1, 2, 3, 4)), IMAGE, InputType.convolutional(height=9, width=3, channels=3)),
        (Cropping3D(cropping=1), VOLUME, InputType.convolutional_3d(depth=4, height=6, width=8, channels=2)),
        (SpaceToDepthLayer(block_size=2), NHWC,
         InputType.convolutional(height=6, width=5, channels=12, format="nhwc")),
        (SpaceToBatchLayer(blocks=(3, 2), padding=((1, 2), (0, 2))), IMAGE,
         InputType.convolutional(height=5, width=6, channels=3)),
        (LocallyConnected1D(n_out=4, stride=2), SERIES, InputType.recurrent(4, time_series_length=10)),
        (LocallyConnected2D(n_out=4, convolution_mode="truncate"), IMAGE,
         InputType.convolutional(height=11, width=9, channels=4)),
        (PrimaryCapsules(capsule_dimensions=8, channels=4), IMAGE,
         InputType.recurrent(8, time_series_length=8)),
        (CapsuleLayer(capsules=3, capsule_dimensions=7), SERIES, InputType.recurrent(3, time_series_length=7)),
        (CapsuleStrengthLayer(), SERIES, InputType.feed_forward(5)),
    ],
    ids=lambda value: type(value).__name__ if not isinstance(value, InputType) else "",
)  # fmt: skip
def test_output_types(layer, input_type, expected):
    assert first_type(layer, input_type) == expected


REAL = {
    "mln_cnn3d": (
        [Convolution3D(n_out=4), Subsampling3DLayer(), OUT],
        InputType.convolutional_3d(depth=8, height=8, width=8, channels=2),
    ),
    "mln_sepconv": (
        [
            SeparableConvolution2D(n_out=6, kernel_size=3),
            Upsampling2D(size=2),
            ZeroPaddingLayer(padding=1),
            LocalResponseNormalization(),
            CnnLossLayer(activation="softmax"),
        ],
        IMAGE,
    ),
    "mln_depthwise": ([DepthwiseConvolution2D(kernel_size=3, depth_multiplier=2), GlobalPoolingLayer(), OUT], IMAGE),
    "mln_conv1d_gp_out": ([Convolution1DLayer(n_out=8, kernel_size=3), GlobalPoolingLayer(), OUT], SERIES),
    "mln_conv1d_dense_out": ([Convolution1DLayer(n_out=8, kernel_size=3), DenseLayer(n_out=7), OUT], SERIES),
}
"""Networks of which a real DL4J wrote documents."""


@pytest.mark.parametrize("name", sorted(set(REAL) - {"mln_conv1d_dense_out"}))
def test_real_documents_are_built(name):
    layers, input_type = REAL[name]
    assert made(layers, input_type, seed=1, updater="adam").to_json() == golden(name)


def test_a_dense_layer_after_conv1d_takes_its_channels():
    layers, input_type = REAL["mln_conv1d_dense_out"]
    ours = json.loads(made(layers, input_type, seed=1, updater="adam").to_json())
    theirs = json.loads(golden("mln_conv1d_dense_out"))
    assert theirs["confs"][1]["layer"]["nin"] == 20  # time steps
    theirs["confs"][1]["layer"] |= {"nin": 8, "timeDistributedFormat": "NCW"}
    theirs["confs"][2]["layer"] |= {"timeDistributedFormat": "NCW"}
    assert ours == theirs


REFUSED = {
    "causal images": (ConvolutionLayer(n_out=2, convolution_mode="causal"), IMAGE, "convolution_mode cannot be"),
    "causal volumes": (Convolution3D(n_out=2, convolution_mode="causal"), VOLUME, "convolution_mode cannot be"),
    "causal pooling": (Subsampling1DLayer(convolution_mode="causal"), SERIES, "convolution_mode cannot be"),
    "causal capsules": (
        PrimaryCapsules(capsule_dimensions=2, channels=2, convolution_mode="causal"),
        IMAGE,
        "convolution_mode cannot be",
    ),
    "causal local": (LocallyConnected2D(n_out=2, convolution_mode="causal"), IMAGE, "convolution_mode cannot be"),
    "padding in same": (
        Convolution1DLayer(n_out=2, kernel_size=2, padding=1, convolution_mode="same"),
        SERIES,
        'padding must be 0 with convolution_mode="same"',
    ),
    "volumes in same": (Subsampling3DLayer(padding=1), VOLUME, 'padding must be 0 with convolution_mode="same"'),
    "local in same": (LocallyConnected1D(n_out=2, padding=1), SERIES, "padding must be 0 with"),
    "large kernel": (
        Convolution1DLayer(n_out=2, kernel_size=21),
        SERIES,
        "kernel_size must fit into the input: length 20",
    ),
    "large volume": (
        Convolution3D(n_out=2, kernel_size=(1, 9, 1)),
        VOLUME,
        "kernel_size must fit into the input: height 8",
    ),
    "strict steps": (
        Convolution1DLayer(n_out=2, kernel_size=3, stride=2, convolution_mode="strict"),
        SERIES,
        "stride must divide 17 (length",
    ),
    "strict volumes": (
        Convolution3D(n_out=2, stride=(1, 1, 2), convolution_mode="strict"),
        VOLUME,
        'stride must be the same in all dimensions in mode "strict"',
    ),
    "nothing left": (
        Deconvolution2D(n_out=2, kernel_size=1, padding=6),
        IMAGE,
        "padding must leave something of the output's height",
    ),
    "depthwise": (DepthwiseConvolution2D(n_out=4), IMAGE, "n_out must be 3, n_in * depth_multiplier"),
    "pooled features": (GlobalPoolingLayer(), NWC, "pooling_dimensions must be (1,) for input in the format 'nwc'"),
    "pooled channels": (GlobalPoolingLayer(), NDHWC, "pooling_dimensions must be (1, 2, 3)"),
    "pooled rows": (GlobalPoolingLayer(pooling_dimensions=[2]), IMAGE, "pooling_dimensions must be (2, 3)"),
    "kept channels": (GlobalPoolingLayer(collapse_dimensions=False), NHWC, "collapse_dimensions must be True"),
    "padded pooling": (Subsampling1DLayer(padding=1, stride=2), SERIES, "padding must be less than half of the stride"),
    "padded features": (
        ZeroPadding1DLayer(padding=1),
        NWC,
        "(ZeroPadding1DLayer) works on sequences in the format 'ncw' only",
    ),
    "cropped features": (Cropping1D(cropping=1), NWC, "(Cropping1D) works on sequences in the format 'ncw' only"),
    "repeated features": (Upsampling1D(size=2), NWC, "(Upsampling1D) works on sequences in the format 'ncw' only"),
    "padded channels": (
        ZeroPadding3DLayer(padding=1),
        NDHWC,
        "(ZeroPadding3DLayer) works on volumes in the format 'ncdhw' only",
    ),
    "cropped channels": (Cropping3D(cropping=1), NDHWC, "(Cropping3D) works on volumes in the format 'ncdhw' only"),
    "format": (Convolution3D(n_out=2), NDHWC, "data_format must be 'ndhwc', the format of the layer's input"),
    "format of a loss": (Cnn3DLossLayer(data_format="ncdhw"), NDHWC, "data_format must be 'ndhwc'"),
    "whole length": (Cropping1D(cropping=10), SERIES, "cropping must leave something of the input's length, 20"),
    "whole height": (Cropping2D(cropping=6), IMAGE, "cropping must leave something of the input's height, 12"),
    "whole depth": (Cropping3D(cropping=3), VOLUME, "cropping must leave something of the input's depth, 6"),
    "blocks of depth": (SpaceToDepthLayer(block_size=4), IMAGE, "block_size must divide height 12 and width 10"),
    "blocks of batch": (SpaceToBatchLayer(blocks=(3, 4)), IMAGE, "blocks must divide height 12 and width 10"),
    "unknown length": (
        LocallyConnected1D(n_out=2),
        InputType.recurrent(5),
        "needs sequences with a time_series_length",
    ),
    "local features": (LocallyConnected1D(n_out=2), NWC, "works on sequences in the format 'ncw' only"),
    "dilated": (LocallyConnected2D(n_out=2, dilation=2), IMAGE, "dilation must be 1: DL4J computes without it"),
    "large stride": (
        LocallyConnected1D(n_out=2, kernel_size=1, stride=2),
        SERIES,
        "stride must not be larger than the kernel",
    ),
    "input size": (LocallyConnected1D(n_out=2, input_size=7), SERIES, "input_size must be 20"),
    "no initialization": (LocallyConnected1D(n_out=2, weight_init=None), SERIES, "weight_init must be given"),
    "local without input": (LocallyConnected2D(n_in=1, n_out=2), None, "n_in follows from the network's input_type"),
    "capsules in nhwc": (
        PrimaryCapsules(capsule_dimensions=2, channels=2),
        NHWC,
        "works on images in the format 'nchw' only",
    ),
    "number of capsules": (
        PrimaryCapsules(capsule_dimensions=2, channels=2, capsules=3),
        IMAGE,
        "capsules must be 4 for this input",
    ),
    "input capsules": (
        CapsuleLayer(capsules=2, capsule_dimensions=2, input_capsules=3),
        SERIES,
        "input_capsules must be 5",
    ),
    "capsules of unknown length": (
        CapsuleLayer(capsules=2, capsule_dimensions=2),
        InputType.recurrent(5),
        "needs capsules, or a time_series_length",
    ),
    "boxes": (Yolo2OutputLayer(bounding_boxes=[[1, 2], [3, 4]]), IMAGE, "must give 2 * (5 + classes) channels"),
    "vectors": (Convolution3D(n_out=2), InputType.feed_forward(3), "(Convolution3D) needs volumes as input"),
    "images": (Upsampling3D(size=2), IMAGE, "(Upsampling3D) needs volumes as input"),
    "rows": (Cropping1D(cropping=1), InputType.feed_forward(3), "(Cropping1D) needs sequences as input"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals_say_where_and_why(name):
    layer, input_type, message = REFUSED[name]
    with pytest.raises(ConfigError, match=re.escape(message)) as refused:
        made([layer], input_type)
    assert str(refused.value).startswith("layers[0]")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (lambda: Upsampling1D(size=(1, 2)), "Upsampling1D.size must be one number, or the same one twice"),
        (lambda: Convolution1DLayer(n_out=2, kernel_size=(1, 2, 3)), "kernel_size must be one number, or 2"),
        (lambda: SubsamplingLayer(pooling_type="pnorm"), "SubsamplingLayer.pnorm must be >= 1"),
        (lambda: Yolo2OutputLayer(bounding_boxes=[1, 2]), "bounding_boxes must have the shape [boxes, 2]"),
        (lambda: CnnLossLayer(n_out=2), "CnnLossLayer.n_out must be left out"),
        (lambda: ZeroPadding3DLayer(padding=(1, 2)), "ZeroPadding3DLayer.padding must have 6 items"),
        (lambda: SpaceToBatchLayer(blocks=2, padding=((1, 2), (3, -4))), "padding must be >= 0 at index 1 at index 1"),
        (lambda: PrimaryCapsules(capsule_dimensions=2), "PrimaryCapsules.channels is required"),
    ],
)
def test_options_are_checked(options, message):
    with pytest.raises(ConfigError, match=re.escape(message)):
        options()


def test_an_inherited_mode_ignores_padding_but_an_own_mode_does_not():
    layers = [ConvolutionLayer(n_out=2, padding=1), OUT]
    assert made(layers, IMAGE, convolution_mode="same").resolve().layers[0].output_type.height == 12
    own = [Deconvolution2D(n_out=2, padding=1, convolution_mode="same"), OUT]
    assert made(own, IMAGE).resolve().layers[0].output_type.height == 12  # DL4J's builder does not look here


def test_causal_mode_of_the_network_is_for_sequences_only():
    layers = [Convolution1DLayer(n_out=2, kernel_size=3), GlobalPoolingLayer(), OUT]
    assert made(layers, SERIES, convolution_mode="causal").resolve().layers[0].layer.convolution_mode == "causal"
    with pytest.raises(GuardError, match=r'^layers\[0\].convolution_mode cannot be "causal"'):
        made([SubsamplingLayer(), OUT], IMAGE, convolution_mode="causal")


@pytest.mark.parametrize("written", [[3, 1], [3, 3]])
def test_arrays_of_older_documents_are_kept(written):
    text = made([Convolution1DLayer(n_out=2, kernel_size=3), OUT], SERIES).to_json()
    old = text.replace('"kernelSize" : [ 3, 3 ]', f'"kernelSize" : [ {written[0]}, {written[1]} ]')
    conf = MultiLayerConfiguration.from_json(old)
    assert conf.to_json() == old
    assert conf.layers[0].kernel_size == (3 if written == [3, 3] else (3, 1))


@pytest.mark.parametrize(
    ("name", "same"),
    [
        (Convolution1D, Convolution1DLayer),
        (Convolution2D, ConvolutionLayer),
        (Pooling1D, Subsampling1DLayer),
        (Pooling2D, SubsamplingLayer),
    ],
)
def test_other_names_are_the_same_layers(name, same):
    options = {} if "n_out" not in same.options() else {"n_out": 2, "kernel_size": 2}
    layers = [[cls(**options), OUT] for cls in (name, same)]
    input_type = SERIES if "1D" in same.__name__ else IMAGE
    ours, theirs = (made(each, input_type).to_json() for each in layers)
    assert ours == theirs.replace(same.java_name, name.java_name)


def test_shapes_of_parameters_are_in_dl4js_order():
    layers = [
        SeparableConvolution2D(n_out=4, kernel_size=2, depth_multiplier=3),
        DepthwiseConvolution2D(kernel_size=(2, 3), depth_multiplier=2),
        Deconvolution2D(n_out=5, kernel_size=2),
        LocallyConnected2D(n_out=6, has_bias=False),
        CnnLossLayer(loss="mse"),
    ]
    shapes = [list(place.param_shapes.items()) for place in made(layers, IMAGE).resolve().layers]
    assert shapes == [
        [("b", (4,)), ("W", (3, 3, 2, 2)), ("pW", (4, 9, 1, 1))],
        [("b", (8,)), ("W", (2, 3, 4, 2))],
        [("b", (5,)), ("W", (8, 5, 2, 2))],
        [("W", (11 * 8, 20, 6))],
        [],
    ]


def test_rows_become_volumes_in_the_format_of_the_preprocessor():
    size = {"input_depth": 2, "input_height": 3, "input_width": 4, "num_channels": 5}
    for first, data_format in ((True, "ncdhw"), (False, "ndhwc")):
        conf = made(
            [Convolution3D(n_out=2, data_format=data_format), Cnn3DLossLayer(data_format=data_format, loss="mse")],
            InputType.feed_forward(120),
            input_preprocessors={0: FeedForwardToCnn3DPreProcessor(**size, channels_first=first)},
        )
        assert conf.resolve().output_type.format == data_format
