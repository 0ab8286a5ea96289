"""Deeplearning4j from Python.

Importing starts nothing and loads nothing of size: public names are resolved on first use.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from pydl4j._version import __version__

if TYPE_CHECKING:
    from pydl4j import activations as activations
    from pydl4j import constraints as constraints
    from pydl4j import datasets as datasets
    from pydl4j import datavec as datavec
    from pydl4j import dropout as dropout
    from pydl4j import earlystopping as earlystopping
    from pydl4j import errors as errors
    from pydl4j import evaluation as evaluation
    from pydl4j import initializers as initializers
    from pydl4j import inputs as inputs
    from pydl4j import layers as layers
    from pydl4j import losses as losses
    from pydl4j import noise as noise
    from pydl4j import normalizers as normalizers
    from pydl4j import plot as plot
    from pydl4j import preprocessors as preprocessors
    from pydl4j import regularization as regularization
    from pydl4j import schedules as schedules
    from pydl4j import spark as spark
    from pydl4j import transferlearning as transferlearning
    from pydl4j import updaters as updaters
    from pydl4j import vertices as vertices
    from pydl4j import zoo as zoo
    from pydl4j.conf._diff import diff as diff
    from pydl4j.conf.graph import ComputationGraphConfiguration as ComputationGraphConfiguration
    from pydl4j.conf.inputs import InputType as InputType
    from pydl4j.conf.network import MultiLayerConfiguration as MultiLayerConfiguration
    from pydl4j.conf.nodes import Input as Input
    from pydl4j.jvm.options import configure_jvm as configure_jvm
    from pydl4j.nn import ComputationGraph as ComputationGraph
    from pydl4j.nn import MultiLayerNetwork as MultiLayerNetwork
    from pydl4j.nn.checkpoint import Checkpoint as Checkpoint
    from pydl4j.nn.listener import TrainingListener as TrainingListener

# public name -> module that defines it; a module's own name maps to itself
_NAMES: dict[str, str] = {
    "Checkpoint": "pydl4j.nn.checkpoint",
    "ComputationGraph": "pydl4j.nn",
    "ComputationGraphConfiguration": "pydl4j.conf.graph",
    "Input": "pydl4j.conf.nodes",
    "InputType": "pydl4j.conf.inputs",
    "MultiLayerConfiguration": "pydl4j.conf.network",
    "MultiLayerNetwork": "pydl4j.nn",
    "TrainingListener": "pydl4j.nn.listener",
    "configure_jvm": "pydl4j.jvm.options",
    "diff": "pydl4j.conf._diff",
}
_MODULES: tuple[str, ...] = (
    "activations",
    "constraints",
    "datasets",
    "datavec",
    "dropout",
    "earlystopping",
    "errors",
    "evaluation",
    "initializers",
    "inputs",
    "layers",
    "losses",
    "noise",
    "normalizers",
    "plot",
    "preprocessors",
    "regularization",
    "schedules",
    "spark",
    "transferlearning",
    "updaters",
    "vertices",
    "zoo",
)

__all__ = [
    "Checkpoint",
    "ComputationGraph",
    "ComputationGraphConfiguration",
    "Input",
    "InputType",
    "MultiLayerConfiguration",
    "MultiLayerNetwork",
    "TrainingListener",
    "__version__",
    "activations",
    "configure_jvm",
    "constraints",
    "datasets",
    "datavec",
    "diff",
    "dropout",
    "earlystopping",
    "errors",
    "evaluation",
    "initializers",
    "inputs",
    "layers",
    "losses",
    "noise",
    "normalizers",
    "plot",
    "preprocessors",
    "regularization",
    "schedules",
    "spark",
    "transferlearning",
    "updaters",
    "vertices",
    "zoo",
]


def __getattr__(name: str) -> Any:
    if name in _NAMES:
        return getattr(import_module(_NAMES[name]), name)
    if name in _MODULES:
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module 'pydl4j' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
