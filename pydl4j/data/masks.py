"""Masks: which time steps, pixels or examples count."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pydl4j.conf.inputs import InputTypeConvolutionalFlat
from pydl4j.data.arrays import Array, blankable, blanked, numeric
from pydl4j.data.borders import InputInterface, OutputInterface
from pydl4j.errors import ConfigError, DataError, ShapeError

Kept = NDArray[np.bool_]
_PLACES = {0: "", 1: ", time", 2: ", height, width", 3: ", depth, height, width"}


def features_mask(mask: ArrayLike, border: InputInterface, features: Array, *, name: str = "features_mask") -> Kept:
    """Which time steps [examples, time] or pixels [examples, height, width] of the features count.

    Raises:
        DataError: other numbers than 0 and 1, or nothing that counts.
        ShapeError: another shape, or features that have neither time steps nor pixels.
    """
    places = _places(border, features)
    if not places:
        raise ShapeError(
            f"{name}: the features have neither time steps nor pixels that could be masked: {list(features.shape)}. "
            "labels_mask leaves whole examples out",
            path=name,
        )
    return _kept(mask, (len(features), *places), name)


def labels_mask(mask: ArrayLike, border: OutputInterface, examples: int, *, name: str = "labels_mask") -> Kept:
    """Which examples [examples], time steps [examples, time] or pixels [examples, height, width] count.

    For an output that is no classifier the mask may have the shape of the labels and say it of each number.

    Raises:
        ConfigError: pixels with channels last, which DL4J cannot mask.
        DataError: other numbers than 0 and 1, or nothing that counts.
        ShapeError: another shape.
    """
    if border.places == 2 and border.class_axis == -1:  # CnnLossLayer.computeScore takes them for NCHW
        raise ConfigError(
            f"{name}: DL4J cannot mask pixels with channels last; give {border.layer} data_format='nchw'", path=name
        )
    shape = (examples, *(size or 0 for size in border.place_shape))  # known, since features were seen
    array = numeric(mask, name)
    of_labels = (examples, *(size or 0 for size in border.label_shape))
    if array.shape == of_labels and not border.classifier and border.label_shape != (1,):
        return _kept(array, of_labels, name)
    column = len(shape) == 1 and array.shape == (examples, 1)
    return _kept(array[:, 0] if column else array, shape, name)


def _places(border: InputInterface, features: Array) -> tuple[int, ...]:
    """Time steps, or height and width, of these features."""
    given = border.input_type
    if border.index_shapes:
        return features.shape[-1:] if border.index_shapes != ((1,), ()) else ()
    if isinstance(given, InputTypeConvolutionalFlat):
        return (given.height, given.width)
    if features.ndim > 4:
        return ()
    return features.shape[1:-1] if _is_last(border) else features.shape[2:]


def _is_last(border: InputInterface) -> bool:
    """Whether features come last."""
    given = getattr(border.input_type, "format", None)
    return border.features_axis == -1 if given is None else str(given).endswith("c")


def _kept(mask: ArrayLike, shape: tuple[int, ...], name: str) -> Kept:
    array = numeric(mask, name)
    if array.shape != shape:
        axes = f"[examples{_PLACES.get(len(shape) - 1, '')}]"
        raise ShapeError(f"{name} must have the shape {axes}: {list(shape)}. Received: {list(array.shape)}", path=name)
    wrong = np.argwhere((array != 0) & (array != 1))
    if len(wrong):
        first = tuple(int(i) for i in wrong[0])
        raise DataError(
            f"{name} must be 1 where something counts and 0 where it does not. Received: {array[first]} at {name}{list(first)}",
            path=name,
        )
    kept: Kept = array != 0
    if not kept.any():
        raise DataError(f"{name} leaves nothing that counts: all of it is 0", path=name)
    return kept


def without_padding(features: Array, kept: Kept, border: InputInterface) -> Array:
    """Features with zeros where nothing counts: whatever stood there (NaN, too) has no effect."""
    return blanked(features, _over_features(features, kept, border))


def rows_kept(features: Array, kept: Kept, border: InputInterface) -> Array:
    """What counts, as rows of features: what a normalizer may be fitted to.

    Raises:
        ConfigError: features that come last, of which a normalizer takes time steps for features, or pixels in rows.
    """
    if _is_last(border) or features.ndim < 3:
        raise ConfigError(
            "a normalizer can be fitted to masked features only where these come before time and pixels (ncw, nchw). "
            "Normalize them before fit",
            path="normalizer",
        )
    return np.moveaxis(features, 1, -1)[kept]


def _over_features(features: Array, kept: Kept, border: InputInterface) -> Kept:
    given = border.input_type
    if isinstance(given, InputTypeConvolutionalFlat):
        return np.repeat(kept[:, None], given.channels, axis=1).reshape(len(kept), -1)
    if blankable(features.shape, kept.shape):
        return kept
    return np.expand_dims(kept, -1 if _is_last(border) and not border.index_shapes else 1)


def features_mask_for_dl4j(kept: Kept, dtype: str) -> Array:
    """[examples, time], or [examples, 1, height, width]."""
    return np.ascontiguousarray(kept if kept.ndim == 2 else kept[:, None], dtype)


def labels_mask_for_dl4j(kept: Kept, border: OutputInterface, dtype: str) -> Array:
    """[examples, 1], [examples, time], [examples, height, width]; volumes with an axis for the classes; or the labels' shape."""
    if kept.ndim == 1:
        kept = kept[:, None]
    elif kept.ndim == 4 and border.places == 3:
        kept = np.expand_dims(kept, border.class_axis)
    return np.ascontiguousarray(kept, dtype)
