"""From what users have to what a network takes: checked, converted once at the border, labels encoded."""

import contextlib
import operator
import os
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pydl4j.conf.inputs import InputType, InputTypeConvolutional, InputTypeConvolutionalFlat, InputTypeRecurrent
from pydl4j.data.interface import Interface
from pydl4j.errors import ConfigError, DataError, DataWarning, ShapeError

Array = NDArray[Any]
_LIBRARY = (str(Path(__file__).parents[1]) + os.sep, contextlib.__file__)


def features(x: ArrayLike, net: Interface, *, name: str = "x") -> Array:
    """``x`` as the network takes it: C order, the network's dtype, examples first. No copy where it is that already.

    Images of one channel may leave the channel out, and flat images may come as images.

    Raises:
        DataError: no examples, NaN or infinity, a dtype that is no number.
        ShapeError: a shape that does not fit the network's input.
    """
    return _converted(shaped(x, net, name=name), net.dtype, name)


def shaped(x: ArrayLike, net: Interface, *, name: str = "x") -> Array:
    """``x`` in the shape that the network takes, its numbers as they are: what a normalizer is given.

    Raises:
        DataError: no examples, a dtype that is no number.
        ShapeError: a shape that does not fit the network's input.
    """
    array = _numeric(x, name)
    if net.input_type is not None:
        array = _fit(array, net.input_type, name)
    elif net.n_in is not None:
        _check_width(array, net.n_in, name)
    return array


def labels(y: ArrayLike, net: Interface, *, features: Array, name: str = "y") -> Array:
    """``y`` as the loss takes it for these features; integer classes are one-hot encoded, or [examples, 1] for a sparse loss.

    Accepted are, for a classifier: integers [examples] (or [examples, time] where there is an output per time step), booleans for two
    classes, or rows of ``n_out``. Otherwise: numbers [examples, n_out], or [examples] where ``n_out`` is 1.

    Raises:
        DataError: classes or numbers out of range, NaN or infinity, a dtype that is no number.
        ShapeError: another number of examples or time steps than ``features`` have, or another width than ``n_out``.

    Warns:
        DataWarning: rows for a softmax loss that do not sum to 1.
    """
    array = _numeric(y, name)
    if len(array) != len(features):
        raise ShapeError(
            f"expected as many labels as examples: {len(features)}. Received: {len(array)} in {name}", path=name
        )
    if net.classifier and _are_classes(array, net):
        encoded = _encode(array, net, name)
    else:
        encoded = array[:, None] if net.n_out == 1 and array.ndim == 1 else array
    _check_labels_shape(encoded, net, name)
    _check_steps(encoded, features, net, name)
    result = _converted(encoded, net.dtype, name)
    if net.label_range is not None:
        _check_range(result, *net.label_range, name)
    if net.softmax and not net.sparse_labels:
        _warn_unless_distributions(result, net, name)
    return result


def batch_size(requested: int | None, examples: int, default: int = 32) -> int:
    """The minibatch size: as asked for, else ``default`` or all examples, whichever is less.

    Raises:
        ConfigError: not an int from 1 to 2**31 - 1.
        DataError: more than there are examples.
    """
    if requested is None:
        return min(default, examples)
    if check_batch_size(requested) > examples:
        raise DataError(
            f"batch_size must be at most the number of examples, {examples}. Received: {requested}", path="batch_size"
        )
    return int(requested)


def check_batch_size(requested: int) -> int:
    """The size of the minibatches of a network that is looked at: as asked for, and it may be more than there are examples.

    Raises:
        ConfigError: not an int from 1 to 2**31 - 1.
    """
    is_int = isinstance(requested, int | np.integer) and not isinstance(requested, bool)
    if not is_int or not 1 <= requested < 2**31:
        raise ConfigError(f"batch_size must be an int from 1 to 2**31 - 1. Received: {requested!r}", path="batch_size")
    return int(requested)


def epochs(requested: int) -> int:
    """How many epochs to train: an int of any kind, from 1.

    Raises:
        ConfigError: anything else.
    """
    try:
        count = 0 if isinstance(requested, bool) else operator.index(requested)
    except TypeError:
        count = 0
    if not 1 <= count < 2**31:
        raise ConfigError(f"epochs must be an int from 1 to 2**31 - 1. Received: {requested!r}", path="epochs")
    return count


def validation_pair(validation: Any, *, expected: str = "a pair (x, y)") -> tuple[ArrayLike, ArrayLike]:
    """Features and labels to validate on.

    Raises:
        DataError: no tuple or list of two.
    """
    if isinstance(validation, tuple | list) and len(validation) == 2:
        return validation[0], validation[1]
    kind = type(validation).__name__
    many = f" of {len(validation)}" if isinstance(validation, tuple | list) else ""
    raise DataError(f"validation must be {expected}. Received: a {kind}{many}", path="validation")


def _numeric(values: ArrayLike, name: str) -> Array:
    try:
        array = np.asarray(values)
    except ValueError as error:  # rows of different lengths
        raise DataError(f"{name} must be an array of numbers: {error}", path=name) from None
    if array.dtype.kind not in "fiub":
        raise DataError(f"{name} must be numbers. Received: dtype {array.dtype}", path=name)
    if array.ndim == 0:
        raise ShapeError(f"{name} must have examples along its first axis. Received: a single number", path=name)
    if array.size == 0:
        raise DataError(f"{name} is empty: expected at least one example. Received: shape {array.shape}", path=name)
    return array


def _converted(array: Array, dtype: str, name: str) -> Array:
    with np.errstate(over="ignore"):  # told below, with the place
        result = np.ascontiguousarray(array, dtype)
    if result.dtype.kind == "f" and not _is_finite(result):
        raise _not_finite(result, array, name)
    return result


def _is_finite(array: Array) -> bool:
    # the sum is finite unless an element is not, or the sum itself overflows: only then is every element looked at
    with np.errstate(over="ignore", invalid="ignore"):
        return bool(np.isfinite(array.sum(dtype=np.float64))) or bool(np.isfinite(array).all())


def _not_finite(result: Array, original: Array, name: str) -> DataError:
    bad = np.argwhere(~np.isfinite(result))
    first = tuple(int(i) for i in bad[0])
    place = f"{name}{list(first)}"
    if np.isfinite(original[first]):
        return DataError(
            f"{place} does not fit the network's {result.dtype}: {original[first]}; scale the data", path=name
        )
    many = f"{len(bad)} such of {result.size} values"
    return DataError(f"{name} must be finite. Received: {result[first]} at {place}, {many}", path=name)


def _fit(array: Array, input_type: InputType, name: str) -> Array:
    expected, shape = input_type.shape, array.shape[1:]
    if _matches(shape, expected):
        return array
    if shape in _image_shapes(input_type):
        return array.reshape(len(array), *(n or 1 for n in expected))
    raise ShapeError(
        f"{name} must have the shape {_shape_text(expected)}, for {input_type}. Received: {list(array.shape)}",
        path=name,
    )


def _image_shapes(input_type: InputType) -> list[tuple[int, ...]]:
    """Other shapes that hold the same images in the same order."""
    if not isinstance(input_type, InputTypeConvolutional | InputTypeConvolutionalFlat):
        return []
    plane = (input_type.height, input_type.width)
    shapes: list[tuple[int, ...]] = [plane] if input_type.channels == 1 else []
    if isinstance(input_type, InputTypeConvolutionalFlat):
        shapes.append((input_type.channels, *plane))
    return shapes


def _matches(shape: tuple[int, ...], expected: tuple[int | None, ...]) -> bool:
    return len(shape) == len(expected) and all(e is None or s == e for s, e in zip(shape, expected, strict=True))


def _shape_text(shape: tuple[int | None, ...]) -> str:
    return "[" + ", ".join(["examples", *("time" if n is None else str(n) for n in shape)]) + "]"


def _check_width(array: Array, n_in: int, name: str) -> None:
    if array.ndim < 2 or array.shape[1] != n_in:
        raise ShapeError(
            f"{name} must be {n_in} wide, the n_in of layers[0]. Received: shape {list(array.shape)}",
            path="layers[0].n_in",
        )


def _are_classes(array: Array, net: Interface) -> bool:
    rank = 2 if net.recurrent_output else 1
    if array.ndim == rank + 1 and array.shape[-1] == 1 and net.n_out != 1:
        rank += 1  # a column of classes
    return array.ndim == rank and (array.dtype.kind in "iub" or net.n_out != 1)


def _encode(array: Array, net: Interface, name: str) -> Array:
    if array.dtype.kind == "f" and not np.array_equal(array, np.trunc(array)):
        raise DataError(
            f"{name} must be classes: whole numbers from 0. Received: {array.dtype} with fractions", path=name
        )
    classes = array.astype(np.int64).reshape(array.shape[: 2 if net.recurrent_output else 1])
    count = net.classes
    assert count is not None
    low, high = int(classes.min()), int(classes.max())
    if low < 0 or high >= count:
        raise DataError(
            f"classes in {name} must be from 0 to {count - 1}, since the last layer's n_out is {net.n_out}. Received: {low} to {high}",
            path=name,
        )
    if net.n_out == 1 or net.sparse_labels:
        return np.expand_dims(classes, -1 if net.time_first else 1)
    # [examples, classes], or [examples, classes, time] with the classes moved to where DL4J has them
    encoded = np.eye(count, dtype=net.dtype)[classes]
    return encoded if encoded.ndim == 2 or net.time_first else np.moveaxis(encoded, -1, 1)


def _check_labels_shape(array: Array, net: Interface, name: str) -> None:
    width = 1 if net.sparse_labels else net.n_out
    if net.recurrent_output:
        expected: tuple[int | None, ...] = (None, width) if net.time_first else (width, None)
        if not _matches(array.shape[1:], expected):
            raise ShapeError(
                f"{name} must have the shape {_shape_text(expected)}. Received: {list(array.shape)}", path=name
            )
    elif width is not None and array.shape[1:] != (width,):
        wide = "" if net.sparse_labels else ", the last layer's n_out"
        raise ShapeError(
            f"{name} must have the shape [examples, {width}]{wide}"
            f"{', or be classes [examples]' if net.classifier else ''}. Received: {list(array.shape)}",
            path=name,
        )


def _check_steps(array: Array, features: Array, net: Interface, name: str) -> None:
    if not net.recurrent_output or features.ndim != 3:
        return
    time_first = isinstance(net.input_type, InputTypeRecurrent) and net.input_type.format == "nwc"
    expected, received = features.shape[1 if time_first else 2], array.shape[1 if net.time_first else 2]
    if received != expected:
        raise ShapeError(
            f"expected as many time steps of labels as of features: {expected}. Received: {received} in {name}",
            path=name,
        )


def _check_range(array: Array, low: float, high: float, name: str) -> None:
    if array.min() >= low and array.max() <= high:
        return
    first = tuple(int(i) for i in np.argwhere((array < low) | (array > high))[0])
    expected = "at least 0" if np.isinf(high) else f"from {low:g} to {high:g}"
    raise DataError(
        f"labels must be {expected} for the loss of the last layer. Received: {array[first]:g} at {name}{list(first)}",
        path=name,
    )


def _warn_unless_distributions(array: Array, net: Interface, name: str) -> None:
    sums = array.sum(axis=-1 if array.ndim == 2 or net.time_first else 1)
    wrong = ~np.isclose(sums, 1, atol=1e-3)
    if wrong.any():
        warnings.warn(
            f"{int(wrong.sum())} of {sums.size} rows of {name} do not sum to 1, as a softmax loss expects; "
            f"the first sums to {float(sums[wrong][0]):.4g}. They are taken as they are.",
            DataWarning,
            stacklevel=_callers_level(),
        )


def _callers_level() -> int:
    """The ``stacklevel`` at which a warning of the function that calls this points at the line that called the library."""
    level, frame = 1, sys._getframe(1)  # noqa: SLF001  # warnings have skip_file_prefixes only from Python 3.12
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_LIBRARY):
        level, frame = level + 1, frame.f_back
    return level
