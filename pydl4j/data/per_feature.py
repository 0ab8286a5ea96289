"""Normalizers with two statistics per feature."""

import struct
from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, BinaryIO, Self

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from pydl4j.data.ndarray_io import read_ndarray, take, write_ndarray
from pydl4j.data.normalizer import Array, Floats, Normalizer
from pydl4j.data.numbers import check_finite, features_array, result_dtype, work_dtype
from pydl4j.data.statistics import Accumulator, along_features
from pydl4j.errors import DataError, ModelFileError, ShapeError

__all__ = ["PerFeatureNormalizer"]


class PerFeatureNormalizer(Normalizer):
    """A normalizer with two statistics per feature: subtract the first, divide by a spread."""

    def __init__(self, *, fit_labels: bool = False) -> None:
        self.fit_labels = fit_labels
        self._features: _Statistics | None = None
        self._labels: _Statistics | None = None

    @property
    def is_fitted(self) -> bool:
        """Whether `fit` was called, or the statistics were read from a file."""
        return self._features is not None

    def fit(self, x: ArrayLike, y: ArrayLike | None = None) -> Self:
        """Learn the statistics of ``x``; forgets earlier ones.

        Args:
            x: Features: ``[n, features]``, ``[n, features, time]`` or ``[n, channels, height, width]``.
            y: Labels, needed with ``fit_labels`` and else ignored.

        Raises:
            DataError: The data are empty, not numbers, or hold NaN or infinity.
            ShapeError: The rank is not 2, 3 or 4.
        """
        self._features = self._labels = None
        return self.partial_fit(x, y)

    def partial_fit(self, x: ArrayLike, y: ArrayLike | None = None) -> Self:
        """Add one batch to the statistics, for data that do not fit into memory; see `fit`."""
        if self.fit_labels and y is None:
            raise DataError("fit_labels=True needs the labels: call fit(x, y)")
        features = _fit_array(x, self._features, "x")
        if self.fit_labels:
            self._labels = self._add(self._labels, _fit_array(y, self._labels, "y"))
        self._features = self._add(self._features, features)
        return self

    def learned(self, first: ArrayLike, second: ArrayLike, dtype: DTypeLike) -> Self:
        """Take both statistics per feature, computed elsewhere; forgets earlier ones."""
        dtype = np.dtype(dtype)
        self._features = _Statistics(*self._tidy(np.asarray(first), np.asarray(second), dtype), None)
        return self

    def transform(self, x: ArrayLike) -> Floats:
        """Normalize features.

        Args:
            x: Array-like with the features of `fit` on axis 1; it is not changed.

        Returns:
            A new array of the same shape: of the dtype of ``x`` if that is a floating type, else float32.

        Raises:
            DataError: The normalizer was not fitted, or ``x`` does not hold numbers.
            ShapeError: ``x`` has another number of features than the data of `fit`.
        """
        return self._apply(self._features, x, "x")

    def revert(self, x: ArrayLike) -> Floats:
        """Undo `transform`; shapes, dtypes and errors are the same."""
        return self._undo(self._features, x, "x")

    def transform_labels(self, y: ArrayLike) -> Array:
        """Normalize labels as `transform` does features; without ``fit_labels`` they are returned as they are."""
        return self._apply(self._labels, y, "y") if self.fit_labels else np.asarray(y)

    def revert_labels(self, y: ArrayLike) -> Array:
        """Undo `transform_labels`, for labels or for the network's output."""
        return self._undo(self._labels, y, "y") if self.fit_labels else np.asarray(y)

    def __repr__(self) -> str:
        state = f"{self._features.first.size} features" if self._features else "not fitted"
        return f"<{type(self).__name__}: {state}>"

    def _add(self, known: "_Statistics | None", array: Array) -> "_Statistics":
        accumulator = known.accumulator if known else self._accumulator(array.shape[1])
        if accumulator is None:
            raise DataError("statistics read from a file cannot be added to; call fit to start anew")
        accumulator.add(array)
        dtype = np.promote_types(known.first.dtype if known else np.float32, result_dtype(array))
        return _Statistics(*self._tidy(*accumulator.pair(), dtype), accumulator)

    def _apply(self, known: "_Statistics | None", data: ArrayLike, name: str) -> Floats:
        array, known = self._ready(known, data, name)
        first, spread = self._broadcastable(known, array)
        out = np.subtract(array, first, dtype=first.dtype)
        out /= spread
        self._stretch(out)
        return out.astype(result_dtype(array), copy=False)

    def _undo(self, known: "_Statistics | None", data: ArrayLike, name: str) -> Floats:
        array, known = self._ready(known, data, name)
        first, spread = self._broadcastable(known, array)
        out = array.astype(first.dtype)
        self._shrink(out)
        out *= spread
        out += first
        return out.astype(result_dtype(array), copy=False)

    def _ready(self, known: "_Statistics | None", data: ArrayLike, name: str) -> "tuple[Array, _Statistics]":
        known = self._known(known)
        array = features_array(data, name)
        _check_width(array, known, name)
        return array, known

    def _broadcastable(self, known: "_Statistics", array: Array) -> tuple[Floats, Floats]:
        first, second = self._tidy(known.first, known.second, work_dtype(array))
        return along_features(first, array.ndim), along_features(self._spread(first, second), array.ndim)

    def _known(self, known: "_Statistics | None") -> "_Statistics":
        if known is None:
            raise DataError(f"this {type(self).__name__} is not fitted; call fit first")
        return known

    def _write(self, stream: BinaryIO, dtype: np.dtype[Any] | None) -> None:
        features = self._known(self._features)
        stream.write(struct.pack(">?", self.fit_labels))
        self._write_options(stream)
        for known in [features, self._known(self._labels)] if self.fit_labels else [features]:
            for values in self._tidy(known.first, known.second, dtype or known.first.dtype):
                write_ndarray(values[None, :], stream)

    @classmethod
    def _read(cls, stream: BinaryIO) -> Self:
        (fit_labels,) = struct.unpack(">?", take(stream, 1))
        normalizer = cls._read_options(stream)
        normalizer._restore(fit_labels, stream)  # noqa: SLF001 (an instance of this class)
        return normalizer

    def _restore(self, fit_labels: bool, stream: BinaryIO) -> None:
        self.fit_labels = fit_labels
        self._features = self._read_statistics(stream)
        self._labels = self._read_statistics(stream) if fit_labels else None

    def _read_statistics(self, stream: BinaryIO) -> "_Statistics":
        first, second = (np.ravel(read_ndarray(stream)) for _ in range(2))
        if first.shape != second.shape or first.dtype.kind != "f":
            received = f"{first.size} {first.dtype} and {second.size} {second.dtype} values"
            raise ModelFileError(f"expected two statistics per feature of a normalizer. Received: {received}")
        return _Statistics(*self._tidy(first, second, first.dtype), None)

    def _write_options(self, stream: BinaryIO) -> None:
        """Write what stands between the label flag and the statistics: nothing."""

    @classmethod
    def _read_options(cls, stream: BinaryIO) -> Self:
        return cls()

    def _stretch(self, out: Floats) -> None:
        """Map normalized values to the target range, in place: here they are there already."""

    def _shrink(self, out: Floats) -> None:
        """Undo `_stretch`, in place."""

    @abstractmethod
    def _accumulator(self, features: int) -> Accumulator: ...

    @abstractmethod
    def _tidy(self, first: Floats, second: Floats, dtype: np.dtype[Any]) -> tuple[Floats, Floats]:
        """Both statistics in this dtype, with DL4J's least spread."""

    @abstractmethod
    def _spread(self, first: Floats, second: Floats) -> Floats:
        """Return what a feature's distance from the first statistic is divided by."""


@dataclass(frozen=True)
class _Statistics:
    first: Floats
    second: Floats
    accumulator: Accumulator | None  # None when read from a file


def _fit_array(data: ArrayLike | None, known: _Statistics | None, name: str) -> Array:
    array = features_array(data, name)
    check_finite(array, name)
    if known:
        _check_width(array, known, name)
    return array


def _check_width(array: Array, known: _Statistics, name: str) -> None:
    if array.shape[1] != known.first.size:
        received = f"{array.shape[1]} in shape {array.shape}"
        raise ShapeError(f"{name}: fitted on {known.first.size} features (axis 1). Received: {received}")
