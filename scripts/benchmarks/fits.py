"""Training on Spark: against training in this process, and against DL4J's own ways of driving it."""

from typing import TYPE_CHECKING, Any

import numpy as np
from common import BATCH, Data, clock, in_turn, lenet, mlp, report
from sessions import session

import pydl4j as dl
from pydl4j.jvm import spark_gateway

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

CLUSTER = "local-cluster[2,1,2048]"


class Here:
    """An epoch in this process."""

    def __init__(self, data: Data, conf: dl.MultiLayerConfiguration) -> None:
        self.data = data
        self.network = dl.MultiLayerNetwork(conf)

    def __call__(self) -> float:
        x, y = self.data[:2]
        return self.network.fit(x, y, batch_size=BATCH, progress=False)[0].seconds


class OnSpark:
    """An epoch on Spark, from when the executors see the data."""

    def __init__(self, spark: "SparkSession", data: Data, conf: dl.MultiLayerConfiguration, master: Any) -> None:
        self.data = data
        self.trained = dl.spark.SparkDl4jMultiLayer(spark, conf, master)

    def __call__(self) -> float:
        x, y = self.data[:2]
        return self.trained.fit(x, y, progress=False)[0].seconds

    @property
    def network(self) -> dl.MultiLayerNetwork:
        return self.trained.network


class Stock:
    """An epoch of DL4J's own master, over an RDD of minibatches that are in the driver's memory."""

    def __init__(
        self, spark: "SparkSession", data: Data, conf: dl.MultiLayerConfiguration, frequency: int, approach: str
    ) -> None:
        self.data = data
        self.conf = conf
        self.jvm = spark_gateway(spark)
        x, y = self.jvm.put(data[0]), self.jvm.put(np.eye(10, dtype="f4")[data[1]])
        settings = (BATCH, frequency, approach)
        self.java = self.jvm.call("bench.Stock.of", spark._jsparkSession, conf.to_json(), x, y, *settings)  # noqa: SLF001

    def __call__(self) -> float:
        return self.jvm.call("bench.Stock.epoch", self.java)

    @property
    def network(self) -> dl.MultiLayerNetwork:
        java = self.jvm.call("bench.Stock.network", self.java)
        return dl.MultiLayerNetwork._adopt(self.jvm, java, self.conf, None)  # noqa: SLF001


def averaging(frequency: int) -> Any:
    return dl.spark.ParameterAveragingTrainingMaster(batch_size_per_worker=BATCH, averaging_frequency=frequency)


def fits_in_driver(data: Data) -> None:
    """Workers in the driver: ``local[2]``."""
    with session("local[2]") as spark:
        small_fit(spark, data)
        here, ours = Here(data, mlp()), OnSpark(spark, data, mlp(), averaging(5))
        compare("MLP, local[2], every 5: Spark epoch", ours, "in-process", here, goal="<= 2", rounds=5)
        both = (Here(data, lenet()), OnSpark(spark, data, lenet(), averaging(20)))
        compare("LeNet, local[2], every 20: Spark epoch", both[1], "in-process", both[0], goal="<= 0.9", rounds=3)
        shared(spark, data, "local[2]")
        for approach, goal, rounds in (("Export", ">= 2", 3), ("Direct", ">= 5", 2)):
            stock, ours = Stock(spark, data, mlp(), 5, approach), OnSpark(spark, data, mlp(), averaging(5))
            compare(f"MLP, local[2], every 5: DL4J's {approach} epoch", stock, "ours", ours, goal=goal, rounds=rounds)


def fits_on_cluster(data: Data) -> None:
    """Workers in two JVMs of their own."""
    with session(CLUSTER) as spark:
        both = (Here(data, lenet()), OnSpark(spark, data, lenet(), averaging(20)))
        compare("LeNet, local-cluster, every 20: Spark epoch", both[1], "in-process", both[0], goal="<= 0.85", rounds=3)
        shared(spark, data, "local-cluster")
        for frequency, goal in ((5, ">= 1.5"), (20, ">= 4")):
            stock = Stock(spark, data, mlp(), frequency, "Direct")
            ours = OnSpark(spark, data, mlp(), averaging(frequency))
            compare(
                f"MLP, local-cluster, every {frequency}: DL4J's Direct epoch", stock, "ours", ours, goal=goal, rounds=2
            )


def shared(spark: "SparkSession", data: Data, where: str) -> None:
    """Gradient sharing: the ratio is no goal, it is what each update of each worker costs."""
    master = dl.spark.SharedTrainingMaster(batch_size_per_worker=BATCH)
    here, ours = Here(data, mlp()), OnSpark(spark, data, mlp(), master)
    compare(f"MLP, {where}: gradient sharing's epoch", ours, "in-process", here, goal="", rounds=3)


def small_fit(spark: "SparkSession", data: Data) -> None:
    """All that a fit of 1,000 rows takes, from a new model on, when the session has trained before."""
    x, y = data[0][:1000], data[1][:1000]

    def fit() -> None:
        dl.spark.SparkDl4jMultiLayer(spark, mlp(), averaging(5)).fit(x, y, progress=False)

    (seconds,) = in_turn(5, lambda: clock(fit))
    report("fit of 1,000 rows in a warm session", seconds, "s", "<= 1.5")


def compare(what: str, one: Any, name: str, other: Any, *, goal: str, rounds: int) -> None:
    """The ratio of two ways to train an epoch, in turns; and what each has learned after all of them."""
    first, second = in_turn(rounds, one, other)
    report(f"{what} ({first:.2f} s) / {name} ({second:.2f} s)", first / second, "", goal)
    x, y = one.data[2:]
    accuracies = [candidate.network.evaluate(x, y).accuracy for candidate in (one, other)]
    print(f"  accuracy after {rounds + 1} epochs: {accuracies[0]:.3f} / {accuracies[1]:.3f}", flush=True)
