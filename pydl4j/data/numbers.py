"""Checks of the arrays that a normalizer is given, and the types it computes in."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pydl4j.errors import DataError, ShapeError

__all__ = ["check_finite", "features_array", "numbers_array", "result_dtype", "work_dtype"]


def numbers_array(data: ArrayLike | None, name: str) -> NDArray[Any]:
    """Make an array that holds at least one number."""
    try:
        array = np.asarray(data)
    except ValueError as error:  # rows of different lengths
        raise DataError(f"{name} must be an array of numbers: {error}", path=name) from None
    if array.dtype.kind not in "fiub":
        raise DataError(f"{name}: expected numbers. Received: dtype {array.dtype}")
    if array.size == 0:
        raise DataError(f"{name} is empty: shape {array.shape}")
    return array


def features_array(data: ArrayLike | None, name: str) -> NDArray[Any]:
    """Make an array of numbers with its features on axis 1."""
    array = numbers_array(data, name)
    if array.ndim not in (2, 3, 4):
        expected = "[n, features], [n, features, time] or [n, channels, height, width]"
        raise ShapeError(f"{name}: expected {expected}. Received: shape {array.shape}")
    return array


def check_finite(array: NDArray[Any], name: str) -> None:
    """Refuse NaN and infinity: one would spoil the statistics of its feature."""
    finite = np.isfinite(array)
    if not finite.all():
        first = np.unravel_index(int(finite.argmin()), array.shape)
        where = [int(index) for index in first]
        raise DataError(f"{name} contains NaN or infinity, first at {where}; remove or replace it before fitting")


def work_dtype(array: NDArray[Any]) -> np.dtype[Any]:
    """Type to compute in: float32 where that holds every value of the array's type, else float64."""
    return np.result_type(array.dtype, np.float32)


def result_dtype(array: NDArray[Any]) -> np.dtype[Any]:
    """Type of normalized values: the array's own if it is a floating type, else float32."""
    return array.dtype if array.dtype.kind == "f" else np.dtype(np.float32)
