"""What tensors data become where no network says so: the shapes are those of the data, the numbers float32."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from pydl4j.data.numbers import check_finite, numbers_array
from pydl4j.data.tables import Columns, column_names
from pydl4j.errors import ConfigError, DataError, ShapeError
from pydl4j.spark.columns import Tensor
from pydl4j.spark.spool import Array

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_DTYPE = "float32"


def frame_tensors(
    frame: "DataFrame",
    features: Columns | None,
    labels: Columns | None,
    feature_shape: Sequence[int] | None,
    classes: int | None,
) -> list[Tensor]:
    """As wide as the first row of a DataFrame, which Spark computes for that.

    Raises:
        DataError: no rows, a column that is not there.
        ShapeError: another number of features than ``feature_shape`` has.
    """
    names = {"features": column_names(frame.columns, features, "features")}
    if labels is not None:
        names["labels"] = column_names(frame.columns, labels, "labels")
    row = frame.select(*[f"`{name.replace('`', '``')}`" for name in dict.fromkeys(sum(names.values(), ()))]).head()
    if row is None:
        raise DataError("the DataFrame is empty: expected at least one row", path="data")
    widths = {what: sum(_width(row[name]) for name in columns) for what, columns in names.items()}
    found = [Tensor("features", _shape((widths["features"],), feature_shape), _DTYPE)]
    if labels is not None:
        single = len(names["labels"]) == 1 and np.isscalar(row[names["labels"][0]])
        found.append(_labels((widths["labels"],), classes, encodes=single))
    return found


def array_tensors(
    x: ArrayLike, y: ArrayLike | None, feature_shape: Sequence[int] | None, classes: int | None
) -> list[tuple[Tensor, Array]]:
    """Of arrays, each with what it becomes.

    Raises:
        DataError: no numbers, NaN or infinity, labels that are no classes.
        ShapeError: another number of features than ``feature_shape`` has, or of labels than examples.
    """
    raw = _numbers(x, "x")
    features = raw.reshape(len(raw), *_shape(raw.shape[1:] or (1,), feature_shape))
    made = [(Tensor("features", features.shape[1:], _DTYPE), features)]
    if y is not None:
        raw = _numbers(y, "y")
        if len(raw) != len(features):
            raise ShapeError(
                f"expected as many labels as examples: {len(features)}. Received: {len(raw)} in y", path="y"
            )
        single = math.prod(raw.shape[1:]) == 1
        tensor = _labels(raw.shape[1:] or (1,), classes, encodes=single)
        encoded = _one_hot(raw, classes) if classes and single else raw.reshape(len(raw), *tensor.shape)
        made.append((tensor, encoded))
    return made


def _numbers(values: ArrayLike, name: str) -> Array:
    array = numbers_array(values, name)
    check_finite(array, name)
    return array


def _width(value: Any) -> int:
    if isinstance(value, bytes | bytearray | tuple):  # an image, or Spark's row of one
        raise ConfigError("the network says what becomes of images: give save_dataset network=...", path="network")
    if hasattr(value, "toArray"):  # a vector
        return len(value.toArray())
    return sum(_width(item) for item in value) if isinstance(value, list) else 1


def _shape(found: tuple[int, ...], wanted: Sequence[int] | None) -> tuple[int, ...]:
    if wanted is None:
        return found
    shape = tuple(int(size) for size in wanted)
    if math.prod(shape) != math.prod(found):
        raise ShapeError(
            f"feature_shape {list(shape)} is of {math.prod(shape)} numbers. Received: {math.prod(found)} for each example",
            path="feature_shape",
        )
    return shape


def _labels(found: tuple[int, ...], classes: int | None, *, encodes: bool) -> Tensor:
    if classes is None:
        return Tensor("labels", found, _DTYPE)
    if isinstance(classes, bool) or not isinstance(classes, int) or classes < 2:
        raise ConfigError(f"classes must be an int from 2. Received: {classes!r}", path="classes")
    if not encodes and math.prod(found) != classes:
        raise ShapeError(f"expected labels that are one number, or {classes}. Received: {list(found)}", path="labels")
    shape = (classes,) if encodes else found
    return Tensor("labels", shape, _DTYPE, range=(0.0, 1.0) if encodes else None, classes=classes)


def _one_hot(raw: Array, classes: int) -> Array:
    wrong = np.flatnonzero((raw < 0) | (raw >= classes) | (raw != np.trunc(raw)))
    if len(wrong):
        raise DataError(
            f"y must be classes: whole numbers from 0 to {classes - 1}. Received: {raw.reshape(-1)[wrong[0]]} at y[{wrong[0]}]",
            path="y",
        )
    encoded: Array = np.eye(classes, dtype=_DTYPE)[raw.astype(np.int64).reshape(-1)]
    return encoded
