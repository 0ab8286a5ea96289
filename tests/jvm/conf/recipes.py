"""Recipes: a network as its user wrote it, in plain JSON that `org.pydl4j.conf.Reference` follows with DL4J's builders.

A recipe has the options that were set, under their Python names; nothing in it was inherited, inferred or completed, so
that DL4J does all of this itself.
"""

import json
from collections.abc import Mapping
from typing import Any

from pydl4j import ComputationGraphConfiguration, MultiLayerConfiguration
from pydl4j.conf._kernel import Conf, Option
from pydl4j.conf.vertices import GraphVertex, LayerVertex
from pydl4j.layers import Layer

Network = MultiLayerConfiguration | ComputationGraphConfiguration

PLACED = {
    "layers",
    "input_type",
    "input_preprocessors",
    "inputs",
    "outputs",
    "vertices",
    "vertex_inputs",
    "input_types",
}
ONLY_PYTHON = {
    "as_written", "default_configuration", "epoch_count", "iteration_count", "layer_states", "topological_order",
    "topological_order_str",
}  # fmt: skip
"""Options that DL4J's builders do not have: documents have them."""
OF_LIST = {
    "allow_disconnected", "allow_no_output", "backprop_type", "tbptt_fwd_length", "tbptt_back_length", "tbptt_length", "validate_output_layer_config",
}  # fmt: skip
"""Options of DL4J's ListBuilder and GraphBuilder; the others are those of NeuralNetConfiguration.Builder."""


def recipe(conf: Network) -> dict[str, Any]:
    """The recipe of a network."""
    options = {"seed": conf.seed} | options_of(conf, leave_out=PLACED | ONLY_PYTHON)
    return {
        "global": {name: value for name, value in options.items() if name not in OF_LIST},
        "list": {name: value for name, value in options.items() if name in OF_LIST},
        **(_layers(conf) if isinstance(conf, MultiLayerConfiguration) else _vertices(conf)),
    }


def _layers(conf: MultiLayerConfiguration) -> dict[str, Any]:
    return {
        "kind": "multilayer",
        "layers": [part(layer) for layer in conf.layers],
        "inputPreProcessors": {str(index): each.to_tree() for index, each in conf.input_preprocessors.items()},
        "inputType": conf.input_type.to_tree() if conf.input_type else None,
    }


def _vertices(conf: ComputationGraphConfiguration) -> dict[str, Any]:
    names, outputs, vertices, vertex_inputs = conf.parts
    return {
        "kind": "graph",
        "inputs": list(names),
        "inputTypes": [each.to_tree() for each in conf.input_types] if conf.input_types else None,
        "vertices": [
            {"name": name, "inputs": list(vertex_inputs.get(name, ()))} | _vertex(vertex)
            for name, vertex in vertices.items()
        ],
        "outputs": list(outputs),
    }


def _vertex(vertex: GraphVertex) -> dict[str, Any]:
    if not isinstance(vertex, LayerVertex):
        return {"vertex": part(vertex)}
    preprocessor = vertex.preprocessor and vertex.preprocessor.to_tree()
    return {"layer": part(vertex.layer), "preprocessor": preprocessor}


def document(text: str) -> dict[str, Any]:
    """The recipe to read a document and write it back."""
    return {"kind": "graph" if "vertices" in json.loads(text) else "multilayer", "document": text}


def part(value: Conf) -> dict[str, Any]:
    """The recipe of a layer or vertex."""
    return {"class": value.java_name, "options": options_of(value)}


def options_of(conf: Conf, leave_out: set[str] = frozenset()) -> dict[str, Any]:  # type: ignore[assignment]
    """The options that differ from their defaults."""
    return {
        name: plain(option, getattr(conf, name))
        for name, option in type(conf).options().items()
        if name not in leave_out and (option.required or getattr(conf, name) != option.default)
    }


def plain(option: Option, value: Any) -> Any:
    """A value in JSON: numbers as they are, choices under DL4J's names, objects as DL4J's JSON, layers as recipes."""
    if isinstance(value, Layer | GraphVertex):
        return part(value)
    if isinstance(value, Conf):
        return value.to_tree()
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, Mapping):
        return {str(key): plain(option, each) for key, each in value.items()}
    return option.codec.write(value)
