"""DL4J's normalizers, fitted and applied with numpy.

The feature axis is 1, as in DL4J: statistics are per column of ``[n, features]``, per feature of
``[n, features, time]`` and per channel of ``[n, channels, height, width]``. The statistics, what happens to a feature
that does not vary, and the bytes are those of ``org.nd4j.linalg.dataset.api.preprocessor``, so that a JVM service
transforms as Python does.
"""

import struct
from typing import Any, BinaryIO, Self

import numpy as np
from numpy.typing import ArrayLike

from pydl4j.data.model_zip import read_normalizer, write_normalizer
from pydl4j.data.ndarray_io import take
from pydl4j.data.normalizer import Floats, Normalizer
from pydl4j.data.numbers import check_finite, numbers_array, result_dtype, work_dtype
from pydl4j.data.per_feature import PerFeatureNormalizer
from pydl4j.data.statistics import Bounds, Moments
from pydl4j.errors import ConfigError, DataError

__all__ = [
    "ImagePreProcessingScaler",
    "Normalizer",
    "NormalizerMinMaxScaler",
    "NormalizerStandardize",
    "read_normalizer",
    "write_normalizer",
]

_EPSILON = 1e-5  # Nd4j.EPS_THRESHOLD: the least spread of a feature


class NormalizerStandardize(PerFeatureNormalizer):
    """Give every feature mean 0 and standard deviation 1.

    The deviation is the population's (divided by n). One below 1e-5, as of a feature that does not vary, counts as
    1e-5, as in DL4J: where such a feature does vary later, its normalized values are large.

    Args:
        fit_labels: Normalize the labels as well, for regression; default False.

    Examples:
        >>> NormalizerStandardize().fit_transform([[1.0], [3.0]])
        array([[-1.],
               [ 1.]])
    """

    _type = "STANDARDIZE"

    @property
    def mean(self) -> Floats:
        """Mean per feature, ``[features]``."""
        return self._known(self._features).first

    @property
    def std(self) -> Floats:
        """Standard deviation per feature, at least 1e-5, ``[features]``."""
        return self._known(self._features).second

    def _accumulator(self, features: int) -> Moments:
        return Moments(features)

    def _tidy(self, first: Floats, second: Floats, dtype: np.dtype[Any]) -> tuple[Floats, Floats]:
        return first.astype(dtype), np.maximum(second, _EPSILON).astype(dtype)

    def _spread(self, first: Floats, second: Floats) -> Floats:
        return second


class NormalizerMinMaxScaler(PerFeatureNormalizer):
    """Map every feature's smallest value to ``min_range`` and its largest to ``max_range``.

    A feature that varies by less than 1e-5 counts as varying by that, as in DL4J.

    Args:
        min_range, max_range: The target range; default 0 to 1.
        fit_labels: Normalize the labels as well, for regression; default False.

    Raises:
        ConfigError: ``min_range`` is not less than ``max_range``.

    Examples:
        >>> NormalizerMinMaxScaler(-1, 1).fit_transform([[1.0], [2.0], [3.0]]).ravel()
        array([-1.,  0.,  1.])
    """

    _type = "MIN_MAX"

    def __init__(self, min_range: float = 0.0, max_range: float = 1.0, *, fit_labels: bool = False) -> None:
        super().__init__(fit_labels=fit_labels)
        self.min_range, self.max_range = _range(min_range, max_range)

    @property
    def min(self) -> Floats:
        """Smallest value per feature, ``[features]``."""
        return self._known(self._features).first

    @property
    def max(self) -> Floats:
        """Largest value per feature, ``[features]``; more than the smallest in any case."""
        return self._known(self._features).second

    def _accumulator(self, features: int) -> Bounds:
        return Bounds(features)

    def _tidy(self, first: Floats, second: Floats, dtype: np.dtype[Any]) -> tuple[Floats, Floats]:
        lower, upper = first.astype(dtype), second.astype(dtype)
        # DL4J adds 1e-5 only, which a large float32 swallows: it then divides by zero
        least = np.maximum(lower + dtype.type(_EPSILON), np.nextafter(lower, dtype.type(np.inf)))
        return lower, np.maximum(upper, least)

    def _spread(self, first: Floats, second: Floats) -> Floats:
        return second - first

    def _stretch(self, out: Floats) -> None:
        out *= self.max_range - self.min_range
        out += self.min_range

    def _shrink(self, out: Floats) -> None:
        out -= self.min_range
        out /= self.max_range - self.min_range

    def _write_options(self, stream: BinaryIO) -> None:
        stream.write(struct.pack(">dd", self.min_range, self.max_range))

    @classmethod
    def _read_options(cls, stream: BinaryIO) -> Self:
        return cls(*struct.unpack(">dd", take(stream, 16)))


class ImagePreProcessingScaler(Normalizer):
    """Scale pixels from 0 .. 2**max_bits - 1 to ``min_range`` .. ``max_range``.

    There is nothing to learn, so `fit` may be left out.

    Args:
        min_range, max_range: The target range; default 0 to 1.
        max_bits: Bits per pixel and channel; default 8.

    Raises:
        ConfigError: ``min_range`` is not less than ``max_range``, or ``max_bits`` is not a whole number from 1 to 32.

    Examples:
        >>> ImagePreProcessingScaler().transform(np.array([[0, 51, 255]], np.uint8))
        array([[0. , 0.2, 1. ]], dtype=float32)
    """

    _type = "IMAGE_MIN_MAX"

    def __init__(self, min_range: float = 0.0, max_range: float = 1.0, max_bits: int = 8) -> None:
        self.min_range, self.max_range = _range(min_range, max_range)
        if max_bits not in range(1, 33):
            raise ConfigError(
                f"max_bits: expected a whole number from 1 to 32. Received: {max_bits!r}", path="max_bits"
            )
        self.max_pixel = 2.0**max_bits - 1

    @property
    def is_fitted(self) -> bool:
        """True: there is nothing to learn."""
        return True

    def fit(self, x: ArrayLike, y: ArrayLike | None = None) -> Self:
        """Check that the pixels are within range: nothing is learned, and ``y`` is ignored.

        Raises:
            DataError: A pixel is negative, or larger than ``max_bits`` allows.
        """
        array = numbers_array(x, "x")
        check_finite(array, "x")
        lowest, highest = float(array.min()), float(array.max())
        if lowest < 0 or highest > self.max_pixel:
            expected = f"expected pixels from 0 to {self.max_pixel:g}"
            raise DataError(f"x: {expected}. Received: {lowest:g} to {highest:g}; set max_bits to the bits of a pixel")
        return self

    def transform(self, x: ArrayLike) -> Floats:
        """Scale pixels of any shape; a new array, float32 for integers, else of the dtype of ``x``."""
        array = numbers_array(x, "x")
        out = array.astype(work_dtype(array))
        out /= self.max_pixel
        out *= self.max_range - self.min_range
        out += self.min_range
        return out.astype(result_dtype(array), copy=False)

    def revert(self, x: ArrayLike) -> Floats:
        """Undo `transform`."""
        array = numbers_array(x, "x")
        out = array.astype(work_dtype(array))
        out -= self.min_range
        out /= self.max_range - self.min_range
        out *= self.max_pixel
        return out.astype(result_dtype(array), copy=False)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: 0 .. {self.max_pixel:g} to {self.min_range:g} .. {self.max_range:g}>"

    def _write(self, stream: BinaryIO, dtype: np.dtype[Any] | None) -> None:
        stream.write(struct.pack(">ddd", self.min_range, self.max_range, self.max_pixel))

    @classmethod
    def _read(cls, stream: BinaryIO) -> Self:
        min_range, max_range, max_pixel = struct.unpack(">ddd", take(stream, 24))
        scaler = cls(min_range, max_range)
        scaler.max_pixel = max_pixel
        return scaler


def _range(low: float, high: float) -> tuple[float, float]:
    low, high = float(low), float(high)
    if not low < high or not np.isfinite([low, high]).all():
        raise ConfigError(f"expected finite min_range < max_range. Received: {low:g} and {high:g}", path="max_range")
    return low, high
