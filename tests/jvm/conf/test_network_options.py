"""Every value of every option of a network: Python and DL4J write the same bytes, or both refuse."""

from contextlib import suppress

import pytest
from recipes import ONLY_PYTHON, PLACED
from reference import assert_agreement, draft
from values import INPUTS, candidates

from pydl4j import ComputationGraphConfiguration, MultiLayerConfiguration
from pydl4j.errors import ConfigError
from pydl4j.layers import LSTM, BatchNormalization, ConvolutionLayer, DenseLayer, RnnOutputLayer, SubsamplingLayer

IMAGES = [ConvolutionLayer(n_out=3), BatchNormalization(), SubsamplingLayer(), DenseLayer(n_out=3, has_layer_norm=True)]
SEQUENCES = [LSTM(n_out=3), DenseLayer(n_out=3, l2=0.5, l1_bias=0.25), RnnOutputLayer(n_out=2)]
STACKS = [
    {"layers": IMAGES, "input_type": INPUTS["convolutional"]},
    {"layers": SEQUENCES, "input_type": INPUTS["recurrent"]},
]


def as_graph(layers, input_type):
    names = ["in", *(f"layer{i}" for i in range(len(layers)))]
    vertices = {name: (layer, before) for before, name, layer in zip(names, names[1:], layers, strict=False)}
    return {"inputs": {"in": input_type}, "vertices": vertices, "outputs": names[-1:]}


CASES = {
    f"{kind.__name__}.{name}": (kind, name)
    for kind in (MultiLayerConfiguration, ComputationGraphConfiguration)
    for name in kind.options()
    if name not in PLACED | ONLY_PYTHON
}


@pytest.mark.parametrize(("kind", "name"), CASES.values(), ids=CASES)
def test_every_value_of_every_option(kind, name):
    networks = STACKS if kind is MultiLayerConfiguration else [as_graph(**stack) for stack in STACKS]
    more = [{}, {"backprop_type": "truncated_bptt"}] if name.startswith("tbptt") else [{}]
    values = [value for value in candidates(kind, name) if value is not None]  # None is there for documents
    options = [{name: value, **others} for value in values for others in more]
    confs = []
    for network in networks:
        for each in options:
            with suppress(ConfigError):
                confs.append(draft(**network, **each))
    assert confs
    assert_agreement(confs)
