"""Transforms of columns of numbers."""

import math
from collections.abc import Sequence
from typing import Any, ClassVar

from pydl4j.conf._kernel import refuse
from pydl4j.conf.datavec._arithmetic import calculate
from pydl4j.conf.datavec._values import JavaDouble, JavaFloat, JavaInt, JavaLong, MathFunction, MathOp
from pydl4j.conf.datavec.action import Column, DoubleColumn, FloatColumn, IntegerColumn, LongColumn
from pydl4j.conf.datavec.metadata import (
    ColumnMetaData,
    DoubleMetaData,
    FloatMetaData,
    IntegerMetaData,
    LongMetaData,
    StringMetaData,
)
from pydl4j.conf.datavec.schema import Schema
from pydl4j.conf.datavec.transforms.base import JAVA, ColumnTransform, Transform, replaced

__all__ = [
    "ConvertToDouble",
    "ConvertToFloat",
    "ConvertToInteger",
    "DoubleColumnsMathOpTransform",
    "DoubleMathFunctionTransform",
    "DoubleMathOpTransform",
    "FloatColumnsMathOpTransform",
    "FloatMathFunctionTransform",
    "FloatMathOpTransform",
    "IntegerColumnsMathOpTransform",
    "IntegerMathOpTransform",
    "IntegerToOneHotTransform",
    "Log2Normalizer",
    "LongColumnsMathOpTransform",
    "LongMathOpTransform",
    "MinMaxNormalizer",
    "ParseDoubleTransform",
    "ReplaceEmptyIntegerWithValueTransform",
    "ReplaceInvalidWithIntegerTransform",
    "StandardizeNormalizer",
    "SubtractMeanNormalizer",
]

_INTEGER = JAVA + "transform.integer."
_LONG = JAVA + "transform.longtransform."
_FLOAT = JAVA + "transform.floattransform."
_DOUBLE = JAVA + "transform.doubletransform."


class _MathOp(ColumnTransform):
    """Calculates with each value and a ``scalar``; the column's bounds are calculated with as well."""

    _kind: ClassVar[str]

    math_op: MathOp

    def validate(self, path: str) -> None:
        whole = self._kind in {"integer", "long"}
        if whole and self.math_op in {"divide", "modulus"} and self._scalar() == 0:
            raise refuse(f"{path}.scalar", f"must not be 0 with math_op={self.math_op!r}", 0)

    def _scalar(self) -> Any:
        return self.scalar  # type: ignore[attr-defined]

    def check(self, schema: Schema, path: str) -> None:
        super().check(schema, path)
        try:
            self.column(schema[self.column_name])
        except ZeroDivisionError:
            raise refuse(
                f"{path}.math_op", "must not divide by a bound of the column, which is 0", self.math_op
            ) from None

    def column(self, column: Any) -> ColumnMetaData:
        bounds = [
            None if bound is None else calculate(self.math_op, bound, self._scalar(), self._kind)
            for bound in (column.min_allowed_value, column.max_allowed_value)
        ]
        low, high = bounds
        if low is not None and high is not None and low > high:
            low, high = high, low
        kind: type[ColumnMetaData] = type(column)
        return kind(name=column.name, min_allowed_value=low, max_allowed_value=high)  # type: ignore[call-arg]


class IntegerMathOpTransform(_MathOp, java=_INTEGER + "IntegerMathOpTransform"):
    """Calculates with each int of 32 bits and ``scalar``."""

    _kind: ClassVar[str] = "integer"

    column_name: IntegerColumn
    scalar: JavaInt


class LongMathOpTransform(_MathOp, java=_LONG + "LongMathOpTransform"):
    """Calculates with each int of 64 bits and ``scalar``."""

    _kind: ClassVar[str] = "long"

    column_name: LongColumn
    scalar: JavaLong


class FloatMathOpTransform(_MathOp, java=_FLOAT + "FloatMathOpTransform"):
    """Calculates with each number of 32 bits and ``scalar``."""

    _kind: ClassVar[str] = "float"

    column_name: FloatColumn
    scalar: JavaFloat


class DoubleMathOpTransform(_MathOp, java=_DOUBLE + "DoubleMathOpTransform"):
    """Calculates with each number of 64 bits and ``scalar``."""

    _kind: ClassVar[str] = "double"

    column_name: DoubleColumn
    scalar: JavaDouble


class ColumnsMathOp(Transform):
    """Adds a column that is calculated from others."""

    new_column_name: str
    math_op: MathOp
    columns: Sequence[Column]
    """Two columns, or more for ``add`` and ``multiply``."""

    def validate(self, path: str) -> None:
        if self.math_op not in {"add", "subtract", "multiply", "divide", "modulus"}:
            known = "'add', 'subtract', 'multiply', 'divide' or 'modulus'"
            raise refuse(f"{path}.math_op", f"must be {known} between columns", self.math_op)
        n = len(self.columns)
        if n < 2 or (n > 2 and self.math_op not in {"add", "multiply"}):
            more = " or more" if self.math_op in {"add", "multiply"} else ""
            raise refuse(f"{path}.columns", f"must be 2{more} with math_op={self.math_op!r}", self.columns)

    def new_column(self, schema: Schema) -> ColumnMetaData:
        """The column that is added."""
        raise NotImplementedError

    def output(self, schema: Schema) -> Sequence[ColumnMetaData]:
        return (*schema.columns, self.new_column(schema))


class IntegerColumnsMathOpTransform(ColumnsMathOp, java=_INTEGER + "IntegerColumnsMathOpTransform"):
    """Adds a column of type Integer that is calculated from others."""

    def new_column(self, schema: Schema) -> ColumnMetaData:
        return IntegerMetaData(name=self.new_column_name)


class LongColumnsMathOpTransform(ColumnsMathOp, java=_LONG + "LongColumnsMathOpTransform"):
    """Adds a column of type Long that is calculated from others."""

    def new_column(self, schema: Schema) -> ColumnMetaData:
        return LongMetaData(name=self.new_column_name)


class FloatColumnsMathOpTransform(ColumnsMathOp, java=_FLOAT + "FloatColumnsMathOpTransform"):
    """Adds a column of type Float that is calculated from others."""

    def new_column(self, schema: Schema) -> ColumnMetaData:
        return FloatMetaData(name=self.new_column_name)


class DoubleColumnsMathOpTransform(ColumnsMathOp, java=_DOUBLE + "DoubleColumnsMathOpTransform"):
    """Adds a column of type Double that is calculated from others."""

    def new_column(self, schema: Schema) -> ColumnMetaData:
        return DoubleMetaData(name=self.new_column_name)


class _ToDouble(ColumnTransform):
    """Makes a column of type Double; one that is of this type keeps its bounds."""

    def column(self, column: Any) -> ColumnMetaData:
        return column if isinstance(column, DoubleMetaData) else DoubleMetaData(name=column.name)


class FloatMathFunctionTransform(ColumnTransform, java=_FLOAT + "FloatMathFunctionTransform"):
    """A function of each number; the column becomes one of type Float, and keeps its bounds if it is one."""

    math_function: MathFunction

    def column(self, column: Any) -> ColumnMetaData:
        return column if isinstance(column, FloatMetaData) else FloatMetaData(name=column.name)


class DoubleMathFunctionTransform(_ToDouble, java=_DOUBLE + "DoubleMathFunctionTransform"):
    """A function of each number; the column becomes one of type Double, and keeps its bounds if it is one."""

    math_function: MathFunction


class ConvertToInteger(ColumnTransform, java=_INTEGER + "ConvertToInteger"):
    """A column of any type to ints of 32 bits."""

    def column(self, column: Any) -> ColumnMetaData:
        return IntegerMetaData(name=column.name)


class ConvertToFloat(ColumnTransform, java=_FLOAT + "ConvertToFloat"):
    """A column of any type to numbers of 32 bits."""

    def column(self, column: Any) -> ColumnMetaData:
        return FloatMetaData(name=column.name)


class ConvertToDouble(ColumnTransform, java=_DOUBLE + "ConvertToDouble"):
    """A column of any type to numbers of 64 bits."""

    def column(self, column: Any) -> ColumnMetaData:
        return DoubleMetaData(name=column.name)


class IntegerToOneHotTransform(Transform, java=_INTEGER + "IntegerToOneHotTransform"):
    """A column of ints to one for each of them, from ``min_value`` to ``max_value``, named like ``n[3]``: 1 or 0."""

    column_name: IntegerColumn
    min_value: JavaInt
    max_value: JavaInt

    def validate(self, path: str) -> None:
        if self.min_value > self.max_value:
            raise refuse(f"{path}.max_value", f"must be >= min_value, which is {self.min_value}", self.max_value)

    def output(self, schema: Schema) -> Sequence[ColumnMetaData]:
        values = range(self.min_value, self.max_value + 1)
        return replaced(schema, self.column_name, lambda _: one_hot(self.column_name, values))


def one_hot(name: str, values: Any) -> list[ColumnMetaData]:
    """A column for each value, that is 1 or 0."""
    return [IntegerMetaData(name=f"{name}[{value}]", min_allowed_value=0, max_allowed_value=1) for value in values]


class _ReplaceInteger(ColumnTransform):
    """Puts ``value`` in the place of some ints."""

    value: JavaInt

    def column(self, column: Any) -> ColumnMetaData:
        return column  # type: ignore[no-any-return]


class ReplaceEmptyIntegerWithValueTransform(_ReplaceInteger, java=_INTEGER + "ReplaceEmptyIntegerWithValueTransform"):
    """Puts ``value`` in the place of empty ones."""


class ReplaceInvalidWithIntegerTransform(_ReplaceInteger, java=_INTEGER + "ReplaceInvalidWithIntegerTransform"):
    """Puts ``value`` in the place of those that the column's metadata does not allow."""


class Log2Normalizer(ColumnTransform, java=_DOUBLE + "Log2Normalizer"):
    """``scaling_factor * log2((x - column_min) / (column_mean - column_min) + 1)``; the result is of type Double, from 0."""

    column_mean: float
    column_min: float
    scaling_factor: float

    def validate(self, path: str) -> None:
        if not math.isfinite(self.column_mean):
            raise refuse(f"{path}.column_mean", "must be finite", self.column_mean)

    def column(self, column: Any) -> ColumnMetaData:
        return DoubleMetaData(name=column.name, min_allowed_value=0.0)


class MinMaxNormalizer(ColumnTransform, java=_DOUBLE + "MinMaxNormalizer", absent={"new_max": 0.0}):
    """From the range ``min`` to ``max`` to the range ``new_min`` to ``new_max``; the result is of type Double."""

    min: float
    max: float
    new_min: float = 0.0
    new_max: float = 1.0

    def column(self, column: Any) -> ColumnMetaData:
        return DoubleMetaData(name=column.name, min_allowed_value=self.new_min, max_allowed_value=self.new_max)


class StandardizeNormalizer(_ToDouble, java=_DOUBLE + "StandardizeNormalizer"):
    """``(x - mean) / stdev``; the result is of type Double."""

    mean: float
    stdev: float


class SubtractMeanNormalizer(_ToDouble, java=_DOUBLE + "SubtractMeanNormalizer"):
    """``x - mean``; the result is of type Double."""

    mean: float


class ParseDoubleTransform(Transform, java=JAVA + "transform.parse.ParseDoubleTransform"):
    """Columns of type String to type Double. What follows sees single records, also after sequences: so DataVec has it."""

    def output(self, schema: Schema) -> Sequence[ColumnMetaData]:
        return [
            DoubleMetaData(name=column.name) if isinstance(column, StringMetaData) else column
            for column in schema.columns
        ]

    def wrap(self, schema: Schema, columns: Sequence[ColumnMetaData]) -> Schema:
        return Schema(columns=columns)
