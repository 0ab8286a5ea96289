"""Documents of DL4J 1.0.0-alpha to 1.0.0-beta3, brought to the form of later ones as DL4J 1.0.0-M2.1 brings them.

Until beta3, weights were initialized by an enum and penalized by numbers of their own; in alpha, an object had the short
name of its class around it. M2.1 does not find all of that. What it loses is lost here, too, but with a warning.
"""

import warnings
from collections.abc import Collection, Mapping
from typing import Any

from pydl4j.conf._codecs import Mismatch
from pydl4j.conf._kernel import java_class
from pydl4j.conf._older_names import JAVA_CLASSES
from pydl4j.conf.initializers import IWeightInit, WeightInitDistribution
from pydl4j.conf.layers.base import BaseLayer
from pydl4j.conf.layers.normalization import BatchNormalization
from pydl4j.conf.regularization import L1Regularization, WeightDecay
from pydl4j.errors import ConfigError, ConfigWarning, shown

__all__ = ["modern"]

_PENALTIES = {"regularization": ("l1", "l2"), "regularizationBias": ("l1Bias", "l2Bias")}
_PENALTY_KEYS = ("l1", "l2", "l1Bias", "l2Bias")
_WEIGHT_KEYS = ("weightInit", "dist")
_EVERYTHING = (*_PENALTY_KEYS, *_WEIGHT_KEYS)
_LOST = ("weightInitRecurrent", "distRecurrent")
"""Keys that M2.1 never takes over."""
_DROPPED = {
    *_EVERYTHING,
    *_LOST,
    "backprop",
    "configProperties",
    "l1ByParam",
    "l2ByParam",
    "legacyBatchScaledL2",
    "numOutputs",
    "pretrain",
}
"""Keys that M2.1 does not have. Those that are in none of the lists above say nothing that it needs."""
_BY_NAME = ("vertices", "vertexInputs")
"""Members of a document whose keys are names that users gave."""


def modern(tree: Mapping[str, Any]) -> Mapping[str, Any]:
    """The document of a network in the form of DL4J since 1.0.0-beta4; one that has it is returned as it is.

    Raises:
        ConfigError: A document of DL4J 0.9 or older.

    """
    if "backprop" not in tree:  # every network had it until beta3, and none has since
        return tree
    if tree["backprop"] is False:
        _warn("backprop", False)
    vertices = tree.get("vertices")
    # of graphs, M2.1 takes over the weight initialization only, but all of it where classes have short names
    short = isinstance(vertices, Mapping) and all("@class" not in vertex for vertex in vertices.values())
    taken = _EVERYTHING if vertices is None or short else _WEIGHT_KEYS
    changed: Mapping[str, Any] = _modern(tree, "", taken)
    return changed


def _modern(value: Any, path: str, taken: Collection[str]) -> Any:
    """Any part of a document. ``taken`` are the keys that M2.1 takes over from a layer at this place."""
    if isinstance(value, list):
        return [_modern(item, f"{path}[{index}]", taken) for index, item in enumerate(value)]
    if not isinstance(value, Mapping):
        return value
    if "numIterations" in value:
        raise ConfigError(
            f"{path} is of DL4J 0.9 or older, which pydl4j does not read. DL4J 1.0.0-M2.1 does: load the model there and "
            "save it again",
            path=path,
        )
    if path in _BY_NAME:
        return {key: _modern(member, f'{path}["{key}"]', taken) for key, member in value.items()}
    tree = _with_class(value, path)
    inner = () if "@class" in tree else taken  # M2.1 does not look into wrappers
    tree = {
        key: _modern(member, f"{path}.{key}" if path else key, taken if key == "layerConf" else inner)
        for key, member in tree.items()
    }
    java = tree.get("@class")
    kind = java_class(java) if isinstance(java, str) else None
    if java is not None and kind is None:
        return tree  # a class of the user's own, whose keys are its own affair
    if kind is not None and issubclass(kind, BaseLayer):
        tree |= _taken_over(kind, tree, path, taken)
    return {key: member for key, member in tree.items() if key not in _DROPPED}


def _with_class(tree: Mapping[str, Any], path: str) -> Mapping[str, Any]:
    """An object without the short name of its class around it: ``{"dense": {...}}``, in YAML ``!<dense> {...}``."""
    if tree.get("@class") in JAVA_CLASSES:
        return {**tree, "@class": JAVA_CLASSES[tree["@class"]]}
    if len(tree) != 1:
        return tree
    ((name, members),) = tree.items()
    if name in JAVA_CLASSES and isinstance(members, Mapping):
        return {"@class": JAVA_CLASSES[name], **members}
    if path.endswith((".layer", '"]')) and name != "@class":  # a layer or a vertex
        raise ConfigError(
            f"{path}: DL4J 1.0.0-M2.1 does not read {shown(name)} from a document of 1.0.0-alpha. Load the model in "
            "1.0.0-beta to beta4 and save it again",
            path=path,
        )
    return tree


def _taken_over(kind: type[BaseLayer], layer: Mapping[str, Any], path: str, taken: Collection[str]) -> dict[str, Any]:
    """What M2.1 makes of the older keys of a layer, by its own keys."""
    given = {key for key in (*_EVERYTHING, *_LOST) if layer.get(key)}
    penalized = kind is not BatchNormalization  # nothing penalizes its parameters, whatever its document says
    for key in sorted(given.difference(taken, () if penalized else _PENALTY_KEYS)):
        _warn(f"{path}.{key}", layer[key])
    changes: dict[str, Any] = {}
    if "l1" in taken and penalized and layer.get("regularization") is None and ("l1" in layer or "l2" in layer):
        changes |= {key: _penalties(layer, *keys) for key, keys in _PENALTIES.items()}
    if "weightInit" in taken and layer.get("weightInitFn") is None and "weightInit" in given:
        changes["weightInitFn"] = _weight_init(layer, path)
    return changes


def _penalties(layer: Mapping[str, Any], l1: str, l2: str) -> list[Any]:
    penalties = []
    if _positive(layer.get(l1)):
        penalties.append(L1Regularization(l1=layer[l1]).to_tree())
    if _positive(layer.get(l2)):
        penalties.append(WeightDecay(coeff=layer[l2], apply_lr=False).to_tree())
    return penalties


def _positive(value: Any) -> bool:
    return isinstance(value, int | float) and value > 0


def _weight_init(layer: Mapping[str, Any], path: str) -> Any:
    if layer["weightInit"] == "DISTRIBUTION":
        return {"@class": WeightInitDistribution.java_name, "distribution": layer.get("dist")}
    try:
        return IWeightInit.convert(layer["weightInit"]).to_tree()
    except Mismatch as mismatch:
        message = f"{path}.weight_init {mismatch}. Received: {shown(layer['weightInit'])}"
        raise ConfigError(message, path=f"{path}.weight_init") from None


def _warn(path: str, value: Any) -> None:
    message = (
        f"{path}: DL4J 1.0.0-M2.1 does not take this over from a document of an older version; left out: {shown(value)}"
    )
    warnings.warn(message, ConfigWarning, stacklevel=2)
