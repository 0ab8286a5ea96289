"""What the documents of both kinds of network share: DL4J's JSON repeats options of the network beside every layer."""

from collections.abc import Mapping, Sequence
from typing import Any

from pydl4j.conf._kernel import Option, refuse
from pydl4j.conf._reading import At
from pydl4j.conf.layers.base import BaseLayer, Layer
from pydl4j.conf.layers.normalization import BatchNormalization
from pydl4j.conf.options import NetworkOptions, NeuralNetConfiguration

TOP = (
    "backprop_type",
    "cache_mode",
    "data_type",
    "epoch_count",
    "inference_workspace_mode",
    "iteration_count",
    "training_workspace_mode",
    "validate_output_layer_config",
)
"""Options that DL4J writes once, at the top of a document."""
_LENGTHS = {"tbpttFwdLength": "tbptt_fwd_length", "tbpttBackLength": "tbptt_back_length"}
_ABSENT = {"cache_mode": None}
"""Where DL4J's default for an absent key is not the builders'."""


def write_top(conf: NetworkOptions) -> dict[str, Any]:
    """The members that both kinds of network have at the top."""
    options = type(conf).options()
    tree = {key_of(options[name]): options[name].codec.write(getattr(conf, name)) for name in TOP}
    forward, back = conf.tbptt_lengths()
    return tree | {"tbpttFwdLength": forward, "tbpttBackLength": back}


def read_top(conf: type[NetworkOptions], tree: Mapping[str, Any], at: At, others: Sequence[str]) -> dict[str, Any]:
    """The options that `write_top` wrote. ``others`` are the document's further keys.

    Raises:
        ConfigError: A key that DL4J does not write, or a wrong value.

    """
    options = conf.options()
    keys = {key_of(options[name]): name for name in TOP} | _LENGTHS
    known = {*keys, *others}
    at.unknown(set(tree) - known, f"a {conf.__name__}", known)
    return _ABSENT | {
        name: options[name].codec.read(tree[key], at.member(name)) for key, name in keys.items() if key in tree
    }


def write_layer(state: NeuralNetConfiguration, layer: Layer) -> dict[str, Any]:
    """DL4J's ``NeuralNetConfiguration`` around a layer."""
    tree = state.to_tree() | {"layer": layer.to_tree()}
    if isinstance(layer, BatchNormalization) and not layer.use_log_std and not state.variables:
        tree["variables"] = list(layer.param_shapes())  # without them DL4J reads useLogStd back as true
    return tree


def read_layer(tree: Any, at: At) -> NeuralNetConfiguration:
    """The configuration around a layer, with the layer.

    Raises:
        ConfigError: Not such an object, or a wrong value in it.

    """
    if not isinstance(tree, Mapping):
        raise refuse(at.path, 'must be DL4J\'s configuration of a layer, with the layer under "layer"', tree)
    layer = Layer.read(tree["layer"], at) if tree.get("layer") is not None else None
    if isinstance(layer, BaseLayer) and layer.updater is None:
        layer.check_complete(at.path)
        if layer.param_shapes():
            raise refuse(f"{at.path}.updater", "must be in the document of a layer with parameters", None)
    return NeuralNetConfiguration.read_members({**tree, "layer": None}, at)._with(layer=layer)


def key_of(option: Option) -> str:
    """The JSON key of an option that has one."""
    return option.key or option.name
