"""What DL4J's normalizers have in common: their verbs and their bytes."""

import io
import struct
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from pydl4j.data.ndarray_io import read_utf, take, write_utf
from pydl4j.errors import ModelFileError

__all__ = ["Array", "Floats", "Normalizer", "fitting"]

_HEADER = "NORMALIZER"
_VERSION = 1

Array = NDArray[Any]
Floats = NDArray[np.floating[Any]]


class Normalizer(ABC):
    """What every normalizer does; `from_bytes` and ``load`` of a network give the right kind back."""

    _type: ClassVar[str]
    _kinds: ClassVar[dict[str, type["Normalizer"]]] = {}

    def __init_subclass__(cls) -> None:
        if "_type" in cls.__dict__:
            Normalizer._kinds[cls._type] = cls

    @property
    @abstractmethod
    def is_fitted(self) -> bool:
        """Whether `transform` can be called."""

    @abstractmethod
    def fit(self, x: ArrayLike, y: ArrayLike | None = None) -> Self:
        """Learn the statistics of ``x``, and of the labels ``y`` where labels are normalized; forgets earlier ones."""

    @abstractmethod
    def transform(self, x: ArrayLike) -> Floats:
        """Normalize features; a new array of the same shape, float32 for integers, else of the dtype of ``x``."""

    @abstractmethod
    def revert(self, x: ArrayLike) -> Floats:
        """Undo `transform`."""

    def transform_labels(self, y: ArrayLike) -> Array:
        """Normalize labels; without ``fit_labels`` they are returned as they are."""
        return np.asarray(y)

    def revert_labels(self, y: ArrayLike) -> Array:
        """Undo `transform_labels`, for labels or for the network's output."""
        return np.asarray(y)

    def fit_transform(self, x: ArrayLike, y: ArrayLike | None = None) -> Floats:
        """``fit(x, y)``, then ``transform(x)``."""
        return self.fit(x, y).transform(x)

    def to_bytes(self, dtype: DTypeLike | None = None) -> bytes:
        """Serialize as DL4J's ``NormalizerSerializer`` does (``normalizer.bin`` of a model file).

        Args:
            dtype: float32 or float64, the type to write statistics in; default float64 where they were fitted on that,
                else float32. In Java, ``revertFeatures`` and ``revertLabels`` work only on arrays of this type.

        Raises:
            DataError: The normalizer was not fitted.
        """
        stream = io.BytesIO()
        write_utf(_HEADER, stream)
        stream.write(struct.pack(">i", _VERSION))
        write_utf(self._type, stream)
        self._write(stream, None if dtype is None else np.dtype(dtype))
        return stream.getvalue()

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Read what `to_bytes` or DL4J's ``NormalizerSerializer`` wrote.

        Raises:
            ModelFileError: The bytes are truncated, no normalizer, or one of another class than this.
        """
        stream = io.BytesIO(data)
        header = read_utf(stream)
        if header != _HEADER:
            raise ModelFileError(
                f"not a normalizer of DL4J: expected the header {_HEADER!r}. Received: {header[:40]!r}"
            )
        (version,) = struct.unpack(">i", take(stream, 4))
        if version != _VERSION:
            raise ModelFileError(f"a normalizer of format version {version}; expected {_VERSION}")
        kind = read_utf(stream)
        normalizer = Normalizer._kinds.get(kind)
        if normalizer is None:
            raise ModelFileError(f"a normalizer of type {kind}; expected one of {', '.join(Normalizer._kinds)}")
        if not issubclass(normalizer, cls):
            raise ModelFileError(
                f"expected a {cls.__name__}. Received: a {normalizer.__name__}; read it with Normalizer.from_bytes"
            )
        return normalizer._read(stream)  # noqa: SLF001 (a subclass of this class)

    @abstractmethod
    def _write(self, stream: BinaryIO, dtype: np.dtype[Any] | None) -> None: ...

    @classmethod
    @abstractmethod
    def _read(cls, stream: BinaryIO) -> Self: ...


@contextmanager
def fitting(normalizer: Normalizer | None, x: Callable[[], ArrayLike]) -> Iterator[None]:
    """Fits a normalizer that is not fitted yet to what ``x`` gives; what is raised in the block leaves it as it was."""
    if normalizer is None or normalizer.is_fitted:
        yield
        return
    before = vars(normalizer).copy()
    try:
        normalizer.fit(x())
        yield
    except BaseException:
        vars(normalizer).update(before)
        raise
