"""Conditions on a record or sequence, for filters and conditional transforms; ``&``, ``|``, ``^`` and ``~`` combine them."""

from collections.abc import Collection, Sequence
from typing import Annotated, Any, ClassVar, Literal

from pydl4j.conf._codecs import JavaNames
from pydl4j.conf._kernel import refuse
from pydl4j.conf.datavec._values import (
    DOUBLE_SET,
    FLOAT_SET,
    INT_SET,
    LONG_SET,
    TEXT_SET,
    JavaDouble,
    JavaFloat,
    JavaInt,
    JavaLong,
)
from pydl4j.conf.datavec.action import Column, InSchema
from pydl4j.conf.datavec.schema import Schema

__all__ = [
    "BooleanCondition",
    "CategoricalColumnCondition",
    "Condition",
    "DoubleColumnCondition",
    "FloatColumnCondition",
    "IntegerColumnCondition",
    "LongColumnCondition",
    "NullWritableColumnCondition",
    "SequenceLengthCondition",
    "StringColumnCondition",
    "StringRegexColumnCondition",
    "TimeColumnCondition",
    "TrivialColumnCondition",
]

_JAVA = "org.datavec.api.transform.condition."

ConditionOp = Annotated[
    Literal[
        "less_than", "less_or_equal", "greater_than", "greater_or_equal", "equal", "not_equal", "in_set", "not_in_set"
    ],
    JavaNames(
        "LessThan", "LessOrEqual", "GreaterThan", "GreaterOrEqual", "Equal", "NotEqual", "InSet", "NotInSet"
    ),
]  # fmt: skip
_SET_OPS = ("in_set", "not_in_set")


class Condition(InSchema):
    """A condition that a record meets or not."""

    def __and__(self, other: "Condition") -> "BooleanCondition":
        return BooleanCondition(type="and", conditions=[self, other])

    def __or__(self, other: "Condition") -> "BooleanCondition":
        return BooleanCondition(type="or", conditions=[self, other])

    def __xor__(self, other: "Condition") -> "BooleanCondition":
        return BooleanCondition(type="xor", conditions=[self, other])

    def __invert__(self) -> "BooleanCondition":
        return BooleanCondition(type="not", conditions=[self])


class BooleanCondition(Condition, java=_JAVA + "BooleanCondition"):
    """Conditions combined: all of them, one of them at least, not the one, or exactly one of two.

    >>> from pydl4j.datavec import IntegerColumnCondition, NullWritableColumnCondition
    >>> low = IntegerColumnCondition(column_name="n", op="less_than", value=0)
    >>> (low | NullWritableColumnCondition(column_name="n")).type
    'or'
    """

    type: Literal["and", "or", "not", "xor"]
    conditions: Sequence[Condition]

    def validate(self, path: str) -> None:
        wanted = {"not": 1, "xor": 2}.get(self.type)
        if wanted is not None and len(self.conditions) != wanted:
            raise refuse(
                f"{path}.conditions",
                f"must have {wanted} condition{'s' * (wanted > 1)} with type={self.type!r}",
                self.conditions,
            )
        if not self.conditions:
            raise refuse(f"{path}.conditions", "must have a condition", self.conditions)


class _Compared(Condition):
    """A value of a column compared with another, or looked for in a set."""

    _ordered: ClassVar[bool] = True
    _value: ClassVar[str] = "value"

    column_name: Column
    op: ConditionOp

    def validate(self, path: str) -> None:
        check_operands(self, self.op, path, self._value, ordered=self._ordered)


def check_operands(condition: Any, op: str, path: str, value: str, *, ordered: bool = True) -> None:
    """Refuse a set where a value is compared, a value where a set is searched, and an order of what has none."""
    given, missing = (value, "set") if op not in _SET_OPS else ("set", value)
    if getattr(condition, given) is None:
        raise refuse(f"{path}.{given}", f"must be given with op={op!r}", None)
    if getattr(condition, missing) is not None:
        raise refuse(f"{path}.{missing}", f"must not be given with op={op!r}", getattr(condition, missing))
    if not ordered and op not in {"equal", "not_equal", *_SET_OPS}:
        raise refuse(f"{path}.op", "must be 'equal', 'not_equal', 'in_set' or 'not_in_set' for texts", op)


class DoubleColumnCondition(_Compared, java=_JAVA + "column.DoubleColumnCondition"):
    """A number of 64 bits compared with ``value``, or looked for in ``set``."""

    value: JavaDouble | None = None
    set: Annotated[Collection[float], DOUBLE_SET] | None = None


class FloatColumnCondition(_Compared, java=_JAVA + "column.FloatColumnCondition"):
    """A number of 32 bits compared with ``value``, or looked for in ``set``."""

    value: JavaFloat | None = None
    set: Annotated[Collection[float], FLOAT_SET] | None = None


class IntegerColumnCondition(_Compared, java=_JAVA + "column.IntegerColumnCondition"):
    """An int of 32 bits compared with ``value``, or looked for in ``set``."""

    value: JavaInt | None = None
    set: Annotated[Collection[int], INT_SET] | None = None


class LongColumnCondition(_Compared, java=_JAVA + "column.LongColumnCondition"):
    """An int of 64 bits compared with ``value``, or looked for in ``set``."""

    value: JavaLong | None = None
    set: Annotated[Collection[int], LONG_SET] | None = None


class TimeColumnCondition(_Compared, java=_JAVA + "column.TimeColumnCondition"):
    """A time compared with ``value``, milliseconds since 1970, or looked for in ``set``."""

    value: JavaLong | None = None
    set: Annotated[Collection[int], LONG_SET] | None = None


class StringColumnCondition(_Compared, java=_JAVA + "column.StringColumnCondition"):
    """A text that is or is not ``value``, or one of ``set``."""

    _ordered: ClassVar[bool] = False

    value: str | None = None
    set: Annotated[Collection[str], TEXT_SET] | None = None


class CategoricalColumnCondition(_Compared, java=_JAVA + "column.CategoricalColumnCondition"):
    """A category that is or is not ``value``, or one of ``set``."""

    _ordered: ClassVar[bool] = False

    value: str | None = None
    set: Annotated[Collection[str], TEXT_SET] | None = None


class NullWritableColumnCondition(Condition, java=_JAVA + "column.NullWritableColumnCondition"):
    """The column has no value (a NullWritable)."""

    column_name: Column


class StringRegexColumnCondition(Condition, java=_JAVA + "string.StringRegexColumnCondition"):
    """The whole text of the column matches the Java ``regex``."""

    column_name: Column
    regex: str


class TrivialColumnCondition(Condition, java=_JAVA + "column.TrivialColumnCondition"):
    """Always met."""

    _echoed: ClassVar[Sequence[str]] = ("columnIdx", "sequenceMode")

    column_name: Column

    def echo(self, schema: Schema) -> dict[str, Any]:
        return {"columnIdx": schema.column_names.index(self.column_name), "sequenceMode": "Or"}


class SequenceLengthCondition(Condition, java=_JAVA + "sequence.SequenceLengthCondition"):
    """The number of time steps of a sequence compared with ``length``, or looked for in ``set``."""

    _on_sequences: ClassVar[bool] = True

    op: ConditionOp
    length: JavaInt | None = None
    set: Annotated[Collection[int], INT_SET] | None = None

    def validate(self, path: str) -> None:
        check_operands(self, self.op, path, "length")
