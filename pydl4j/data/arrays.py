"""From what users have to what a network takes: checked, converted once at the border, labels encoded."""

import contextlib
import operator
import os
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pydl4j.conf.inputs import InputType, InputTypeConvolutional, InputTypeConvolutionalFlat
from pydl4j.conf.network import MultiLayerConfiguration
from pydl4j.data.borders import Configuration, InputInterface, Interface, OutputInterface
from pydl4j.errors import ConfigError, DataError, DataWarning, ShapeError, shown

Array = NDArray[Any]
_LIBRARY = (str(Path(__file__).parents[1]) + os.sep, contextlib.__file__)


def features(x: ArrayLike, border: InputInterface, *, name: str = "x") -> Array:
    """``x`` as the network takes it: C order, the network's dtype, examples first. No copy where it is that already.

    Images of one channel may leave the channel out, and flat images may come as images.

    Raises:
        DataError: no examples, NaN or infinity, a dtype that is no number, indices that an embedding does not have.
        ShapeError: a shape that does not fit the network's input.
    """
    array = shaped(x, border, name=name)
    if border.index_shapes and border.n_in is not None:
        _check_indices(array, border.n_in, border, name)
    return converted(array, border.dtype, name)


def shaped(x: ArrayLike, border: InputInterface, *, name: str = "x") -> Array:
    """``x`` in the shape that the network takes, its numbers as they are: what a normalizer is given.

    Raises:
        DataError: no examples, a dtype that is no number.
        ShapeError: a shape that does not fit the network's input.
    """
    array = numeric(x, name)
    if border.index_shapes:
        return _fit_indices(array, border, name)
    if border.input_type is not None:
        return _fit(array, border.input_type, name)
    if border.n_in is not None:
        _check_width(array, border, name)
    return array


def labels(
    y: ArrayLike, border: OutputInterface, *, features: Sequence[Array], counted: Array | None = None, name: str = "y"
) -> Array:
    """``y`` as the loss takes it for these features; integer classes are one-hot encoded, or [examples, 1] for a sparse loss.

    Accepted are, for a classifier: integers [examples] (or [examples, time], [examples, height, width] where there is an output for each
    time step or pixel), booleans for two classes, or rows of ``n_out``. Otherwise: numbers in the shape of the output, which may leave out
    an ``n_out`` of 1.

    Args:
        y: The labels.
        border: The output, as :func:`~pydl4j.data.interface.seen` has it for the features.
        features: Those of all inputs.
        counted: A mask [examples], [examples, time], [examples, height, width] or of the labels' shape: what it masks may hold anything.
        name: What messages call the labels.

    Raises:
        DataError: classes or numbers out of range, NaN or infinity, a dtype that is no number.
        ShapeError: another number of examples or time steps than ``features`` have, or another width than ``n_out``.

    Warns:
        DataWarning: rows for a softmax loss that do not sum to 1.
    """
    array = numeric(y, name)
    if len(array) != len(features[0]):
        raise ShapeError(
            f"expected as many labels as examples: {len(features[0])}. Received: {len(array)} in {name}", path=name
        )
    are_classes = border.classifier and _are_classes(array, border)
    if counted is not None:
        array = _blanked(array, counted, border.class_axis)
    if are_classes:
        encoded = _encode(array, border, name)
    else:
        thin = border.n_out == 1 and array.ndim == border.places + 1
        encoded = np.expand_dims(array, border.class_axis) if thin else array
    _check_labels_shape(encoded, features, border, name)
    result = converted(encoded, border.dtype, name)
    if border.label_range is not None:
        _check_range(result, border, name)
    if border.softmax and not border.sparse_labels:
        _warn_unless_distributions(result, counted, border, name)
    return result


def _blanked(array: Array, counted: Array, class_axis: int) -> Array:
    """Zeros where nothing counts, in labels with an axis of classes or without; labels of another shape, which is told of later, as they are."""
    kept = counted != 0
    for spread in (kept, np.expand_dims(kept, class_axis), kept[..., None]):
        if blankable(array.shape, spread.shape):
            return blanked(array, spread)
    return array


def blankable(shape: tuple[int, ...], kept: tuple[int, ...]) -> bool:
    """Whether a mask of that shape, whose other axes are all the array's, tells of each of its numbers."""
    return (
        len(shape) == len(kept) and all(k in (1, s) for s, k in zip(shape, kept, strict=True)) and shape[0] == kept[0]
    )


def blanked(array: Array, kept: Array) -> Array:
    """The array with zeros where ``kept`` is false; itself where nothing is."""
    return array if kept.all() else np.where(kept, array, array.dtype.type(0))


def check_trainable(net: Interface) -> None:
    """Refuse labels for a network that has no use for them.

    Raises:
        ConfigError: an output's layer computes no loss, or the layer of no output does.
    """
    silent = next((output.path for output in net.outputs if not output.trainable), None)
    if silent is not None:
        raise _no_place_for_labels(net, silent, "must be an output layer, such as OutputLayer or LossLayer")
    if net.lossy is not None:
        only = "the last layer" if net.outputs[0].name is None else "the graph's outputs"
        raise _no_place_for_labels(net, net.lossy, f"cannot be an output layer: there are labels only for {only}")


def _no_place_for_labels(net: Interface, path: str, must: str) -> ConfigError:
    return ConfigError(f"{path} {must}. Received: {shown(_at(net.conf, path))}", path=path)


def _at(conf: Configuration, path: str) -> object:
    """The layer or vertex in that place, as it was configured."""
    if isinstance(conf, MultiLayerConfiguration):
        return conf.layers[int(path.removeprefix("layers[").removesuffix("]"))]
    return conf.parts.vertices[path.removeprefix('vertices["').removesuffix('"]')]


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


def numeric(values: ArrayLike, name: str) -> Array:
    """Numbers with examples along the first axis, as they are.

    Raises:
        DataError: no numbers, or none at all.
        ShapeError: a single number.
    """
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


def converted(array: Array, dtype: str, name: str) -> Array:
    """The numbers in C order and ``dtype``. No copy where they are that already.

    Raises:
        DataError: NaN or infinity, or numbers that the dtype does not have.
    """
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


def _check_width(array: Array, border: InputInterface, name: str) -> None:
    if array.ndim < 2 or array.shape[border.features_axis] != border.n_in:
        raise ShapeError(
            f"{name} must be {border.n_in} wide, the n_in of {border.path}. Received: shape {list(array.shape)}",
            path=f"{border.path}.n_in",
        )


def _fit_indices(array: Array, border: InputInterface, name: str) -> Array:
    if not any(_matches(array.shape[1:], shape) for shape in border.index_shapes):
        expected = " or ".join(map(_shape_text, border.index_shapes))
        raise ShapeError(
            f"{name} must be indices in the shape {expected}, for the embedding in {border.path}. Received: {list(array.shape)}",
            path=name,
        )
    return array[:, None] if array.ndim == 1 else array


def _check_indices(array: Array, count: int, border: InputInterface, name: str) -> None:
    wrong = np.argwhere((array < 0) | (array >= count) | (array != np.trunc(array)))
    if len(wrong):
        first = tuple(int(i) for i in wrong[0])
        raise DataError(
            f"{name} must be indices: whole numbers from 0 to {count - 1}, as n_in of the embedding in {border.path} is {count}. "
            f"Received: {array[first]:g} at {name}{list(first)}",
            path=name,
        )


def _are_classes(array: Array, border: OutputInterface) -> bool:
    rank = border.places + 1
    if array.ndim == rank + 1 and array.shape[-1] == 1 and border.n_out != 1 and border.label_shape[-1] != 1:
        rank += 1  # a column of classes
    return array.ndim == rank and (array.dtype.kind in "iub" or border.n_out != 1)


def _encode(array: Array, border: OutputInterface, name: str) -> Array:
    if array.dtype.kind == "f" and not np.array_equal(array, np.trunc(array)):
        raise DataError(
            f"{name} must be classes: whole numbers from 0. Received: {array.dtype} with fractions", path=name
        )
    classes = array.astype(np.int64).reshape(array.shape[: border.places + 1])
    count = border.classes
    if count is None:
        raise DataError(
            f"{name} must be one-hot rows: the network does not say how many classes there are (its input_type would). "
            f"Received: {list(array.shape)}",
            path=name,
        )
    low, high = int(classes.min()), int(classes.max())
    if low < 0 or high >= count:
        raise DataError(
            f"classes in {name} must be from 0 to {count - 1}, since {border.layer}'s n_out is {border.n_out}. Received: {low} to {high}",
            path=name,
        )
    if border.n_out == 1 or border.sparse_labels:
        return np.expand_dims(classes, border.class_axis)
    # [examples, classes], or [examples, classes, time] with the classes moved to where DL4J has them
    return np.moveaxis(np.eye(count, dtype=border.dtype)[classes], -1, border.class_axis)


def _check_labels_shape(array: Array, features: Sequence[Array], border: OutputInterface, name: str) -> None:
    expected = border.label_shape
    if _matches(array.shape[1:], expected):
        return
    time = 0 if border.class_axis == -1 else 1
    is_sequences = border.places == 1 and array.ndim == 3
    if is_sequences and array.shape[border.class_axis] == expected[1 - time]:
        same = any(given.ndim == 3 and expected[time] in given.shape[1:] for given in features)
        of = "features" if same else "the network's output"
        raise ShapeError(
            f"expected as many time steps of labels as of {of}: {expected[time]}. Received: {array.shape[1 + time]} in {name}",
            path=name,
        )
    wide = f", {border.layer}'s n_out" if border.places == 0 and not border.sparse_labels else ""
    classes = ["examples", "time"] if border.places == 1 else ["examples", *(str(n) for n in border.place_shape)]
    raise ShapeError(
        f"{name} must have the shape {_shape_text(expected)}{wide}"
        f"{', or be classes [' + ', '.join(classes) + ']' if border.classifier else ''}. Received: {list(array.shape)}",
        path=name,
    )


def _check_range(array: Array, border: OutputInterface, name: str) -> None:
    low, high = border.label_range or (-np.inf, np.inf)
    if array.min() >= low and array.max() <= high:
        return
    first = tuple(int(i) for i in np.argwhere((array < low) | (array > high))[0])
    expected = "at least 0" if np.isinf(high) else f"from {low:g} to {high:g}"
    raise DataError(
        f"labels must be {expected} for the loss of {border.layer}. Received: {array[first]:g} at {name}{list(first)}",
        path=name,
    )


def _warn_unless_distributions(array: Array, counted: Array | None, border: OutputInterface, name: str) -> None:
    sums = array.sum(axis=border.class_axis)
    wrong = ~np.isclose(sums, 1, atol=1e-3)
    if counted is not None:
        wrong &= counted != 0
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
