"""`diff` of two configurations."""

import math
from difflib import SequenceMatcher
from unittest.mock import Mock, patch

import pytest

import pydl4j as dl
from pydl4j import ComputationGraphConfiguration, InputType, MultiLayerConfiguration
from pydl4j.conf._diff import ABSENT
from pydl4j.layers import (
    LSTM,
    ActivationLayer,
    ConvolutionLayer,
    DenseLayer,
    DropoutLayer,
    FrozenLayer,
    MaskZeroLayer,
    OutputLayer,
    SubsamplingLayer,
)
from pydl4j.preprocessors import CnnToFeedForwardPreProcessor
from pydl4j.updaters import Adam, Sgd


def network(*layers, **options):
    return MultiLayerConfiguration(
        layers=layers, input_type=InputType.convolutional(height=32, width=32, channels=3), **options
    )


CONVOLUTIONS = [ConvolutionLayer(n_out=n, kernel_size=3, convolution_mode="same") for n in (8, 16, 32, 64)]
OUTPUT = OutputLayer(n_out=10)


def test_equal_configurations_do_not_differ():
    differences = dl.diff(network(*CONVOLUTIONS, OUTPUT), network(*CONVOLUTIONS, OUTPUT))
    assert differences == ()
    assert str(differences) == "no differences"


def test_options_differ_by_path():
    left = network(*CONVOLUTIONS, OUTPUT, updater="adam")
    right = left.replace({"layers[1].n_out": 17, "updater.learning_rate": 0.5, "seed": 3})
    assert dl.diff(left, right) == (
        ("seed", 0, 3),
        ("updater.learning_rate", 1e-3, 0.5),
        ("layers[1].n_out", 16, 17),
    )
    assert dl.diff(left, left.replace(updater="sgd")) == (("updater", Adam(), Sgd()),)


def test_parts_of_single_objects_differ():
    assert dl.diff(DenseLayer(n_out=1), DenseLayer(n_out=2)) == (("n_out", 1, 2),)
    assert dl.diff(DenseLayer(n_out=1), OUTPUT) == (("", DenseLayer(n_out=1), OUTPUT),)


@pytest.mark.parametrize("position", range(5))
def test_an_inserted_layer_is_one_difference(position):
    """All layers but the last are of one class, so that only their options tell which is which."""
    layers = [*CONVOLUTIONS, OUTPUT]
    new = ConvolutionLayer(n_out=5)
    longer = network(*layers[:position], new, *layers[position:])
    assert dl.diff(network(*layers), longer) == ((f"layers[{position}]", ABSENT, new),)
    assert dl.diff(longer, network(*layers)) == ((f"layers[{position}]", new, ABSENT),)
    assert [(d.added, d.removed) for d in dl.diff(network(*layers), longer)] == [(True, False)]
    assert [(d.added, d.removed) for d in dl.diff(longer, network(*layers))] == [(False, True)]


def test_a_layer_that_was_moved_by_an_insertion_and_changed_is_still_the_same():
    left = network(*CONVOLUTIONS, DenseLayer(n_out=100), OUTPUT)
    right = network(SubsamplingLayer(), *CONVOLUTIONS, ActivationLayer(), DenseLayer(n_out=101), OutputLayer(n_out=9))
    assert dl.diff(left, right) == (
        ("layers[0]", ABSENT, SubsamplingLayer()),
        ("layers[5]", ABSENT, ActivationLayer()),
        ("layers[4].n_out", 100, 101),
        ("layers[5].n_out", 10, 9),
    )


def test_a_layer_of_another_class_in_the_same_place_is_a_change():
    left, right = network(*CONVOLUTIONS, OUTPUT), network(*CONVOLUTIONS[:3], SubsamplingLayer(), OUTPUT)
    assert dl.diff(left, right) == (("layers[3]", CONVOLUTIONS[3], SubsamplingLayer()),)


def test_named_layers_are_matched_by_name():
    left = [DenseLayer(name="a", n_out=1), DenseLayer(name="b", n_out=2), OUTPUT]
    right = [DenseLayer(name="b", n_out=3), DenseLayer(name="c", n_out=4), DenseLayer(name="d", n_out=4), OUTPUT]
    assert dl.diff(network(*left), network(*right)) == (
        ("layers[0]", left[0], ABSENT),
        ("layers[1].n_out", 2, 3),
        ("layers[1]", ABSENT, right[1]),
        ("layers[2]", ABSENT, right[2]),
    )


def test_preprocessors_follow_their_layers():
    flatten = CnnToFeedForwardPreProcessor(input_height=32, input_width=32, num_channels=8)
    left = network(CONVOLUTIONS[0], OUTPUT, input_preprocessors={1: flatten})
    right = network(CONVOLUTIONS[0], DropoutLayer(), OUTPUT, input_preprocessors={2: flatten})
    assert dl.diff(left, right) == (("layers[1]", ABSENT, DropoutLayer()),)
    assert dl.diff(left, left.replace(input_preprocessors={})) == (("input_preprocessors[1]", flatten, ABSENT),)


def test_a_document_is_compared_with_the_document_of_what_was_written():
    written = network(*CONVOLUTIONS, OUTPUT, updater="adam")
    document = MultiLayerConfiguration.from_json(written.to_json())
    assert document.as_written
    assert dl.diff(written, document) == dl.diff(document, written) == ()
    other = MultiLayerConfiguration.from_json(written.replace({"layers[1].n_out": 17}).to_json())
    assert [tuple(d) for d in dl.diff(written, other)] == [
        ("layers[1].n_out", 16, 17),
        ("layers[2].n_in", 16, 17),
    ]


def test_names_that_dl4j_gives_by_place_do_not_differ():
    layers = [*CONVOLUTIONS, DenseLayer(n_out=7, name="layer1"), FrozenLayer(layer=DenseLayer(n_out=7)), OUTPUT]
    options = {"convolution_mode": "same"}
    left = MultiLayerConfiguration.from_json(network(*layers, **options).to_json())
    right = MultiLayerConfiguration.from_json(network(ActivationLayer(), *layers, **options).to_json())
    assert [difference.path for difference in dl.diff(left, right)] == ["layers[0]"]
    assert dl.diff(left, network(*layers, **options)) == ()


def test_nan_is_nan():
    inside = LSTM(n_out=1)
    left, right = (MaskZeroLayer(layer=inside, masking_value=nan) for nan in (float("nan"), math.nan * 2))
    assert dl.diff(left, right) == ()


def test_differences_are_a_table():
    left = network(DenseLayer(n_out=500), OUTPUT, updater="adam")
    right = network(DenseLayer(n_out=50), DropoutLayer(dropout=0.5, name="x" * 80), OUTPUT)
    assert str(dl.diff(left, right)) == (
        "                 left    right\n"
        "updater          'adam'  'sgd'\n"
        "layers[0].n_out  500     50\n"
        f"layers[1]        -       DropoutLayer(name='{'x' * 38}..."
    )
    assert repr(dl.diff(left, right)) == str(dl.diff(left, right))


def test_vertices_of_graphs_are_matched_by_name():
    def graph(**vertices):
        joined = {"a": (DenseLayer(n_out=3), "in"), **vertices, "out": (OutputLayer(n_out=2), "a")}
        return ComputationGraphConfiguration(
            inputs={"in": InputType.feed_forward(4)}, vertices=joined, outputs=["out"], allow_disconnected=True
        )

    left, right = graph(), graph(side=(DropoutLayer(dropout=0.5), "a"))
    assert [(path, a) for path, a, _ in dl.diff(left, right)] == [
        ('vertices["side"]', ABSENT),
        ('vertex_inputs["side"]', ABSENT),
    ]
    changed = left.replace({'vertices["a"].layer.n_out': 9})
    assert dl.diff(left, changed) == (('vertices["a"].layer.n_out', 3, 9),)
    document = ComputationGraphConfiguration.from_json(left.to_json())
    assert dl.diff(left, document) == ()


def test_long_networks_are_compared_in_proportion():
    """What is equal at both ends is not matched all with all: 3,000 layers that way are 9,000,000 pairs."""
    layers = [DenseLayer(n_out=3)] * 3000
    changed = [*layers[:1500], DenseLayer(n_out=3, has_bias=False), *layers[1501:]]
    left, right = network(*layers, OUTPUT), network(*changed, OUTPUT)
    with patch("difflib.SequenceMatcher", Mock(wraps=SequenceMatcher)) as matcher:
        assert dl.diff(left, right) == (("layers[1500].has_bias", True, False),)
    assert max(len(call.args[1]) for call in matcher.call_args_list) == 1
