"""What all sections share: networks, images, clocks, and a line of the report."""

import os
import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import pydl4j as dl
from pydl4j.layers import ConvolutionLayer, DenseLayer, OutputLayer, SubsamplingLayer

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
