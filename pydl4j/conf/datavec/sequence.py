"""Sequences out of records and back, their order, splits and windows; ranks."""

from collections.abc import Sequence
from typing import Annotated, ClassVar, Literal

from pydl4j.conf._codecs import AtLeast
from pydl4j.conf._kernel import Conf, guard, refuse
from pydl4j.conf.datavec._values import JavaLong, TimeUnit
from pydl4j.conf.datavec.action import Column, ColumnOf, DataAction, InSchema, TimeColumn, Untyped
from pydl4j.conf.datavec.metadata import (
    ColumnMetaData,
    DoubleMetaData,
    IntegerMetaData,
    LongMetaData,
    TimeMetaData,
)
from pydl4j.conf.datavec.schema import Schema, SequenceSchema

__all__ = [
    "CalculateSortedRank",
    "ConvertFromSequence",
    "ConvertToSequence",
    "DoubleWritableComparator",
    "FloatWritableComparator",
    "IntWritableComparator",
    "LongWritableComparator",
    "NumericalColumnComparator",
    "OverlappingTimeWindowFunction",
    "SequenceComparator",
    "SequenceSplit",
    "SequenceSplitTimeSeparation",
    "SplitMaxLengthSequence",
    "StringComparator",
    "TextWritableComparator",
    "WindowFunction",
    "WritableComparator",
]

_JAVA = "org.datavec.api.transform.sequence."
_COMPARATOR = "org.datavec.api.writable.comparator."


class SequenceComparator(InSchema):
    """The order of the time steps of a sequence."""


class NumericalColumnComparator(
    SequenceComparator, java=_JAVA + "comparator.NumericalColumnComparator", absent={"ascending": False}
):
    """By the numbers or times in a column. DataVec refuses columns of type Float."""

    column_name: Annotated[str, ColumnOf(IntegerMetaData, LongMetaData, DoubleMetaData, TimeMetaData)]
    ascending: bool = True


class StringComparator(SequenceComparator, java=_JAVA + "comparator.StringComparator"):
    """By the texts in a column."""

    column_name: Column


class ConvertToSequence(
    DataAction, Untyped, java=_JAVA + "ConvertToSequence", first=("comparator", "singleStepSequencesMode")
):
    """Records of equal ``key_columns`` into one sequence, in the order of ``comparator``; or each record into one of its own."""

    _omit_null: ClassVar[bool] = False

    key_columns: Sequence[Column] | None = None
    comparator: SequenceComparator | None = None
    single_step_sequences_mode: bool = False
    """Every record becomes a sequence of its own; without keys and comparator."""

    def validate(self, path: str) -> None:
        for name in ("key_columns", "comparator"):
            given = getattr(self, name)
            if self.single_step_sequences_mode and given is not None:
                raise refuse(f"{path}.{name}", "must not be given with single_step_sequences_mode=True", given)
            if not self.single_step_sequences_mode and not given:
                raise refuse(f"{path}.{name}", "must be given, unless single_step_sequences_mode=True", given)

    def check(self, schema: Schema, path: str) -> None:
        if isinstance(schema, SequenceSchema):
            raise refuse(path, "(ConvertToSequence) must come after single records", "sequences")
        super().check(schema, path)

    def wrap(self, schema: Schema, columns: Sequence[ColumnMetaData]) -> Schema:
        return SequenceSchema(columns=columns)


class ConvertFromSequence(DataAction, Untyped, java=_JAVA + "ConvertFromSequence"):
    """The time steps of sequences into records."""

    _on_sequences: ClassVar[bool] = True

    def wrap(self, schema: Schema, columns: Sequence[ColumnMetaData]) -> Schema:
        return Schema(columns=columns)


class SequenceSplit(DataAction):
    """A step that splits sequences into shorter ones."""

    _on_sequences: ClassVar[bool] = True


class SequenceSplitTimeSeparation(SequenceSplit, java=_JAVA + "split.SequenceSplitTimeSeparation"):
    """Splits where more than a time lies between two steps."""

    time_column: TimeColumn
    time_quantity: JavaLong
    time_unit: TimeUnit


class SplitMaxLengthSequence(SequenceSplit, java=_JAVA + "split.SplitMaxLengthSequence"):
    """Splits what is longer than ``max_sequence_length``, into parts of equal length or full parts and a rest."""

    max_sequence_length: Annotated[int, AtLeast(1)]
    equal_splits: bool


class WindowFunction(InSchema):
    """Windows of the time steps of a sequence."""

    _on_sequences: ClassVar[bool] = True

    def output(self, schema: Schema) -> Sequence[ColumnMetaData]:
        """The columns of a window, for a schema that was checked."""
        raise NotImplementedError


class OverlappingTimeWindowFunction(
    WindowFunction,
    java=_JAVA + "window.OverlappingTimeWindowFunction",
    first=(
        "addWindowEndTimeColumn", "addWindowStartTimeColumn", "excludeEmptyWindows", "offsetUnit", "timeColumn",
        "windowSeparation", "windowSeparationUnit", "windowSize", "windowSizeUnit",
    ),
):  # fmt: skip
    """Windows of a length in time that start at regular times; they overlap, or leave gaps, where size and separation differ.

    DataVec forgets an offset when it reads one back, so ``offset_amount`` other than 0 is refused.
    """

    time_column: TimeColumn
    window_size: JavaLong
    window_size_unit: TimeUnit
    window_separation: JavaLong
    window_separation_unit: TimeUnit
    offset_amount: JavaLong = 0
    offset_unit: TimeUnit | None = None
    add_window_start_time_column: bool = False
    """Add the time column ``windowStartTime``."""
    add_window_end_time_column: bool = False
    """Add the time column ``windowEndTime``."""
    exclude_empty_windows: bool = False

    def validate(self, path: str) -> None:
        for name in ("window_size", "window_separation"):
            if getattr(self, name) < 1:
                raise refuse(f"{path}.{name}", "must be >= 1", getattr(self, name))
        if self.offset_amount:
            raise guard(
                f"{path}.offset_amount",
                "must be 0, as DataVec forgets it when it reads the process: add it to the times (TimeMathOpTransform)",
                self.offset_amount,
            )

    def output(self, schema: Schema) -> Sequence[ColumnMetaData]:
        start = [TimeMetaData(name="windowStartTime")] * self.add_window_start_time_column
        end = [TimeMetaData(name="windowEndTime")] * self.add_window_end_time_column
        return (*schema.columns, *start, *end)


ComparatorName = Literal["double", "float", "int", "long", "text"]


class WritableComparator(Conf):
    """The order of constants of a type."""


class DoubleWritableComparator(WritableComparator, java=_COMPARATOR + "DoubleWritableComparator", alias="double"):
    """By number, in columns of type Double."""


class FloatWritableComparator(WritableComparator, java=_COMPARATOR + "FloatWritableComparator", alias="float"):
    """By number, in columns of type Float."""


class IntWritableComparator(WritableComparator, java=_COMPARATOR + "IntWritableComparator", alias="int"):
    """By number, in columns of type Integer."""


class LongWritableComparator(WritableComparator, java=_COMPARATOR + "LongWritableComparator", alias="long"):
    """By number, in columns of type Long or Time."""


class TextWritableComparator(WritableComparator, java=_COMPARATOR + "TextWritableComparator", alias="text"):
    """By text, in columns of type String or Categorical."""


class CalculateSortedRank(
    DataAction, java="org.datavec.api.transform.rank.CalculateSortedRank", absent={"ascending": False}
):
    """A new column of type Long: the place of the record, from 0, when all are sorted by a column."""

    new_column_name: str
    sort_on_column: Column
    comparator: WritableComparator | ComparatorName
    ascending: bool = True

    def check(self, schema: Schema, path: str) -> None:
        if isinstance(schema, SequenceSchema):
            raise refuse(path, "(CalculateSortedRank) must come after single records", "sequences")
        super().check(schema, path)

    def output(self, schema: Schema) -> Sequence[ColumnMetaData]:
        return (*schema.columns, LongMetaData(name=self.new_column_name, min_allowed_value=0))
