"""Networks of one layer, and of one layer and an output: Python and DL4J write the same bytes, or both refuse."""

from contextlib import suppress

import pytest
from reference import assert_agreement, draft, made_by_python
from values import INPUTS, LAYERS, full, minimal, variants

from pydl4j import MultiLayerConfiguration
from pydl4j.errors import ConfigError
from pydl4j.layers import OutputLayer


def networks(layer, input_type):
    """A layer alone and before an output, with its size as given where nothing tells it."""
    if input_type is not None and getattr(layer, "n_in", None) is not None:
        layer = layer.replace(n_in=None)
    for layers in ([layer], [layer, OutputLayer(n_out=2)]):
        yield draft(layers=layers, input_type=input_type)


def accepted(confs):
    return [made.json for made in map(made_by_python, confs) if made.json]


@pytest.mark.parametrize("form", [minimal, full])
@pytest.mark.parametrize("name", LAYERS)
def test_layer_on_every_input(name, form):
    layer = form(LAYERS[name])
    confs = [conf for input_type in (*INPUTS.values(), None) for conf in networks(layer, input_type)]
    assert_agreement(confs)
    texts = accepted(confs)
    assert texts
    assert [MultiLayerConfiguration.from_json(text).to_json() for text in texts] == texts


@pytest.mark.parametrize("name", LAYERS)
def test_every_value_of_every_option(name):
    cls = LAYERS[name]
    input_type = next(each for each in INPUTS.values() if accepted(networks(minimal(cls), each)))
    layers = []
    for options in variants(cls):
        with suppress(ConfigError):
            layers.append(cls(**options))
    confs = [conf for layer in layers for conf in networks(layer, input_type)]
    assert_agreement(confs)
    texts = accepted(confs)
    assert texts or not layers  # IdentityLayer has no options
    assert [MultiLayerConfiguration.from_json(text).to_json() for text in texts] == texts
