"""What `TransferLearning` means for one network: indices, sizes, and all that DL4J's builder has to be told."""

from typing import TYPE_CHECKING, Any, NamedTuple

from pydl4j.conf import _java
from pydl4j.conf._codecs import FrozenMap
from pydl4j.conf._kernel import refuse
from pydl4j.conf.network import MultiLayerConfiguration
from pydl4j.conf.options import NetworkOptions
from pydl4j.conf.regularization import SHORT_FORMS
from pydl4j.conf.transferlearning import FineTuneConfiguration, NInReplace, NOutReplace, TransferLearning
from pydl4j.errors import ConfigError

if TYPE_CHECKING:
    from pydl4j.conf.inputs import InputType
    from pydl4j.conf.layers.base import Layer

__all__ = ["Plan", "plan"]

_FOR_ADDED = (
    "activation", "weight_init", "bias_init", "updater", "bias_updater", "dropout", "gradient_normalization",
    "gradient_normalization_threshold", *SHORT_FORMS, "regularization", "regularization_bias",
)  # fmt: skip
"""What DL4J's builder gives to added layers."""


class Plan(NamedTuple):
    """What is done with a network."""

    document: str
    """For the bridge, as JSON."""
    input_type: "InputType | None"
    """What the new network takes, as far as it is known."""


def plan(changes: TransferLearning, conf: MultiLayerConfiguration) -> Plan:
    """What is done with a network of configuration ``conf``.

    Raises:
        ConfigError: Layers that there are not, nothing that stays, or sizes that do not fit; ``path`` is a place in ``changes``
            or, as ``layers[3].n_in``, in the new network.

    """
    TransferLearning.checked(changes, "changes")
    network = _Network(conf)
    removed = _removed(changes, len(network.layers))
    kept = len(network.layers) - removed
    replaced = {
        option: [network.resize(item, kept, f"{option}[{i}]") for i, item in enumerate(getattr(changes, option))]
        for option in ("n_out_replace", "n_in_replace")
    }
    new = network.extended(changes, kept)
    tune = changes.fine_tune_configuration
    document = {
        "fine_tune": tune.described(),
        "optionals": tune.optionals(),
        "feature_extractor": _frozen(changes, new),
        **replaced,
        "remove_layers_from_output": removed,
        "add_layers": [place.layer.to_tree() for place in new.resolve().layers[kept:]],
        "input_preprocessors": {
            str(place.index): place.preprocessor.to_tree() for place in new.resolve().layers if place.preprocessor
        },
        "validate_output_layer_config": changes.validate_output_layer_config,
    }
    return Plan(_java.dumps(document), new.resolve().input_type)


def _removed(changes: TransferLearning, n_layers: int) -> int:
    """How many layers are removed from the end."""
    removed = 1 if changes.remove_output_layer else changes.remove_layers_from_output
    if removed >= n_layers:
        option = "remove_output_layer" if changes.remove_output_layer else "remove_layers_from_output"
        raise refuse(option, f"must leave a layer of the network's {n_layers}", removed)
    return removed


def _frozen(changes: TransferLearning, new: MultiLayerConfiguration) -> int:
    """The index of the last frozen layer; -1 for none."""
    if changes.set_feature_extractor is None:
        return -1
    names = [layer.name or "" for layer in new.layers]
    index = _index(changes.set_feature_extractor, names, "set_feature_extractor")
    if index == len(names) - 1:
        must = f"must be below {index}, the index of the last layer: what is frozen cannot learn"
        raise refuse("set_feature_extractor", must, changes.set_feature_extractor)
    return index


def _index(layer: int | str, names: list[str], path: str) -> int:
    if isinstance(layer, str):
        if layer in names:
            return names.index(layer)
        raise refuse(path, f"must be one of the layers {', '.join(map(repr, names))}", layer)
    if layer < len(names):
        return layer
    raise refuse(path, f"must be below {len(names)}, the number of layers", layer)


class _Network:
    """A trained network while it is changed."""

    def __init__(self, conf: MultiLayerConfiguration) -> None:
        self.conf = conf
        places = conf.resolve().layers
        self.names = [place.name for place in places]
        self.layers: list[Layer] = [place.layer for place in places]
        self.input_type = conf.resolve().input_type
        self.preprocessors = {place.index: place.preprocessor for place in places if place.preprocessor}

    def resize(self, change: NOutReplace | NInReplace, kept: int, path: str) -> dict[str, Any]:
        """Change the sizes as DL4J's builder does; what is to be done, for the bridge."""
        index = _index(change.layer, self.names, f"{path}.layer")
        if index >= kept:
            raise refuse(f"{path}.layer", "must be a layer that is not removed", change.layer)
        size = {"n_out": change.n_out} if isinstance(change, NOutReplace) else {"n_in": change.n_in}
        if not set(size) <= set(type(self.layers[index]).options()):
            raise refuse(f"{path}.layer", f"must be a layer with {', '.join(size)}", type(self.layers[index]).__name__)
        self.layers[index] = self.layers[index].replace(**size, weight_init=change.weight_init)
        tree = {"layer": index, **size, "weight_init": _written(change.weight_init)}
        if index == 0 and "n_in" in size:
            self.input_type = None  # the layer tells the new one
        if isinstance(change, NOutReplace):
            following = change.weight_init_next or change.weight_init
            tree["weight_init_next"] = _written(following)
            if index + 1 < len(self.layers) and "n_in" in type(self.layers[index + 1]).options():
                self.layers[index + 1] = self.layers[index + 1].replace(n_in=change.n_out, weight_init=following)
        return tree

    def extended(self, changes: TransferLearning, kept: int) -> MultiLayerConfiguration:
        """The new network, as far as its added layers, its sizes and its preprocessors go."""
        network = NetworkOptions(**_for_added(changes.fine_tune_configuration))
        added = [layer.inherit(network, layer.name or f"layer{kept + i}") for i, layer in enumerate(changes.add_layers)]
        preprocessors = {i: p for i, p in self.preprocessors.items() if i < kept} | dict(changes.input_preprocessors)
        try:
            return MultiLayerConfiguration(
                layers=[*self.layers[:kept], *added],
                input_type=changes.input_type or self.input_type,
                input_preprocessors=FrozenMap(preprocessors),
                data_type=self.conf.data_type,
                backprop_type=changes.fine_tune_configuration.backprop_type or self.conf.backprop_type,
                validate_output_layer_config=changes.validate_output_layer_config,
            )
        except ConfigError as error:
            raise _relocated(error, kept, len(added)) from None


def _written(weight_init: Any) -> Any:
    return NInReplace.options()["weight_init"].codec.write(weight_init)


def _for_added(tune: FineTuneConfiguration) -> dict[str, Any]:
    given = {name: getattr(tune, name) for name in _FOR_ADDED}
    return {name: value for name, value in given.items() if value is not None}


def _relocated(error: ConfigError, kept: int, added: int) -> ConfigError:
    """An error about an added layer, with its place in ``add_layers``."""
    path = error.path or ""
    for i in range(added):
        place = f"layers[{kept + i}]"
        if path == place or path.startswith(f"{place}."):
            message = error.message.replace(place, f"add_layers[{i}]", 1)
            return type(error)(message, path=path.replace(place, f"add_layers[{i}]", 1))
    return error
