"""Columns of sequences: how long they are, and what a network makes of them."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydl4j.conf.inputs import InputTypeRecurrent
from pydl4j.data.borders import InputInterface, OutputInterface
from pydl4j.errors import DataError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class SequenceShape:
    """Sequences as a network takes them."""

    size: int
    """Numbers of a time step."""
    length: int | None
    """Time steps, padding included; None for as many as the longest sequence has."""
    time_last: bool
    """Whether an example is [size, time], or else [time, size]."""
    indices: bool = False
    """Whether an example is [time], of indices into an embedding."""

    @classmethod
    def of(cls, border: InputInterface) -> "SequenceShape | None":
        """Those of an input; None where it takes none."""
        given = border.input_type
        if border.index_shapes:
            shape = border.row_shape
            return cls(1, None, time_last=True, indices=True) if shape == (None,) else None
        if not isinstance(given, InputTypeRecurrent):
            return None
        return cls(given.size, given.time_series_length, given.format != "nwc")

    @classmethod
    def of_labels(cls, border: OutputInterface) -> "SequenceShape | None":
        """Those of an output; None where it has no time steps, or does not say how wide it is."""
        last = border.class_axis != -1
        size = border.label_shape[0 if last else -1]
        return cls(size, border.place_shape[0], last) if border.places == 1 and size else None

    @property
    def shape(self) -> tuple[int | None, ...]:
        """Of one example."""
        if self.indices:
            return (self.length,)
        return (self.size, self.length) if self.time_last else (self.length, self.size)

    def to_dict(self, like: Sequence[str]) -> dict[str, Any]:
        """As ``org.pydl4j.spark.frame`` is told of it; ``like`` are columns as long as one of which each sequence has to be."""
        return {"size": self.size, "length": self.length, "time_last": self.time_last, "like": list(like)}


def holds_sequences(frame: "DataFrame", columns: Sequence[str], shape: SequenceShape) -> bool:
    """Whether this is one column of sequences of features: arrays of arrays of numbers or of vectors.

    Where a time step is one number and nobody says how many there are, arrays of numbers are sequences, too.
    """
    from pyspark.sql.types import ArrayType

    if len(columns) != 1:
        return False
    kind = frame.schema[columns[0]].dataType
    step = kind.elementType if isinstance(kind, ArrayType) else None
    if isinstance(step, ArrayType):
        return not isinstance(step.elementType, ArrayType)
    if step is None or step.simpleString() == "vector":
        return step is not None
    return shape.size == 1 and shape.length is None


def longest(frame: "DataFrame", columns: Sequence[str]) -> dict[str, int]:
    """Time steps of the longest sequence of each column, in one pass on the executors, which read nothing but lengths.

    Raises:
        DataError: no rows, or no time steps.
    """
    if not columns:
        return {}
    sizes = [f"size(`{column.replace('`', '``')}`)" for column in columns]
    asked = [f"{what}({size}) as {what}{i}" for i, size in enumerate(sizes) for what in ("max", "sum")]
    found = frame.selectExpr(*asked, "count(1) as n").head()
    if found is None or not found["n"]:
        raise DataError("the DataFrame is empty: expected at least one row", path="data")
    lengths = {column: int(found[f"max{i}"] or 0) for i, column in enumerate(columns)}
    for i, (column, most) in enumerate(lengths.items()):
        if most < 1:
            raise DataError(f"column {column!r} has no sequence with time steps; expected at least one", path=column)
        padding = 100 * (1 - found[f"sum{i}"] / (found["n"] * most))
        _log.info(
            "column %r: sequences of at most %d time steps; %.0f %% of the features are padding", column, most, padding
        )
    return lengths
