"""Columns of sequences: how long they are, and what a network makes of them."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydl4j.conf.inputs import InputTypeRecurrent
from pydl4j.data.borders import InputInterface
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

    @classmethod
    def of(cls, border: InputInterface) -> "SequenceShape | None":
        """Those of an input; None where it takes none, or indices."""
        given = border.input_type
        if not isinstance(given, InputTypeRecurrent) or border.index_shapes:
            return None
        return cls(given.size, given.time_series_length, given.format != "nwc")

    @property
    def shape(self) -> tuple[int | None, int | None]:
        """Of one example."""
        return (self.size, self.length) if self.time_last else (self.length, self.size)

    def to_dict(self, *, mask: bool) -> dict[str, Any]:
        """As ``org.pydl4j.spark.frame`` is told of it, for the features or for their mask."""
        return vars(self) | {"mask": mask}


def holds_sequences(frame: "DataFrame", columns: Sequence[str]) -> bool:
    """Whether this is one column of arrays of time steps, which are arrays of numbers or vectors."""
    from pyspark.sql.types import ArrayType

    if len(columns) != 1:
        return False
    kind = frame.schema[columns[0]].dataType
    step = kind.elementType if isinstance(kind, ArrayType) else None
    if isinstance(step, ArrayType):
        return not isinstance(step.elementType, ArrayType)
    return step is not None and step.simpleString() == "vector"


def longest(frame: "DataFrame", column: str) -> int:
    """Time steps of the longest sequence of a column, in one pass on the executors, which read nothing but lengths.

    Raises:
        DataError: no rows, or no time steps.
    """
    size = f"size(`{column.replace('`', '``')}`)"
    found = frame.selectExpr(f"max({size}) as longest", f"sum({size}) as steps", "count(1) as n").head()
    if found is None or not found["n"]:
        raise DataError("the DataFrame is empty: expected at least one row", path="data")
    most = int(found["longest"])
    if most < 1:
        raise DataError(f"column {column!r} has no sequence with time steps; expected at least one", path=column)
    padding = 1 - found["steps"] / (found["n"] * most)
    _log.info(
        "column %r: sequences of at most %d time steps; %.0f %% of the features are padding",
        column,
        most,
        100 * padding,
    )
    return most
