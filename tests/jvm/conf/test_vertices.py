"""Graphs of one vertex between inputs and an output: Python and DL4J write the same bytes, or both refuse."""

from contextlib import suppress
from itertools import product

import pytest
from reference import assert_agreement, draft, made_by_python
from values import INPUTS, VERTICES, full, minimal, variants

from pydl4j import ComputationGraphConfiguration
from pydl4j.errors import ConfigError
from pydl4j.layers import OutputLayer


def graph(vertex, *input_types):
    """A graph with this vertex after inputs of these types, which may be unknown."""
    names = "abc"[: len(input_types)]
    inputs = dict(zip(names, input_types, strict=True))
    vertices = {"v": (vertex, *names), "out": (OutputLayer(n_out=2), "v")}
    return draft(inputs=inputs, vertices=vertices, outputs=["out"])


def graphs(vertex):
    """This vertex with one, two and three inputs, of the same and of different types."""
    alike = [(each,) * count for each in (*INPUTS.values(), None) for count in (1, 2, 3)]
    pairs = [pair for pair in product(INPUTS.values(), repeat=2) if pair[0] != pair[1]]
    return [graph(vertex, *types) for types in alike + pairs]


def accepted(confs):
    return [made.json for made in map(made_by_python, confs) if made.json]


@pytest.mark.parametrize("form", [minimal, full])
@pytest.mark.parametrize("name", VERTICES)
def test_vertex_on_every_input(name, form):
    confs = graphs(form(VERTICES[name]))
    assert_agreement(confs)
    texts = accepted(confs)
    assert texts
    assert [ComputationGraphConfiguration.from_json(text).to_json() for text in texts] == texts


@pytest.mark.parametrize("name", VERTICES)
def test_every_value_of_every_option(name):
    cls = VERTICES[name]
    alike = [(each,) * count for count in (1, 2, 3) for each in INPUTS.values()]
    types = next(types for types in alike if accepted([graph(minimal(cls), *types)]))
    vertices = []
    for options in variants(cls):
        with suppress(ConfigError):
            vertices.append(cls(**options))
    assert_agreement([graph(vertex, *types) for vertex in vertices])
