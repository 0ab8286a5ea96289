"""Transforms of sequences."""

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal

from pydl4j.conf._codecs import AtLeast, JavaNames
from pydl4j.conf._kernel import guard, refuse
from pydl4j.conf.datavec._values import JavaInt, ReduceOp
from pydl4j.conf.datavec.action import Column
from pydl4j.conf.datavec.metadata import ColumnMetaData, DoubleMetaData, IntegerMetaData
from pydl4j.conf.datavec.reducer import Reducer
from pydl4j.conf.datavec.schema import Schema, SequenceSchema
from pydl4j.conf.datavec.sequence import WindowFunction
from pydl4j.conf.datavec.transforms.base import JAVA, Transform
from pydl4j.conf.datavec.writables import Constant

__all__ = [
    "ReduceSequenceByWindowTransform",
    "ReduceSequenceTransform",
    "SequenceMovingWindowReduceTransform",
    "SequenceOffsetTransform",
    "SequenceTrimToLengthTransform",
    "SequenceTrimTransform",
]

_JAVA = JAVA + "transform.sequence."


class SequenceTransform(Transform):
    """A transform of whole sequences; DataVec fails on single records when it runs."""

    _on_sequences: ClassVar[bool] = True


class SequenceOffsetTransform(SequenceTransform, java=_JAVA + "SequenceOffsetTransform"):
    """Adds columns with the values of ``offset_amount`` steps before (or, negative, after), named like ``sequenceOffset(1,v)``.

    DataVec can put them in the place of the columns themselves, but then loses these from its schema; so that is refused.
    """

    columns_to_offset: Sequence[Column]
    offset_amount: JavaInt
    operation_type: Annotated[Literal["in_place", "new_column"], JavaNames("InPlace", "NewColumn")] = "new_column"
    edge_handling: Annotated[
        Literal["trim_sequence", "specified_value"], JavaNames("TrimSequence", "SpecifiedValue")
    ] = "trim_sequence"
    """What happens where there is no such step: it is removed, or gets ``edge_case_value``."""
    edge_case_value: Constant | None = None

    def validate(self, path: str) -> None:
        if self.operation_type == "in_place":
            must = "must be 'new_column': in place, DataVec's schema loses the columns (RemoveColumnsTransform removes the old)"
            raise guard(f"{path}.operation_type", must, self.operation_type)
        check_edge(self, self.edge_handling, path)

    def output(self, schema: Schema) -> Sequence[ColumnMetaData]:
        columns = []
        for column in schema.columns:
            columns.append(column)
            if column.name in self.columns_to_offset:
                columns.append(column.replace(name=f"sequenceOffset({self.offset_amount},{column.name})"))
        return columns


def check_edge(transform: Any, handling: str, path: str) -> None:
    """Refuse a value for the edge that is not used, and the lack of one that is."""
    given = transform.edge_case_value
    if (given is not None) != (handling == "specified_value"):
        must = "must be given with" if given is None else "is used only with"
        raise refuse(f"{path}.edge_case_value", f"{must} 'specified_value'", given)


class SequenceMovingWindowReduceTransform(SequenceTransform, java=_JAVA + "SequenceMovingWindowReduceTransform"):
    """Adds a column with an op on the last ``lookback`` values of another."""

    _computed: ClassVar[Mapping[str, Callable[[Any], Any]]] = {
        "new_column_name": lambda self: f"{self.op.replace('_', '')}({self.lookback},{self.column_name})"
    }

    column_name: Column
    lookback: Annotated[int, AtLeast(1)]
    op: ReduceOp
    new_column_name: str | None = None
    """Name of the new column; ``None`` for one like ``mean(3,v)``."""
    edge_case_handling: Annotated[Literal["default", "specified_value"], JavaNames("Default", "SpecifiedValue")] = (
        "default"
    )
    """What happens in the first steps: the op is on fewer values, or the step gets ``edge_case_value``."""
    edge_case_value: Constant | None = None

    def validate(self, path: str) -> None:
        if self.op not in _WINDOW_OPS:
            raise refuse(f"{path}.op", f"must be one of {', '.join(map(repr, _WINDOW_OPS))} for windows", self.op)
        check_edge(self, self.edge_case_handling, path)

    def output(self, schema: Schema) -> Sequence[ColumnMetaData]:
        made = _WINDOW_OPS[self.op]
        name = self.effective("new_column_name")
        return (*schema.columns, made(name=name) if made else schema[self.column_name].replace(name=name))

    def wrap(self, schema: Schema, columns: Sequence[ColumnMetaData]) -> Schema:
        return SequenceSchema(columns=columns)


_WINDOW_OPS: dict[str, type[ColumnMetaData] | None] = {
    **dict.fromkeys(("min", "max", "range", "take_first", "take_last")),
    **dict.fromkeys(("prod", "sum", "mean", "stdev"), DoubleMetaData),
    **dict.fromkeys(("count", "count_unique"), IntegerMetaData),
}
"""Types of the columns that ops make; ``None`` for the type of their input."""


class SequenceTrimTransform(SequenceTransform, java=JAVA + "sequence.trim.SequenceTrimTransform"):
    """Removes time steps from the start or the end."""

    num_steps_to_trim: JavaInt
    trim_from_start: bool


class SequenceTrimToLengthTransform(SequenceTransform, java=JAVA + "sequence.trim.SequenceTrimToLengthTransform"):
    """Removes what is beyond ``max_length`` steps, and may pad shorter sequences to this length."""

    max_length: Annotated[int, AtLeast(1)]
    mode: Literal["trim", "trim_or_pad"] = "trim"
    pad: Sequence[Constant] | None = None
    """A step of padding: a constant for each column."""

    def validate(self, path: str) -> None:
        if self.mode == "trim_or_pad" and self.pad is None:
            raise refuse(f"{path}.pad", "must be given with mode='trim_or_pad'", None)


class ReduceSequenceTransform(SequenceTransform, java=JAVA + "sequence.ReduceSequenceTransform"):
    """Reduces each sequence to one step."""

    reducer: Reducer

    def output(self, schema: Schema) -> Sequence[ColumnMetaData]:
        return self.reducer.output(schema)

    def wrap(self, schema: Schema, columns: Sequence[ColumnMetaData]) -> Schema:
        return SequenceSchema(columns=columns)


class ReduceSequenceByWindowTransform(SequenceTransform, java=JAVA + "sequence.window.ReduceSequenceByWindowTransform"):
    """Reduces each window of a sequence to one step."""

    reducer: Reducer
    window_function: WindowFunction

    def check(self, schema: Schema, path: str) -> None:
        self.window_function.check(schema, f"{path}.window_function")
        self.reducer.check(self._window(schema), f"{path}.reducer")

    def _window(self, schema: Schema) -> Schema:
        return schema.with_columns(self.window_function.output(schema))

    def output(self, schema: Schema) -> Sequence[ColumnMetaData]:
        return self.reducer.output(self._window(schema))

    def wrap(self, schema: Schema, columns: Sequence[ColumnMetaData]) -> Schema:
        return SequenceSchema(columns=columns)
