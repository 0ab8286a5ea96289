"""Training on Spark: configure or attach to a session, training masters, ``SparkDl4jMultiLayer``, ``SparkComputationGraph``.

Executors run Java only. Importing this module loads neither pyspark nor pyarrow.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pydl4j.spark.graph import SparkComputationGraph as SparkComputationGraph
    from pydl4j.spark.images import Resized as Resized
    from pydl4j.spark.masters import ParameterAveragingTrainingMaster as ParameterAveragingTrainingMaster
    from pydl4j.spark.multilayer import SparkDl4jMultiLayer as SparkDl4jMultiLayer
    from pydl4j.spark.prepared import PreparedDataset as PreparedDataset
    from pydl4j.spark.prepared import load_dataset as load_dataset
    from pydl4j.spark.saving import save_dataset as save_dataset
    from pydl4j.spark.session import attach as attach
    from pydl4j.spark.session import configure as configure
    from pydl4j.spark.shared import AdaptiveThresholdAlgorithm as AdaptiveThresholdAlgorithm
    from pydl4j.spark.shared import FixedThresholdAlgorithm as FixedThresholdAlgorithm
    from pydl4j.spark.shared import NoOpResidualPostProcessor as NoOpResidualPostProcessor
    from pydl4j.spark.shared import ResidualClippingPostProcessor as ResidualClippingPostProcessor
    from pydl4j.spark.shared import SharedTrainingMaster as SharedTrainingMaster
    from pydl4j.spark.shared import TargetSparsityThresholdAlgorithm as TargetSparsityThresholdAlgorithm
    from pydl4j.spark.shared import VoidConfiguration as VoidConfiguration

_NAMES = {
    "ParameterAveragingTrainingMaster": "pydl4j.spark.masters",
    "PreparedDataset": "pydl4j.spark.prepared",
    "Resized": "pydl4j.spark.images",
    "SparkComputationGraph": "pydl4j.spark.graph",
    "SparkDl4jMultiLayer": "pydl4j.spark.multilayer",
    "attach": "pydl4j.spark.session",
    "configure": "pydl4j.spark.session",
    "load_dataset": "pydl4j.spark.prepared",
    "save_dataset": "pydl4j.spark.saving",
    "AdaptiveThresholdAlgorithm": "pydl4j.spark.shared",
    "FixedThresholdAlgorithm": "pydl4j.spark.shared",
    "NoOpResidualPostProcessor": "pydl4j.spark.shared",
    "ResidualClippingPostProcessor": "pydl4j.spark.shared",
    "SharedTrainingMaster": "pydl4j.spark.shared",
    "TargetSparsityThresholdAlgorithm": "pydl4j.spark.shared",
    "VoidConfiguration": "pydl4j.spark.shared",
}

__all__ = [
    "AdaptiveThresholdAlgorithm",
    "FixedThresholdAlgorithm",
    "NoOpResidualPostProcessor",
    "ParameterAveragingTrainingMaster",
    "PreparedDataset",
    "ResidualClippingPostProcessor",
    "Resized",
    "SharedTrainingMaster",
    "SparkComputationGraph",
    "SparkDl4jMultiLayer",
    "TargetSparsityThresholdAlgorithm",
    "VoidConfiguration",
    "attach",
    "configure",
    "load_dataset",
    "save_dataset",
]


def __getattr__(name: str) -> Any:
    if name in _NAMES:
        return getattr(import_module(_NAMES[name]), name)
    raise AttributeError(f"module 'pydl4j.spark' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
