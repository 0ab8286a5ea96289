"""What all evaluations have in common: options before, figures after."""

import copy
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from pydl4j.errors import ConfigError, DataError

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]


class Numbers:
    """What the JVM counted, read from front to back."""

    def __init__(self, values: Floats) -> None:
        self._values = values
        self._at = 0

    def floats(self, *shape: int) -> Floats:
        """The next numbers."""
        size = int(np.prod(shape))
        part = self._values[self._at : self._at + size].reshape(shape).copy()
        self._at += size
        part.setflags(write=False)
        return part

    def counts(self, *shape: int) -> Counts:
        """The next numbers, which are whole."""
        part = self.floats(*shape).astype(np.int64)
        part.setflags(write=False)
        return part

    def count(self) -> int:
        """The next number, which is whole."""
        return int(self.floats(1)[0])


@dataclass(frozen=True, eq=False, repr=False)
class IEvaluation:
    """An evaluation: made with options, handed to ``evaluate``, which gives back one of the same options that has figures.

    Its figures are properties; they raise a ``DataError`` where nothing was evaluated.
    """

    labels: Sequence[str] | None = field(default=None, kw_only=True)
    """A name for each class, or column of the output; "0", "1", ... where none are given."""
    _columns: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        if self.labels is None:
            return
        if isinstance(self.labels, str) or not all(isinstance(label, str) for label in self.labels):
            raise ConfigError(f"labels must be a list of names. Received: {self.labels!r}", path="labels")
        object.__setattr__(self, "labels", tuple(self.labels))

    def _options(self) -> dict[str, Any]:
        """What the JVM has to know."""
        return {}

    def _read(self, numbers: Numbers, columns: int) -> dict[str, Any]:
        """Fields for figures, from what the JVM counted of so many columns."""
        raise NotImplementedError

    def _counted(self, numbers: Numbers) -> Self:
        columns = numbers.count()
        if columns == 0:
            raise DataError("there is nothing to evaluate: the masks leave out everything", path="labels_mask")
        return self._with({"_columns": columns, **self._read(numbers, columns)})

    def _with(self, fields: dict[str, Any]) -> Self:
        """The same options, with figures."""
        new = copy.copy(self)
        for name, value in fields.items():
            object.__setattr__(new, name, value)
        if new.labels is not None and len(new.labels) != new.columns:
            raise DataError(
                f"expected {new.columns} labels, one for each class or column. Received: {len(new.labels)}",
                path="labels",
            )
        return new

    @property
    def columns(self) -> int:
        """How many classes, outputs or columns there are figures of; 0 where nothing was evaluated."""
        return self._columns

    @property
    def names(self) -> tuple[str, ...]:
        """A name for each class or column."""
        self._require()
        return tuple(self.labels or (str(i) for i in range(self.columns)))

    def _require(self) -> None:
        if self._columns == 0:
            kind = type(self).__name__
            raise DataError(
                f"this {kind} has no figures yet: expected what evaluate gives back, as in evaluate(x, y, {kind}())"
            )

    def __repr__(self) -> str:
        figures = self._figures() if self._columns else {}
        return f"{type(self).__name__}({', '.join(f'{name}={_short(value)}' for name, value in figures.items())})"

    def _figures(self) -> dict[str, float]:
        """What a line of text says."""
        raise NotImplementedError


def _short(value: float) -> str:
    return str(value) if isinstance(value, int) else f"{value:.4f}"


def share(part: NDArray[Any], whole: NDArray[Any]) -> Floats:
    """A quotient; NaN of nothing."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.true_divide(part, whole), np.float64)


def mean(values: Floats) -> float:
    """Of those that are defined; NaN where none is."""
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if len(defined) else float("nan")


def option(value: Any, *, least: int, name: str) -> None:
    """Refuse what is no int from ``least``."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise ConfigError(f"{name} must be an int >= {least}. Received: {value!r}", path=name)


def fraction(value: Any, *, name: str) -> None:
    """Refuse what is no number from 0 to 1."""
    if isinstance(value, bool) or not isinstance(value, int | float | np.floating) or not 0 <= value <= 1:
        raise ConfigError(f"{name} must be a number from 0 to 1. Received: {value!r}", path=name)


E = TypeVar("E", bound=IEvaluation)
