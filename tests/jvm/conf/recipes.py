"""Recipes: a network as its user wrote it, in plain JSON that `org.pydl4j.conf.Reference` follows with DL4J's builders.

A recipe has the options that were set, under their Python names; nothing in it was inherited, inferred or completed, so
that DL4J does all of this itself.
"""

import json
from collections.abc import Mapping
from typing import Any

from pydl4j import MultiLayerConfiguration
from pydl4j.conf._kernel import Conf, Option
from pydl4j.layers import Layer

PLACED = {"layers", "input_type", "input_preprocessors"}
ONLY_PYTHON = {"as_written", "layer_states", "iteration_count", "epoch_count"}
OF_LIST = {
    "backprop_type", "tbptt_fwd_length", "tbptt_back_length", "tbptt_length", "validate_output_layer_config",
}  # fmt: skip
"""Options of DL4J's ListBuilder and GraphBuilder; the others are those of NeuralNetConfiguration.Builder."""


def recipe(conf: MultiLayerConfiguration) -> dict[str, Any]:
    """The recipe of a network."""
    options = {"seed": conf.seed} | options_of(conf, leave_out=PLACED | ONLY_PYTHON)
    return {
        "kind": "multilayer",
        "global": {name: value for name, value in options.items() if name not in OF_LIST},
        "list": {name: value for name, value in options.items() if name in OF_LIST},
        "layers": [part(layer) for layer in conf.layers],
        "inputPreProcessors": {str(index): each.to_tree() for index, each in conf.input_preprocessors.items()},
        "inputType": conf.input_type.to_tree() if conf.input_type else None,
    }


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
    if isinstance(value, Layer):
        return part(value)
    if isinstance(value, Conf):
        return value.to_tree()
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, Mapping):
        return {str(key): plain(option, each) for key, each in value.items()}
    return option.codec.write(value)
