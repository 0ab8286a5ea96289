"""Statistics per feature, accumulated batch by batch in float64.

The feature axis is 1: ``[n, features]``, ``[n, features, time]`` or ``[n, channels, height, width]``, as in DL4J.
"""

from collections.abc import Iterator
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

__all__ = ["Accumulator", "Bounds", "Moments", "along_features"]

_BLOCK = 1 << 20  # elements converted to float64 at a time


def along_features(values: NDArray[np.floating], rank: int) -> NDArray[np.floating]:
    """Shape a vector of one value per feature so that it broadcasts against an array of this rank."""
    return values.reshape((-1, *(1,) * (rank - 2)))


class Accumulator(Protocol):
    """Two statistics per feature, from any number of batches."""

    def add(self, x: NDArray[Any]) -> None:
        """Add a batch."""
        ...

    def pair(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Both statistics of all batches so far, ``[features]`` each."""
        ...


class Moments:
    """Mean and population standard deviation (divided by n), merged from batches by Chan's parallel update."""

    def __init__(self, features: int) -> None:
        self._count = 0
        self._mean = np.zeros(features)
        self._squares = np.zeros(features)  # sum of squared deviations from the mean

    def pair(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Mean and standard deviation."""
        return self._mean.copy(), np.sqrt(self._squares / self._count)

    def add(self, x: NDArray[Any]) -> None:
        """Add a batch."""
        for block in _blocks(x):
            self._merge(block)

    def _merge(self, block: NDArray[np.float64]) -> None:
        axes = (0, *range(2, block.ndim))
        count = block.size // block.shape[1]
        mean = block.mean(axis=axes)
        squares = ((block - along_features(mean, block.ndim)) ** 2).sum(axis=axes)
        total = self._count + count
        delta = mean - self._mean
        self._mean += delta * (count / total)
        self._squares += squares + delta**2 * (self._count * count / total)
        self._count = total


class Bounds:
    """Smallest and largest value."""

    def __init__(self, features: int) -> None:
        self._lower = np.full(features, np.inf)
        self._upper = np.full(features, -np.inf)

    def pair(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Smallest and largest."""
        return self._lower, self._upper

    def add(self, x: NDArray[Any]) -> None:
        """Add a batch."""
        axes = (0, *range(2, x.ndim))
        self._lower = np.minimum(self._lower, x.min(axis=axes))
        self._upper = np.maximum(self._upper, x.max(axis=axes))


def _blocks(x: NDArray[Any]) -> Iterator[NDArray[np.float64]]:
    rows = max(1, _BLOCK * len(x) // x.size)
    for start in range(0, len(x), rows):
        yield x[start : start + rows].astype(np.float64)
