"""`replace` at any depth, by paths that are spelled as in errors."""

import copy
import re

import pytest

from pydl4j import ComputationGraphConfiguration, InputType, MultiLayerConfiguration
from pydl4j.errors import ConfigError, GuardError
from pydl4j.layers import ConvolutionLayer, DenseLayer, OutputLayer, SubsamplingLayer
from pydl4j.preprocessors import CnnToFeedForwardPreProcessor
from pydl4j.updaters import Adam, Sgd

FLATTEN = CnnToFeedForwardPreProcessor(input_height=4, input_width=4, num_channels=20)
LENET = MultiLayerConfiguration(
    updater="adam",
    convolution_mode="same",
    layers=[
        ConvolutionLayer(n_out=20, activation="relu"),
        SubsamplingLayer(kernel_size=2),
        DenseLayer(n_out=500, updater=Adam(learning_rate=0.5)),
        OutputLayer(n_out=10),
    ],
    input_preprocessors={2: FLATTEN},
    input_type=InputType.convolutional_flat(height=8, width=8, channels=1),
)


def test_parts_at_every_depth_are_replaced_in_a_copy():
    before = repr(LENET)
    changed = LENET.replace(
        {
            "layers[2].n_out": 50,
            "layers[2].updater.learning_rate": 0.25,
            "layers[0].kernel_size[1]": 3,
            "layers[-1]": OutputLayer(n_out=3),
            "input_preprocessors[2].data_format": "nhwc",
            "updater": "sgd",
        },
        seed=7,
    )
    assert changed.layers[2] == DenseLayer(n_out=50, updater=Adam(learning_rate=0.25))
    assert changed.layers[0].kernel_size == (5, 3)
    assert changed.layers[3] == OutputLayer(n_out=3)
    assert changed.layers[1] is LENET.layers[1]
    assert changed.input_preprocessors == {2: FLATTEN.replace(data_format="nhwc")}
    assert (changed.updater, changed.seed) == (Sgd(), 7)
    assert repr(LENET) == before


def test_sizes_are_inferred_again():
    changed = LENET.replace({"layers[2].n_out": 50})
    assert [place.layer.n_in for place in changed.resolve().layers[2:]] == [320, 50]


def test_parts_that_only_fit_together_are_replaced_together():
    chain = MultiLayerConfiguration(layers=[DenseLayer(n_in=2, n_out=3), OutputLayer(n_in=3, n_out=2)])
    changed = chain.replace({"layers[0].n_out": 4, "layers[1].n_in": 4})
    assert changed.resolve().n_params == 2 * 4 + 4 + 4 * 2 + 2
    with pytest.raises(ConfigError, match=r"layers\[1\]\.n_in must be 4"):
        chain.replace({"layers[0].n_out": 4})


def test_every_configuration_object_has_parts():
    assert DenseLayer(n_out=1, updater="adam").replace({"updater.beta1": 0.5}).updater == Adam(beta1=0.5)


def test_no_parts_are_an_equal_copy():
    assert LENET.replace({}) == LENET


@pytest.mark.parametrize(
    ("parts", "message", "path"),
    [
        (
            {"layers[2].n_ot": 1},
            "layers[2] (DenseLayer) has no option 'n_ot' (did you mean 'n_out'?). It has: name, dropout, constraints, ",
            "layers[2]",
        ),
        ({"lairs": 1}, "MultiLayerConfiguration has no option 'lairs' (did you mean 'layers'?)", None),
        ({"layers[9].n_out": 1}, "layers has no item 9; it has 4, from layers[0]", "layers"),
        ({"layers[-5].n_out": 1}, "layers has no item -5; it has 4, from layers[0]", "layers"),
        (
            {"layers.n_out": 1},
            "layers has no n_out: it is a sequence of 4, with items such as layers[0]",
            "layers",
        ),
        (
            {"layers[1][0]": 1},
            "layers[1] has no item [0]: it is one SubsamplingLayer, with options such as layers[1].name",
            "layers[1]",
        ),
        ({"input_preprocessors[1]": 1}, "input_preprocessors has no key 1. It has: 2", "input_preprocessors"),
        (
            {"input_preprocessors.format": 1},
            "input_preprocessors has no option format: it is a mapping, with items such as input_preprocessors[2]",
            "input_preprocessors",
        ),
        (
            {"layers[0].updater.learning_rate": 1},
            "layers[0].updater is None, so that it has no learning_rate: replace layers[0].updater itself",
            "layers[0].updater",
        ),
        (
            {"layers[2].n_out.x": 1},
            "layers[2].n_out is 500, which has no x: it can only be replaced whole",
            "layers[2].n_out",
        ),
        ({"layers[2]n_out": 1}, "'layers[2]n_out' is not a path: expected one such as layers[2].n_out or ", None),
        ([1], "replace must have options by path. Received: [1]", "replace"),
        ({1: 1}, "replace must have paths as strings. Received: 1", "replace"),
        ({"": 1}, "'' is not a path: expected one such as layers[2].n_out or ", None),
        ({"layers[2].n_out": 1, "layers[2]": 1}, "layers[2] overlaps layers[2].n_out: replace one or the other", None),
        ({"layers": 1, "layers[2].n_out": 1}, "layers[2].n_out overlaps layers: replace one or the other", None),
        ({"layers[-1]": 1, "layers[3]": 2}, "layers[3] overlaps layers[-1]: replace one or the other", None),
        ({"layers[2].n_out": 0}, "layers[2].n_out must be >= 1. Received: 0", "layers[2].n_out"),
        (
            {"layers[2].updater.beta1": -1},
            "layers[2].updater.beta1 must be >= 0. Received: -1",
            "layers[2].updater.beta1",
        ),
        ({"layers[0].padding[0]": -1}, "layers[0].padding[0] must be >= 0. Received: -1", "layers[0].padding[0]"),
    ],
)
def test_refusals_say_where_and_what_there_is(parts, message, path):
    with pytest.raises(ConfigError, match=f"^{re.escape(message)}") as caught:
        LENET.replace(parts)
    if path is not None:
        assert caught.value.path == path


GRAPH = ComputationGraphConfiguration(
    inputs={"in": InputType.feed_forward(4)},
    vertices={"fc": (DenseLayer(n_out=3), "in"), 'odd "name"].x': (OutputLayer(n_out=2), "fc")},
    outputs=['odd "name"].x'],
)


def test_vertices_are_reached_by_name():
    changed = GRAPH.replace(
        {'vertices["fc"].layer.n_out': 10, "vertices['fc'].layer.activation": "relu", "updater": "adam"}
    )
    assert changed.resolve()["fc"].layer.n_out == 10
    assert changed.resolve()['odd "name"].x'].layer.n_in == 10
    assert GRAPH.resolve()["fc"].layer.n_out == 3
    assert GRAPH.replace({"vertices['odd \"name\"].x'].layer.n_out": 5}).resolve().outputs['odd "name"].x'].size == 5
    assert GRAPH.replace({'vertices["fc"]': DenseLayer(n_out=7)}).resolve()["fc"].layer.n_out == 7


@pytest.mark.parametrize(
    ("parts", "message", "path"),
    [
        (
            {'vertices["fcc"].layer.n_out': 1},
            "vertices has no key 'fcc' (did you mean 'fc'?). It has: fc, odd \"name\"].x",
            "vertices",
        ),
        (
            {'vertices["fc"].n_out': 1},
            'vertices["fc"] (LayerVertex) has no option \'n_out\' (did you mean vertices["fc"].layer.n_out?). It has: ',
            'vertices["fc"]',
        ),
        (
            {"vertices.fc": 1},
            'vertices has no option fc: it is a mapping, with items such as vertices["fc"]',
            "vertices",
        ),
        (
            {'vertices["fc"].layer.n_out': 0},
            'vertices["fc"].layer.n_out must be >= 1. Received: 0',
            'vertices["fc"].layer.n_out',
        ),
        (
            {'vertices["fc"]': 3},
            'vertices["fc"] must be a layer or a GraphVertex. Received: 3',
            'vertices["fc"]',
        ),
        (
            {'vertex_inputs["fc"][0]': 3},
            'vertex_inputs["fc"][0] must be a string. Received: 3',
            'vertex_inputs["fc"][0]',
        ),
    ],
)
def test_refusals_in_graphs_say_where_and_what_there_is(parts, message, path):
    with pytest.raises(ConfigError, match=f"^{re.escape(message)}") as caught:
        GRAPH.replace(parts)
    assert caught.value.path == path


def test_refusals_of_items_show_the_item_alone():
    with pytest.raises(ConfigError, match=r"^layers\[2\] must be a Layer\. Received: 3$"):
        LENET.replace({"layers[2]": 3})
    with pytest.raises(ConfigError, match=r"^layers\[0\]\.kernel_size\[1\] must be >= 1\. Received: 0$"):
        LENET.replace({"layers[0].kernel_size[1]": 0})


def test_a_change_of_a_document_must_fit():
    conf = MultiLayerConfiguration(layers=[DenseLayer(n_in=4, n_out=8), OutputLayer(n_out=3)])
    read = MultiLayerConfiguration.from_json(conf.to_json())
    with pytest.raises(GuardError) as caught:
        read.replace({"layers[0].n_out": 9})
    assert str(caught.value) == "layers[1].n_in must be 9, the size of the layer's input (or left out). Received: 8"
    changed = read.replace({"layers[0].n_out": 9, "layers[1].n_in": 9})
    assert changed.resolve().n_params == 5 * 9 + 10 * 3
    assert copy.copy(changed).replace(seed=3).seed == 3


def test_a_change_of_a_graphs_document_must_fit():
    vertices = {"a": (DenseLayer(n_in=4, n_out=8), "in"), "b": (OutputLayer(n_in=8, n_out=3), "a")}
    conf = ComputationGraphConfiguration(inputs=["in"], outputs=["b"], vertices=vertices)
    read = ComputationGraphConfiguration.from_json(conf.to_json())
    with pytest.raises(GuardError, match=r'^vertices\["b"\]\.layer\.n_in must be 9'):
        read.replace({'vertices["a"].layer.n_out': 9})


def test_what_did_not_fit_in_a_document_may_stay():
    conf = MultiLayerConfiguration(layers=[DenseLayer(n_in=4, n_out=8), OutputLayer(n_out=3)])
    text = conf.to_json().replace('"nin" : 8', '"nin" : 7')
    assert MultiLayerConfiguration.from_json(text).replace(seed=3).to_json() == text.replace('"seed" : 0', '"seed" : 3')
