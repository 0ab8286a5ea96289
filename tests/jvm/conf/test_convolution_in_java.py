"""The convolution family: what Python writes is what DL4J's builders write, and what DL4J then computes has the shapes that
Python foretells. Where DL4J's builders write networks that fail, it is shown that they do, and that Python's do not."""

import re

import jpype
import numpy as np
import pytest
from convolutions import CHAINS, CONSTRAINED, GLOBALS, INPUTS, LAYERS, ends
from recipes import recipe
from reference import Made, difference, draft, made_by_dl4j, made_by_python

from pydl4j import InputType, MultiLayerConfiguration, MultiLayerNetwork
from pydl4j.constraints import NonNegativeConstraint
from pydl4j.errors import ConfigError, DL4JError
from pydl4j.initializers import WeightInitConstant
from pydl4j.inputs import InputTypeConvolutional, InputTypeConvolutionalFlat
from pydl4j.layers import (
    CnnLossLayer,
    Convolution1DLayer,
    Convolution3D,
    ConvolutionLayer,
    Deconvolution3D,
    DenseLayer,
    GlobalPoolingLayer,
    LocallyConnected1D,
    LocallyConnected2D,
    PrimaryCapsules,
    RnnOutputLayer,
    Subsampling1DLayer,
    Subsampling3DLayer,
    Upsampling1D,
    Upsampling3D,
    ZeroPadding1DLayer,
)

FORGETS_FORMAT = {"conv3d", "upsampling3d", "padding3d", "cropping3d", "global_kept"}
"""After these, DL4J takes volumes in NCDHW for NDHWC."""


def pairs(confs):
    """What Python and DL4J make of networks."""
    return zip(map(made_by_python, confs), made_by_dl4j([recipe(conf) for conf in confs]), strict=True)


@pytest.mark.parametrize("name", LAYERS)
def test_every_layer_with_every_input_is_dl4js(name):
    drafts = {kind: draft(layers=ends(LAYERS[name]), input_type=kind_of) for kind, kind_of in INPUTS.items()}
    accepted = 0
    for kind, (python, dl4j) in zip(drafts, pairs(list(drafts.values())), strict=True):
        forgotten = kind == "ncdhw" and name in FORGETS_FORMAT
        right = Made(json=dl4j.json.replace('"ncdhw" : false', '"ncdhw" : true')) if forgotten else dl4j
        assert difference(python, right) == "", kind
        if python.json:
            accepted += 1
            read = MultiLayerConfiguration.from_json(python.json)
            assert read.to_json() == python.json
            assert MultiLayerConfiguration.from_yaml(read.to_yaml()).to_json() == python.json
    assert accepted


@pytest.mark.parametrize("chain", CHAINS)
def test_chains_with_options_of_the_network_are_dl4js(chain):
    input_type, layers = CHAINS[chain]
    confs = [draft(layers=layers, input_type=input_type, **options) for options in GLOBALS.values()]
    for name, python, dl4j in zip(GLOBALS, *zip(*pairs(confs), strict=True), strict=True):
        assert python.json, (name, python.refused)
        assert difference(python, dl4j) == "", name


OF_SEQUENCES = {"conv1d", "pooling1d", "padding1d", "local1d"}
"""Layers that take images for time steps, of which there would be more than one image."""
RUNNABLE = [
    (name, kind)
    for name, layer in LAYERS.items()
    for kind, input_type in INPUTS.items()
    if kind not in {"vectors", "any_length"}
    and not (
        name.split("_")[0] in OF_SEQUENCES
        and isinstance(input_type, InputTypeConvolutional | InputTypeConvolutionalFlat)
    )
    and made_by_python(draft(layers=ends(layer), input_type=input_type)).json
]


def computable(layer):
    """The layer without noise, and without dilation of padded windows, which DL4J's native library lacks."""
    plain = {"dropout": None} | ({"dilation": 1} if getattr(layer, "padding", 0) and hasattr(layer, "dilation") else {})
    return layer.replace(**plain, **({"weight_noise": None} if hasattr(layer, "weight_noise") else {}))


def check_runs(jvm, conf, rows=2):
    """A network that is initialized and computes, with the shapes that Python foretells."""
    resolution = conf.resolve()
    network = jvm.call("nn.Networks.create", conf.to_json())
    table = network.paramTable()
    shapes = {str(key): list(map(int, table.get(key).shape())) for key in table.keySet()}
    foretold = {f"{p.index}_{key}": list(shape) for p in resolution.layers for key, shape in p.param_shapes.items()}
    assert {key: [n for n in shape if n > 1] for key, shape in shapes.items()} == {
        key: [n for n in shape if n > 1] for key, shape in foretold.items()
    }
    assert int(network.numParams()) == resolution.n_params
    x = jpype.JClass("org.nd4j.linalg.factory.Nd4j").rand(jpype.JArray(jpype.JInt)([rows, *conf.input_type.shape]))
    activations = list(network.feedForward(x))[1:]
    computed = [tuple(map(int, array.shape()))[1:] for array in activations]
    return list(zip(computed, (place.output_type.shape for place in resolution.layers), strict=True))


def fits(shape, foretold):
    """Whether a computed shape is the one foretold, as far as that is known."""
    return len(shape) == len(foretold) and all(m in {n, None} for n, m in zip(shape, foretold, strict=True))


@pytest.mark.parametrize(("name", "kind"), RUNNABLE)
def test_computed_shapes_are_those_foretold(jvm, name, kind):
    conf = MultiLayerConfiguration(layers=ends(computable(LAYERS[name])), input_type=INPUTS[kind])
    (shape, foretold), *_ = check_runs(jvm, conf)
    if isinstance(LAYERS[name], GlobalPoolingLayer) and kind in {"ncw", "nwc"}:
        foretold = (5,) if LAYERS[name].collapse_dimensions else (5, 1)  # DL4J gives the type of what goes in
    assert fits(shape, foretold)


@pytest.mark.parametrize("chain", CHAINS)
def test_computed_shapes_of_chains_are_those_foretold(jvm, chain):
    input_type, layers = CHAINS[chain]
    for shape, foretold in check_runs(jvm, MultiLayerConfiguration(layers=layers, input_type=input_type)):
        assert fits(shape, foretold)


CORRECTED = {
    "dense_after_conv1d": (
        [Convolution1DLayer(n_out=4, kernel_size=3), DenseLayer(n_out=6), RnnOutputLayer(n_out=2)],
        "ncw",
    ),
    "format_of_conv3d": (ends(Convolution3D(n_out=4)), "ncdhw"),
    "width_of_conv3d": (ends(Convolution3D(n_out=4, stride=(1, 1, 2))), "ncdhw"),
    "format_of_upsampling3d": (ends(Upsampling3D(size=(2, 3, 1))), "ncdhw"),
    "format_of_padding3d": (ends(LAYERS["padding3d"]), "ncdhw"),
    "format_of_cropping3d": (ends(LAYERS["cropping3d"]), "ncdhw"),
    "format_of_global_pooling": (ends(LAYERS["global_kept"]), "ncdhw"),
    "axes_of_deconv3d": (ends(Deconvolution3D(n_out=4, kernel_size=(2, 3, 4), stride=(1, 2, 1))), "ncdhw"),
    "dilation_of_pooling3d": (
        ends(Subsampling3DLayer(kernel_size=2, stride=1, dilation=2, convolution_mode="truncate", data_format="ndhwc")),
        "ndhwc",
    ),
}


def runs(text, input_type):
    """Whether a network that DL4J wrote computes anything."""
    shape = [n or 7 for n in input_type.shape]
    try:
        MultiLayerNetwork(MultiLayerConfiguration.from_json(text)).output(np.zeros([2, *shape], np.float32))
    except (DL4JError, ValueError):
        return False
    return True


@pytest.mark.parametrize("name", CORRECTED)
def test_sizes_and_formats_are_right_where_dl4j_writes_networks_that_fail(jvm, name):
    layers, kind = CORRECTED[name]
    conf = MultiLayerConfiguration(layers=layers, input_type=INPUTS[kind])
    (dl4j,) = made_by_dl4j([recipe(conf)])
    assert dl4j.json != conf.to_json()
    assert not runs(dl4j.json, INPUTS[kind])
    assert runs(conf.to_json(), INPUTS[kind])
    for shape, foretold in check_runs(jvm, conf):
        assert fits(shape, foretold)


FAILING = {
    "pooling_nwc": (ends(GlobalPoolingLayer()), "nwc", "pooling_dimensions must be (1,)"),
    "pooling_ndhwc": (ends(GlobalPoolingLayer()), "ndhwc", "pooling_dimensions must be (1, 2, 3)"),
    "pooling_features": (ends(GlobalPoolingLayer(pooling_dimensions=[1])), "ncw", "pooling_dimensions must be (2,)"),
    "kept_nhwc": (ends(LAYERS["global_kept"]), "nhwc", "collapse_dimensions must be True"),
    "padded_pooling1d": (ends(Subsampling1DLayer(padding=1)), "ncw", "padding must be less than half of the stride"),
    "upsampling1d_nwc": ([Upsampling1D(size=2), RnnOutputLayer(n_out=2)], "nwc", "'ncw' only"),
    "padding1d_nwc": ([ZeroPadding1DLayer(padding=2), RnnOutputLayer(n_out=2)], "nwc", "'ncw' only"),
    "cropping1d_nwc": ([LAYERS["cropping1d"], RnnOutputLayer(n_out=2)], "nwc", "'ncw' only"),
    "padding3d_ndhwc": (ends(LAYERS["padding3d"]), "ndhwc", "'ncdhw' only"),
    "local1d_causal": (ends(LocallyConnected1D(n_out=2, convolution_mode="causal")), "ncw", 'cannot be "causal"'),
    "local2d_dilated": (
        ends(LocallyConnected2D(n_out=2, dilation=2, convolution_mode="truncate")),
        "nchw",
        "dilation must be 1",
    ),
    "capsules_nhwc": (ends(PrimaryCapsules(capsule_dimensions=2, channels=2)), "nhwc", "'nchw' only"),
    "conv3d_format": (ends(Convolution3D(n_out=2)), "ndhwc", "data_format must be 'ndhwc'"),
    "space_to_depth": (ends(LAYERS["space_to_depth"].replace(block_size=5)), "nchw", "block_size must divide"),
    "space_to_batch": (ends(LAYERS["space_to_batch"].replace(blocks=5)), "nchw", "blocks must divide"),
    "large_kernel": (ends(ConvolutionLayer(n_out=2, kernel_size=11)), "nchw", "kernel_size must fit"),
    "large_kernel1d": (ends(Convolution1DLayer(n_out=2, kernel_size=21)), "ncw", "kernel_size must fit"),
}


@pytest.mark.parametrize("name", FAILING)
def test_what_dl4j_takes_and_fails_at_is_refused(jvm, name):
    layers, kind, message = FAILING[name]
    with pytest.raises(ConfigError, match=re.escape(message)):
        MultiLayerConfiguration(layers=layers, input_type=INPUTS[kind])
    (dl4j,) = made_by_dl4j([recipe(draft(layers=layers, input_type=INPUTS[kind]))])
    assert dl4j.json
    assert not runs(dl4j.json, INPUTS[kind])


def test_causal_mode_of_the_network_does_not_reach_images(jvm):
    conf = draft(layers=ends(ConvolutionLayer(n_out=2)), input_type=INPUTS["nchw"], convolution_mode="causal")
    (dl4j,) = made_by_dl4j([recipe(conf)])
    assert not runs(dl4j.json, INPUTS["nchw"])
    with pytest.raises(ConfigError, match=r'^layers\[0\].convolution_mode cannot be "causal"'):
        conf.replace()


@pytest.mark.parametrize("where", ["layer", "network"])
def test_constraints_of_samediff_layers_work(jvm, where):
    constraints = {"constrain_weights": [NonNegativeConstraint()]}
    local = LocallyConnected2D(n_out=3, **(constraints if where == "layer" else {}))
    conf = MultiLayerConfiguration(
        layers=[local, CnnLossLayer(loss="mse")],
        input_type=INPUTS["nchw"],
        **(constraints if where == "network" else {}),
    )
    network = MultiLayerNetwork(conf)
    x, y = np.ones((2, 3, 12, 10), np.float32), np.ones((2, 3, 12, 10), np.float32)
    network.fit(x, y, epochs=1, batch_size=2)
    weights = network.params[: -local.n_out]
    assert weights.min() == 0


def test_network_constraints_leave_samediff_shapes_alone(jvm):
    input_type, layers = CHAINS["capsules"]
    conf = MultiLayerConfiguration(layers=layers, input_type=input_type, **CONSTRAINED)
    for shape, foretold in check_runs(jvm, conf):
        assert fits(shape, foretold)


def test_initialization_of_single_parameters_is_kept(jvm):
    local = LocallyConnected2D(n_out=3, param_weight_init={"W": WeightInitConstant(value=2.0)})
    conf = MultiLayerConfiguration(layers=[local, CnnLossLayer(loss="mse")], input_type=INPUTS["nchw"])
    (made,) = made_by_dl4j([{"kind": "multilayer", "document": conf.to_json()}])
    assert made.json == conf.to_json()


def test_lengths_that_are_not_known_stay_unknown(jvm):
    layers = [ZeroPadding1DLayer(padding=1), Convolution1DLayer(n_out=2, kernel_size=5), RnnOutputLayer(n_out=2)]
    conf = MultiLayerConfiguration(layers=layers, input_type=InputType.recurrent(5))
    assert conf.resolve().output_type == InputType.recurrent(2)
    (dl4j,) = made_by_dl4j([recipe(conf)])
    assert dl4j.json == conf.to_json()
