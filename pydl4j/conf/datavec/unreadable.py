"""What DataVec writes as JSON and cannot read back: refused here, with what to use in its place."""

from typing import Any, ClassVar

from pydl4j.conf._kernel import Conf
from pydl4j.conf.datavec.conditions import Condition
from pydl4j.conf.datavec.filters import Filter
from pydl4j.conf.datavec.sequence import WindowFunction
from pydl4j.conf.datavec.transforms.base import JAVA, Transform
from pydl4j.errors import GuardError

__all__ = [
    "BooleanColumnCondition",
    "InfiniteColumnCondition",
    "InvalidNumColumns",
    "InvalidValueColumnCondition",
    "NaNColumnCondition",
    "PivotTransform",
    "SequenceDifferenceTransform",
    "TimeWindowFunction",
]


class Unreadable(Conf):
    """A class of DataVec that cannot be used, as executors get a process as JSON and DataVec cannot read this one's."""

    _instead: ClassVar[str] = ""

    def __init__(self, *args: Any, **options: Any) -> None:
        name = type(self).__name__
        raise GuardError(f"{name} cannot be used: DataVec cannot read its JSON. {self._instead}", path=name)


class InvalidNumColumns(Unreadable, Filter, java=JAVA + "filter.InvalidNumColumns"):
    """Refused: check the number of columns where records are read."""

    _instead: ClassVar[str] = "Check the number of columns where the records are read"


class PivotTransform(Unreadable, Transform, java=JAVA + "transform.categorical.PivotTransform"):
    """Refused: use CategoricalToOneHotTransform and a ConditionalCopyValueTransform for each new column."""

    _instead: ClassVar[str] = (
        "Use CategoricalToOneHotTransform, and a ConditionalCopyValueTransform for each of the new columns"
    )


class SequenceDifferenceTransform(Unreadable, Transform, java=JAVA + "transform.sequence.SequenceDifferenceTransform"):
    """Refused: use SequenceOffsetTransform, then subtract the two columns."""

    _instead: ClassVar[str] = "Use SequenceOffsetTransform, then subtract the new column (DoubleColumnsMathOpTransform)"


class NaNColumnCondition(Unreadable, Condition, java=JAVA + "condition.column.NaNColumnCondition"):
    """Refused: use StringRegexColumnCondition with the regex ``NaN``."""

    _instead: ClassVar[str] = "Use StringRegexColumnCondition(regex='NaN')"


class InfiniteColumnCondition(Unreadable, Condition, java=JAVA + "condition.column.InfiniteColumnCondition"):
    """Refused: use StringRegexColumnCondition with the regex ``-?Infinity``."""

    _instead: ClassVar[str] = "Use StringRegexColumnCondition(regex='-?Infinity')"


class InvalidValueColumnCondition(Unreadable, Condition, java=JAVA + "condition.column.InvalidValueColumnCondition"):
    """Refused: use FilterInvalidValues."""

    _instead: ClassVar[str] = "Use FilterInvalidValues(columns_to_filter_if_invalid=[...])"


class BooleanColumnCondition(Unreadable, Condition, java=JAVA + "condition.column.BooleanColumnCondition"):
    """Refused: use StringColumnCondition with the value ``true``."""

    _instead: ClassVar[str] = "Use StringColumnCondition(op='equal', value='true')"


class TimeWindowFunction(Unreadable, WindowFunction, java=JAVA + "sequence.window.TimeWindowFunction"):
    """Refused: use OverlappingTimeWindowFunction, with a separation that is the window's size."""

    _instead: ClassVar[str] = "Use OverlappingTimeWindowFunction with window_separation equal to window_size"
