"""What a LeNet minibatch costs: DL4J as it comes against here, one worker against two."""

import json
import statistics
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
from common import BATCH, Data, clock, in_turn, lenet, report

import pydl4j as dl
from pydl4j.jvm import gateway

KINDS = ("stock", "helpers", "two", "wrapper")


def engine(_data: Data) -> None:
    """A LeNet minibatch with DL4J's stock convolutions against ours, one thread each, in processes that take turns."""
    stock, ours = in_turn(3, lambda: minibatch("stock"), lambda: minibatch("helpers"))
    report(
        f"LeNet minibatch of {BATCH}: stock DL4J ({stock * 1000:.0f} ms) / ours ({ours * 1000:.0f} ms)",
        stock / ours,
        "",
        ">= 4",
    )


def workers(_data: Data) -> None:
    """Two workers in one JVM, one thread each, against one alone: two networks at once, and DL4J's ParallelWrapper."""
    one, two, wrapped = in_turn(3, *(lambda kind=kind: minibatch(kind) for kind in ("helpers", "two", "wrapper")))
    report("2 networks trained at once in one JVM: minibatches a second / alone", 2 * one / two, "")
    report("ParallelWrapper with 2 workers: minibatches a second / alone", one / wrapped, "")


def minibatch(kind: str) -> float:
    command = [sys.executable, Path(__file__).parent, "--minibatch", kind]
    return float(json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout))


def time_minibatch(kind: str) -> None:
    """In a process of its own: print the median seconds of a LeNet minibatch, one thread per worker."""
    dl.configure_jvm(helpers=kind != "stock", threads=1)
    print(json.dumps(wrapper_seconds() if kind == "wrapper" else worker_seconds(2 if kind == "two" else 1)))


def worker_seconds(count: int) -> float:
    x = np.random.default_rng(0).random((BATCH * 8, 784), "f4")
    y = np.arange(len(x)) % 10
    nets = [dl.MultiLayerNetwork(lenet()) for _ in range(count)]
    with ThreadPoolExecutor(count) as pool:
        histories = list(pool.map(lambda net: net.fit(x, y, epochs=10, batch_size=BATCH, progress=False), nets))
    return statistics.median([seconds for history in histories for seconds in history["seconds"][3:]]) / 8


def wrapper_seconds() -> float:
    import jpype

    jvm = gateway()
    x, y = np.random.default_rng(0).random((BATCH, 784), "f4"), np.eye(10, dtype="f4")[np.arange(BATCH) % 10]
    net = dl.MultiLayerNetwork(lenet())._java  # noqa: SLF001
    minibatches = jpype.JClass("java.util.ArrayList")()
    for _ in range(100):
        minibatches.add(jpype.JClass("org.nd4j.linalg.dataset.DataSet")(jvm.put(x), jvm.put(y)))
    parallel = jpype.JClass("org.deeplearning4j.parallelism.ParallelWrapper")
    wrapper = parallel.Builder(net).workers(2).averagingFrequency(5).prefetchBuffer(2).build()
    iterator = jpype.JClass("org.deeplearning4j.datasets.iterator.ExistingDataSetIterator")
    (seconds,) = in_turn(2, lambda: clock(lambda: wrapper.fit(iterator(minibatches))))
    wrapper.shutdown()
    return seconds / len(minibatches)
