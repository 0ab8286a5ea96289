"""What the tests of this folder, and the scripts that they run, have in common."""

import os
import subprocess
import sys
import textwrap

os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
os.environ["PYSPARK_PYTHON"] = sys.executable  # DataFrames of the tests are made by Python; pydl4j starts none

import numpy as np
from sklearn.datasets import load_iris

import pydl4j as dl
from pydl4j.layers import DenseLayer, OutputLayer
from pydl4j.spark import ParameterAveragingTrainingMaster, SparkDl4jMultiLayer

IRIS = load_iris()
X = IRIS.data.astype("f4")
Y = IRIS.target.astype("i8")

QUIET = {
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.ui.enabled": "false",
    "spark.sql.shuffle.partitions": "2",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1",
}


def iris(**options) -> dl.MultiLayerConfiguration:
    layers = [DenseLayer(n_out=16, activation="tanh"), OutputLayer(n_out=3, loss="mcxent", activation="softmax")]
    options = {"updater": dl.updaters.Adam(learning_rate=0.02), "layers": layers} | options
    return dl.MultiLayerConfiguration(seed=7, input_type=dl.InputType.feed_forward(4), **options)


def on_spark(spark, network=None, **options) -> SparkDl4jMultiLayer:
    options = {"batch_size_per_worker": 16, "averaging_frequency": 2, "num_workers": 2} | options
    return SparkDl4jMultiLayer(spark, network or iris(), ParameterAveragingTrainingMaster(**options))


def frame(spark, x=X, y=Y, partitions=1):
    """A DataFrame of an array column ``x`` and a class column ``y``, rows in order within and over its partitions."""
    rows = [(row.tolist(), int(label)) for row, label in zip(np.asarray(x), y, strict=True)]
    return spark.createDataFrame(spark.sparkContext.parallelize(rows, partitions), "x array<float>, y int")


def run_script(script: str, timeout: int, **env: str) -> str:
    """Run Python code in a process of its own; its output, once it has ended well."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", textwrap.dedent(script)],
        env={**os.environ, **env},
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr[-4000:]}"
    return done.stdout
