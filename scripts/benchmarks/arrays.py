"""Arrays handed over between numpy and ND4J, and an epoch driven from Python."""

import statistics
from typing import TYPE_CHECKING, Any

import numpy as np
from common import BATCH, Data, clock, in_turn, lenet, mlp, report

import pydl4j as dl
from pydl4j.jvm import gateway

if TYPE_CHECKING:
    from collections.abc import Callable


def hand_off(_data: Data) -> None:
    """An array from numpy to ND4J and back, 1 KB to 256 MB; in turns, so that the JVM has compiled the way for all of them."""
    jvm = gateway()
    steps: dict[str, Callable[[], Any]] = {}
    for size, name in ((1 << 10, "1 KB"), (1 << 20, "1 MB"), (16 << 20, "16 MB"), (256 << 20, "256 MB")):
        array = np.zeros(size // 4, "f4")
        tensor = jvm.put(array)
        steps[f"hand-off of {name} to ND4J"] = lambda a=array: jvm.put(a)
        steps[f"hand-off of {name} to numpy"] = lambda t=tensor: jvm.get(t)
    rounds = [{name: [clock(step) for _ in range(1000)] for name, step in steps.items()} for _ in range(5)]
    for name in steps:
        times = [seconds for measured in rounds[2:] for seconds in measured[name]]
        report(f"{name}, median of {len(times):,}", statistics.median(times) * 1e6, "us", "<= 20")


def python_and_java(data: Data) -> None:
    """An epoch driven from Python against DL4J's own loop over the same minibatches in Java."""
    import jpype  # a script, not the package: it builds DL4J's iterator by hand

    x, y = data[0], np.eye(10, dtype="f4")[data[1]]
    for name, conf in (("MLP", mlp()), ("LeNet", lenet())):
        ours, theirs = dl.MultiLayerNetwork(conf), dl.MultiLayerNetwork(conf)
        jvm = gateway()
        minibatches = jpype.JClass("java.util.ArrayList")()
        dataset = jpype.JClass("org.nd4j.linalg.dataset.DataSet")
        for start in range(0, len(x), BATCH):
            minibatches.add(dataset(jvm.put(x[start : start + BATCH]), jvm.put(y[start : start + BATCH])))
        iterator = jpype.JClass("org.deeplearning4j.datasets.iterator.ExistingDataSetIterator")(minibatches)
        driven, looped = in_turn(
            21 if name == "MLP" else 5,
            lambda net=ours: net.fit(x, y, batch_size=BATCH, shuffle=False, progress=False)[0].seconds,
            lambda net=theirs, data=iterator: clock(lambda: net._java.fit(data)),  # noqa: SLF001
        )
        report(
            f"{name}: epoch driven from Python / DL4J's loop in Java ({looped:.2f} s)", driven / looped, "", "<= 1.05"
        )
