"""What the scripts that drivers run have at hand: a session on the lab's cluster, real digits, networks, what to say to the test."""

import hashlib
import json
import os
import sys
import time
from typing import Any

import numpy as np
from pyspark.sql import SparkSession

import pydl4j as dl
from pydl4j.layers import DenseLayer, OutputLayer
from pydl4j.spark import ParameterAveragingTrainingMaster, SparkDl4jMultiLayer, configure

__all__ = [
    "SHARED",
    "ParameterAveragingTrainingMaster",
    "SparkDl4jMultiLayer",
    "averaging",
    "digits",
    "dl",
    "fingerprint",
    "mlp",
    "np",
    "on_spark",
    "os",
    "say",
    "say_epochs",
    "session",
    "sys",
    "time",
]

SHARED = os.environ["PYDL4J_LAB_SHARED"]  # a directory that drivers and executors see


def say(what: str, **values: Any) -> None:
    """Tell the test."""
    print(json.dumps({"said": what, **values}), flush=True)  # noqa: T201  # it is what the test reads


def say_epochs(epoch: Any) -> None:
    """A callback of ``fit``: says when an epoch has ended."""
    say("epoch", number=epoch.number, examples=epoch.examples)


def session(**settings: str) -> SparkSession:
    """A session on the lab's cluster, with pydl4j."""
    builder = SparkSession.builder
    for key, value in (json.loads(os.environ["PYDL4J_LAB_SETTINGS"]) | settings).items():
        builder.config(key, value)
    spark = configure(builder).getOrCreate()
    spark.sparkContext.setLogLevel("WARN")
    return spark


def digits() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """``x_train, x_test, y_train, y_test`` of real digits: 1,438 and 359."""
    return dl.datasets.train_test_split(*dl.datasets.digits())


def mlp(seed: int = 1) -> dl.MultiLayerConfiguration:
    """A small classifier of digits."""
    layers = [DenseLayer(n_out=32, activation="relu"), OutputLayer(n_out=10, loss="mcxent", activation="softmax")]
    return dl.MultiLayerConfiguration(
        seed=seed,
        updater=dl.updaters.Adam(learning_rate=5e-3),
        weight_init="xavier",
        input_type=dl.InputType.feed_forward(64),
        layers=layers,
    )


def averaging(**options: Any) -> ParameterAveragingTrainingMaster:
    """Averaging of two workers' parameters after each two minibatches of 32."""
    defaults = {"batch_size_per_worker": 32, "averaging_frequency": 2, "num_workers": 2, "export_directory": SHARED}
    return ParameterAveragingTrainingMaster(**(defaults | options))


def on_spark(spark: SparkSession, conf: Any = None, **options: Any) -> SparkDl4jMultiLayer:
    """A network on Spark, trained by :func:`averaging`."""
    return SparkDl4jMultiLayer(spark, conf or mlp(), averaging(**options))


def fingerprint(network: Any) -> str:
    """Of a network's parameters, to the last bit."""
    return hashlib.sha256(np.ascontiguousarray(network.params).tobytes()).hexdigest()
