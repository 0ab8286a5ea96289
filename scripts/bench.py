"""Measure pydl4j: ratios within one run, beside the machine's load. Start it with scripts/bench.

Candidates of a ratio take turns, and medians are compared; goals are printed and never asserted, since they are meant for a quiet machine.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

import pydl4j as dl
from pydl4j.jvm import gateway
from pydl4j.layers import BatchNormalization, ConvolutionLayer, DenseLayer, OutputLayer, SubsamplingLayer

BATCH = 64


def mlp() -> dl.MultiLayerConfiguration:
    """784-256-10, the network of the figures for MNIST."""
    return dl.MultiLayerConfiguration(
        seed=1,
        updater=dl.updaters.Adam(learning_rate=1e-3),
        input_type=dl.InputType.feed_forward(784),
        layers=[
            DenseLayer(n_out=256, activation="relu"),
            OutputLayer(n_out=10, loss="negativeloglikelihood", activation="softmax"),
        ],
    )


def lenet() -> dl.MultiLayerConfiguration:
    """LeNet for 28x28 images: 20 and 50 maps of 5x5, 500 units."""
    return dl.MultiLayerConfiguration(
        seed=1,
        updater=dl.updaters.Adam(learning_rate=1e-3),
        input_type=dl.InputType.convolutional_flat(height=28, width=28, channels=1),
        layers=[
            ConvolutionLayer(kernel_size=(5, 5), n_out=20, activation="relu"),
            SubsamplingLayer(pooling_type="max", kernel_size=(2, 2), stride=(2, 2)),
            ConvolutionLayer(kernel_size=(5, 5), n_out=50, activation="relu"),
            SubsamplingLayer(pooling_type="max", kernel_size=(2, 2), stride=(2, 2)),
            DenseLayer(n_out=500, activation="relu"),
            OutputLayer(n_out=10, loss="negativeloglikelihood", activation="softmax"),
        ],
    )


Data = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def images(folder: Path | None) -> Data:
    """8,000 images to train on and 2,000 to test with: of MNIST's test set, or noise where no folder was given (time only)."""
    if folder is None:
        rng = np.random.default_rng(0)
        x, y = rng.random((10_000, 784), "f4"), rng.integers(0, 10, 10_000)
    else:
        x, y = dl.datasets.mnist(folder, kind="test")
    return x[:8000], y[:8000], x[8000:], y[8000:]


# -- what is printed ---------------------------------------------------------------------------------------------------


def report(what: str, value: float, unit: str = "", goal: str = "") -> None:
    load = os.getloadavg()[0]
    print(f"{what:<66} {value:>9.3f} {unit:<3} {goal and 'goal ' + goal:<14} load {load:.1f}", flush=True)


def in_turn(rounds: int, *candidates: Callable[[], float]) -> Iterator[float]:
    """The median seconds of each candidate, measured in turns after one round to warm up."""
    seconds = [[candidate() for candidate in candidates] for _ in range(rounds + 1)][1:]
    return (statistics.median(column) for column in zip(*seconds, strict=True))


def clock(work: Callable[[], Any]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


# -- what is measured --------------------------------------------------------------------------------------------------


def start_up(_data: Data) -> None:
    """Import time, what an import loads, and a first fit from the start of the process."""
    heavy = ("jpype", "py4j", "pyspark", "pyarrow", "pandas", "numpy")
    bare, with_import = in_turn(9, lambda: child("pass"), lambda: child("import pydl4j"))
    report("import pydl4j, beyond starting Python", (with_import - bare) * 1000, "ms", "<= 100")
    script = f"import pydl4j, sys; print([m for m in {heavy} if m in sys.modules])"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.strip()
    print(f"  loaded by it: {loaded}")
    (first,) = in_turn(5, first_fit)
    report("start of Python to end of a first fit, warm caches", first, "s", "<= 2")


def fifty_layers() -> dl.MultiLayerConfiguration:
    """24 convolutions with their batch normalizations, two dense layers: 95,000 characters of JSON."""
    block = (ConvolutionLayer(n_out=16, kernel_size=3, activation="relu"), BatchNormalization())
    return dl.MultiLayerConfiguration(
        seed=1,
        updater=dl.updaters.Adam(learning_rate=1e-3),
        l2=1e-4,
        convolution_mode="same",
        input_type=dl.InputType.convolutional(height=32, width=32, channels=3),
        layers=[*block * 24, DenseLayer(n_out=100), OutputLayer(n_out=10)],
    )


def configurations(_data: Data) -> None:
    """What describing networks costs: no JVM is started."""
    plain, layers = in_turn(9, lambda: child("import pydl4j"), lambda: child("import pydl4j.layers"))
    report("import pydl4j.layers, beyond import pydl4j", (layers - plain) * 1000, "ms", "<= 100")
    text = fifty_layers().to_json()
    write, read = in_turn(
        20,
        lambda: clock(lambda: fifty_layers().to_json()),
        lambda: clock(lambda: dl.MultiLayerConfiguration.from_json(text)),
    )
    report("50 layers: made, validated and written as JSON", write * 1000, "ms", "<= 20")
    report("50 layers: read from JSON", read * 1000, "ms")
    (first,) = in_turn(5, lambda: seconds_of_child(FIFTY_LAYERS))
    report("50 layers: made and written for the first time in a process", first * 1000, "ms")
    (resnet,) = in_turn(5, lambda: clock(lambda: dl.zoo.ResNet50(1000).to_json()))
    report("zoo.ResNet50: made, validated and written as JSON", resnet * 1000, "ms")


FIFTY_LAYERS = """
import time, pydl4j as dl
from pydl4j.layers import BatchNormalization, ConvolutionLayer, DenseLayer, OutputLayer
start = time.perf_counter()
block = (ConvolutionLayer(n_out=16, kernel_size=3, activation="relu"), BatchNormalization())
dl.MultiLayerConfiguration(layers=[*block * 24, DenseLayer(n_out=100), OutputLayer(n_out=10)], convolution_mode="same",
    updater="adam", l2=1e-4, input_type=dl.InputType.convolutional(height=32, width=32, channels=3)).to_json()
print(time.perf_counter() - start)
"""


FIRST_FIT = """
import numpy as np, pydl4j as dl
from pydl4j.layers import DenseLayer, OutputLayer
conf = dl.MultiLayerConfiguration(seed=1, input_type=dl.InputType.feed_forward(20),
    layers=[DenseLayer(n_out=32, activation="relu"), OutputLayer(n_out=3, loss="mcxent", activation="softmax")])
dl.MultiLayerNetwork(conf).fit(np.random.rand(500, 20), np.arange(500) % 3, progress=False)
import time
print(time.time())
"""


def first_fit() -> float:
    start = time.time()
    done = subprocess.run([sys.executable, "-c", FIRST_FIT], capture_output=True, text=True, check=True)
    return float(done.stdout) - start


def child(script: str) -> float:
    return clock(lambda: subprocess.run([sys.executable, "-c", script], check=True, stdout=subprocess.DEVNULL))


def seconds_of_child(script: str) -> float:
    """What a script that measures itself prints."""
    return float(subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout)


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
    command = [sys.executable, __file__, "--minibatch", kind]
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


def spark(data: Data) -> None:
    """An epoch on local[2], averaging every 5 minibatches, against one in this process; and what it learns."""
    from pyspark.sql import SparkSession

    from pydl4j.spark import ParameterAveragingTrainingMaster, SparkDl4jMultiLayer

    x, y, x_test, y_test = data
    session = dl.spark.configure(SparkSession.builder.master("local[2]").appName("bench")).getOrCreate()
    master = ParameterAveragingTrainingMaster(batch_size_per_worker=BATCH, averaging_frequency=5)
    try:
        for name, conf, goal, epochs in (("MLP", mlp(), "<= 2.0", 3), ("LeNet", lenet(), "<= 1.0", 2)):
            here = dl.MultiLayerNetwork(conf)
            local = here.fit(x, y, epochs=epochs, batch_size=BATCH, progress=False)
            there = SparkDl4jMultiLayer(session, conf, master)
            spread = there.fit(x, y, epochs=epochs, progress=False)
            seconds = [statistics.median(history["seconds"][1:]) for history in (spread, local)]
            report(
                f"{name}: Spark epoch ({seconds[0]:.2f} s) / in-process epoch ({seconds[1]:.2f} s)",
                seconds[0] / seconds[1],
                "",
                goal,
            )
            report(f"{name}: accuracy after {epochs} epochs in this process", here.evaluate(x_test, y_test).accuracy)
            report(f"{name}: accuracy after {epochs} epochs on Spark", there.evaluate(x_test, y_test).accuracy)
    finally:
        session.stop()


SECTIONS = {
    section.__name__: section
    for section in (start_up, configurations, hand_off, engine, workers, python_and_java, spark)
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sections", nargs="*", help=f"what to measure; all by default: {', '.join(SECTIONS)}")
    parser.add_argument(
        "--mnist", type=Path, help="a folder with MNIST's t10k files; without it accuracies mean nothing"
    )
    parser.add_argument("--section", choices=SECTIONS, help=argparse.SUPPRESS)
    parser.add_argument("--minibatch", choices=("stock", "helpers", "two", "wrapper"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.minibatch:
        time_minibatch(arguments.minibatch)
    elif arguments.section:
        SECTIONS[arguments.section](images(arguments.mnist))
    else:
        unknown = set(arguments.sections) - set(SECTIONS)
        if unknown:
            parser.error(f"unknown: {', '.join(sorted(unknown))}; expected some of: {', '.join(SECTIONS)}")
        print(f"{os.cpu_count()} cores, Python {sys.version.split()[0]}, pydl4j {dl.__version__}")
        mnist = ["--mnist", str(arguments.mnist)] if arguments.mnist else []
        for name in arguments.sections or SECTIONS:
            # each in a process of its own: none finds a JVM that another has warmed
            subprocess.run([sys.executable, __file__, "--section", name, *mnist], check=True)


if __name__ == "__main__":
    main()
