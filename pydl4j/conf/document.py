"""The document of a network: DL4J's JSON, which repeats some options of the network in every layer."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

from pydl4j.conf._codecs import AtLeast
from pydl4j.conf._kernel import Conf, Option, refuse
from pydl4j.conf.layers.base import Layer
from pydl4j.conf.layers.normalization import BatchNormalization
from pydl4j.errors import ConfigError

if TYPE_CHECKING:
    from pydl4j.conf.network import MultiLayerConfiguration
    from pydl4j.conf.resolve import ResolvedLayer

Count = Annotated[int, AtLeast(0)]

_DEFAULT_TBPTT_LENGTH = 20
_PER_LAYER = (
    "seed",
    "optimization_algo",
    "mini_batch",
    "minimize",
    "max_num_line_search_iterations",
    "cache_mode",
    "data_type",
)
"""Options of the network that DL4J writes into every layer's configuration."""
_ONCE = (
    "backprop_type",
    "cache_mode",
    "data_type",
    "epoch_count",
    "inference_workspace_mode",
    "input_preprocessors",
    "iteration_count",
    "tbptt_back_length",
    "tbptt_fwd_length",
    "training_workspace_mode",
    "validate_output_layer_config",
)
"""Options that DL4J writes at the top."""


class LayerState(Conf):
    """What a network writes into the configuration of a layer while it is initialized and trained."""

    variables: Sequence[str] = ()
    """Keys of the layer's parameters, once it is initialized."""
    iteration_count: Count = 0
    epoch_count: Count = 0


def write(conf: "MultiLayerConfiguration") -> dict[str, Any]:
    """DL4J's document of ``conf``."""
    places = conf.resolve().layers
    options = type(conf).options()
    states = conf.layer_states or (LayerState(),) * len(places)
    shared = _members(options, _PER_LAYER, conf)
    tree = _members(options, _ONCE, conf)
    tree["confs"] = [_write_layer(place, state, shared) for place, state in zip(places, states, strict=True)]
    tree["inputPreProcessors"] = {
        str(place.index): place.preprocessor.to_tree() for place in places if place.preprocessor
    }
    tree["tbpttFwdLength"] = conf.tbptt_fwd_length or conf.tbptt_length or _DEFAULT_TBPTT_LENGTH
    tree["tbpttBackLength"] = conf.tbptt_back_length or conf.tbptt_length or _DEFAULT_TBPTT_LENGTH
    return dict(sorted(tree.items()))


def _members(options: Mapping[str, Option], names: Iterable[str], conf: Conf) -> dict[str, Any]:
    return {options[name].key or name: options[name].codec.write(getattr(conf, name)) for name in names}


def _write_layer(place: "ResolvedLayer", state: LayerState, shared: Mapping[str, Any]) -> dict[str, Any]:
    """DL4J's ``NeuralNetConfiguration`` of one layer."""
    tree = {**shared, **state.to_tree(), "layer": place.layer.to_tree(), "stepFunction": None}
    if isinstance(place.layer, BatchNormalization) and not place.layer.use_log_std and not state.variables:
        tree["variables"] = list(place.param_shapes)  # without them DL4J reads useLogStd back as true
    return dict(sorted(tree.items()))


def read(options: Mapping[str, Option], tree: Any, path: str) -> dict[str, Any]:
    """The options of the network that a document describes.

    Raises:
        ConfigError: Not such a document, a key that DL4J does not write, or layers that disagree on what is the
            network's.

    """
    confs = tree.get("confs") if isinstance(tree, Mapping) else None
    if not isinstance(confs, list) or not confs:
        kind = "a ComputationGraph" if isinstance(tree, Mapping) and "vertices" in tree else "another document"
        raise ConfigError(
            f'{path}: expected DL4J\'s document of a multi-layer network, with its layers under "confs"; this is {kind}'
        )
    shared = [_read_conf(options, conf, f"layers[{i}]") for i, conf in enumerate(confs)]
    values = _read_members(options, _ONCE, tree, path, others={"confs"})
    for name in _PER_LAYER:
        values[name] = _agreed(
            name, [values.get(name)] * (name in values) + [conf[name] for conf in shared if name in conf]
        )
    values["layers"] = [conf["layer"] for conf in shared]
    states = [LayerState(**{name: conf[name] for name in LayerState.options() if name in conf}) for conf in shared]
    if any(state != LayerState() for state in states):
        values["layer_states"] = states
    return {name: value for name, value in values.items() if value is not None}


def _read_conf(options: Mapping[str, Option], conf: Any, path: str) -> dict[str, Any]:
    """The members of one layer's configuration."""
    if not isinstance(conf, Mapping) or conf.get("layer") is None:
        raise ConfigError(f'{path}: expected DL4J\'s configuration of a layer, with the layer under "layer"', path=path)
    if conf.get("stepFunction") is not None:
        raise refuse(f"{path}.stepFunction", "must be null: step functions are not supported", conf["stepFunction"])
    values = _read_members(
        options, _PER_LAYER, conf, path, others={"layer", "stepFunction", *map(_key, LayerState.options().values())}
    )
    values |= {name: conf[_key(option)] for name, option in LayerState.options().items() if _key(option) in conf}
    return {**values, "layer": Layer.read(conf["layer"], path)}


def _read_members(
    options: Mapping[str, Option], names: Sequence[str], tree: Mapping[str, Any], path: str, others: set[str]
) -> dict[str, Any]:
    keys = {_key(options[name]): name for name in names}
    unknown = set(tree) - set(keys) - others
    if unknown:
        raise ConfigError(f"{path}: a network of layers has no JSON key {min(unknown)!r}", path=path)
    return {name: options[name].codec.read(tree[key], f"{path}.{name}") for key, name in keys.items() if key in tree}


def _key(option: Option) -> str:
    return option.key or option.name


def _agreed(name: str, values: Sequence[Any]) -> Any:
    """The one value that all layers have for an option of the network."""
    differing = [value for value in values if value != values[0]]
    if differing:
        raise refuse(name, f"must be the same for the network and each of its layers: {values[0]!r}", differing[0])
    return values[0] if values else None
