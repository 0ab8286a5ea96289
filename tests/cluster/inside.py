"""What the scripts that drivers run have at hand: a session on the lab's cluster, real digits, networks, what to say to the test."""

import gc
import hashlib
import json
import os
import sys
import time
import traceback
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
import psutil
import pyarrow as pa
import pyarrow.parquet as pq
from lab.footprint import files, footprint
from pyspark.sql import DataFrame, SparkSession

import pydl4j as dl
from pydl4j.layers import DenseLayer, OutputLayer
from pydl4j.spark import (
    ParameterAveragingTrainingMaster,
    SharedTrainingMaster,
    SparkComputationGraph,
    SparkDl4jMultiLayer,
    configure,
)

__all__ = [
    "SHARED",
    "ParameterAveragingTrainingMaster",
    "Path",
    "SparkDl4jMultiLayer",
    "averaging",
    "digits",
    "dl",
    "driver_footprint",
    "fingerprint",
    "frame",
    "lost_executors",
    "mlp",
    "network",
    "np",
    "on_spark",
    "os",
    "say",
    "say_busy",
    "say_epochs",
    "session",
    "shared",
    "sys",
    "time",
    "wait_for_slots",
]

SHARED = os.environ["PYDL4J_LAB_SHARED"]  # a directory that drivers and executors see


def say(what: str, **values: Any) -> None:
    """Tell the test."""
    print(json.dumps({"said": what, **values}), flush=True)  # it is what the test reads


def _raised(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    say("raised", trace="".join(traceback.format_exception(kind, error, trace)))


sys.excepthook = _raised


def say_epochs(epoch: Any) -> None:
    """A callback of ``fit``: says when an epoch has ended."""
    say("epoch", number=epoch.number, examples=epoch.examples)


def say_busy(spark: SparkSession) -> None:
    """Says ``busy`` every two seconds while executors run tasks."""
    tracker = spark.sparkContext._jsc.sc().statusTracker()
    while True:
        if sum(executor.numRunningTasks() for executor in tracker.getExecutorInfos()) > 0:
            say("busy")
            time.sleep(2)
        time.sleep(0.1)


def lost_executors(spark: SparkSession) -> int:
    """Executors that this application had and has no longer."""
    known = spark.sparkContext._jsc.sc().statusStore().executorList(False)
    return sum(not known.apply(i).isActive() for i in range(known.size()))


def wait_for_slots(spark: SparkSession, count: int) -> None:
    """Until so many executors are there."""
    while len(spark.sparkContext._jsc.sc().statusTracker().getExecutorInfos()) < count + 1:  # and the driver
        time.sleep(0.1)


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


def network(kind: str = "multilayer", seed: int = 1) -> Any:
    """A network in this process."""
    return dl.ComputationGraph(graph(seed)) if kind == "graph" else dl.MultiLayerNetwork(mlp(seed))


def graph(seed: int = 1) -> dl.ComputationGraphConfiguration:
    """As small a classifier, of two branches."""
    vertices = {
        "wide": (DenseLayer(n_out=24, activation="relu"), "pixels"),
        "narrow": (DenseLayer(n_out=8, activation="tanh"), "pixels"),
        "digit": (OutputLayer(n_out=10, loss="mcxent", activation="softmax"), "wide", "narrow"),
    }
    return dl.ComputationGraphConfiguration(
        seed=seed,
        updater=dl.updaters.Adam(learning_rate=5e-3),
        weight_init="xavier",
        inputs={"pixels": dl.InputType.feed_forward(64)},
        vertices=vertices,
        outputs=["digit"],
    )


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
    """Averaging of two workers' parameters after each three minibatches of 32."""
    defaults = {"batch_size_per_worker": 32, "averaging_frequency": 3, "num_workers": 2, "export_directory": SHARED}
    return ParameterAveragingTrainingMaster(**(defaults | options))


def shared(**options: Any) -> SharedTrainingMaster:
    """Sharing of gradients, minibatches of 32."""
    defaults = {"batch_size_per_worker": 32, "export_directory": SHARED}
    return SharedTrainingMaster(**(defaults | options))


def on_spark(
    spark: SparkSession, kind: str = "multilayer", master: str = "averaging", seed: int = 1, **options: Any
) -> SparkDl4jMultiLayer | SparkComputationGraph:
    """A network on Spark."""
    training_master = {"averaging": averaging, "shared": shared}[master](**options)
    if kind == "graph":
        return SparkComputationGraph(spark, graph(seed), training_master)
    return SparkDl4jMultiLayer(spark, mlp(seed), training_master)


def frame(spark: SparkSession, x: np.ndarray, y: np.ndarray) -> DataFrame:
    """A DataFrame of an array column ``x`` and a class column ``y`` that no Python is needed for on executors."""
    rows = pa.table({"x": pa.FixedSizeListArray.from_arrays(x.ravel(), x.shape[1]), "y": y})
    pq.write_table(rows, Path(os.environ["PYDL4J_LAB_ROOT"], "frame.parquet"))
    return spark.read.parquet(f"file:{os.environ['PYDL4J_LAB_ROOT']}/frame.parquet")


def driver_footprint(spark: SparkSession) -> dict[str, int]:
    """What the driver holds after a garbage collection: its Python, its JVM, and the lab's files."""
    jvm: Any = spark.sparkContext._jvm
    gc.collect()
    for _ in range(2):
        jvm.java.lang.System.gc()
        time.sleep(0.2)  # JavaCPP frees on a thread of its own
    runtime = jvm.java.lang.Runtime.getRuntime()
    java = psutil.Process(jvm.java.lang.ProcessHandle.current().pid())
    return {
        "heap": runtime.totalMemory() - runtime.freeMemory(),
        "off_heap": jvm.org.bytedeco.javacpp.Pointer.totalBytes(),
        "files": files(*(Path(os.environ["PYDL4J_LAB_ROOT"], name) for name in ("tmp", "shared", "local"))),
        **footprint([psutil.Process(), java]),
    }


def fingerprint(network: Any) -> str:
    """Of a network's parameters, to the last bit."""
    return hashlib.sha256(np.ascontiguousarray(network.params).tobytes()).hexdigest()
