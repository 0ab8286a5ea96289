"""Transforms of columns of arrays."""

from collections.abc import Sequence
from typing import Any, ClassVar

from pydl4j.conf._kernel import refuse
from pydl4j.conf.datavec._values import Distance, JavaDouble, MathFunction, MathOp
from pydl4j.conf.datavec.action import NDArrayColumn
from pydl4j.conf.datavec.metadata import ColumnMetaData, DoubleMetaData, NDArrayMetaData
from pydl4j.conf.datavec.schema import Schema
from pydl4j.conf.datavec.transforms.base import JAVA, ColumnTransform, Transform
from pydl4j.conf.datavec.transforms.numbers import ColumnsMathOp

__all__ = [
    "NDArrayColumnsMathOpTransform",
    "NDArrayDistanceTransform",
    "NDArrayMathFunctionTransform",
    "NDArrayScalarOpTransform",
]

_JAVA = JAVA + "ndarray."


class _ArrayTransform(ColumnTransform):
    """Makes arrays of the same shape."""

    column_name: NDArrayColumn

    def column(self, column: Any) -> ColumnMetaData:
        return column  # type: ignore[no-any-return]


class NDArrayScalarOpTransform(_ArrayTransform, java=_JAVA + "NDArrayScalarOpTransform"):
    """Calculates with each element and ``scalar``."""

    math_op: MathOp
    scalar: JavaDouble


class NDArrayMathFunctionTransform(_ArrayTransform, java=_JAVA + "NDArrayMathFunctionTransform"):
    """A function of each element."""

    math_function: MathFunction


class NDArrayColumnsMathOpTransform(ColumnsMathOp, java=_JAVA + "NDArrayColumnsMathOpTransform"):
    """Adds a column of arrays, calculated element by element from others of one shape."""

    columns: Sequence[NDArrayColumn]

    def check(self, schema: Schema, path: str) -> None:
        super().check(schema, path)
        shape = self._shape(schema, self.columns[0])
        for i, name in enumerate(self.columns):
            other = self._shape(schema, name)
            if other != shape:
                must = f"must have the shape of {self.columns[0]!r}, {shape}; {name!r} has"
                raise refuse(f"{path}.columns[{i}]", must, other)

    @staticmethod
    def _shape(schema: Schema, name: str) -> Any:
        column: Any = schema[name]
        return column.shape

    def new_column(self, schema: Schema) -> ColumnMetaData:
        return NDArrayMetaData(name=self.new_column_name, shape=self._shape(schema, self.columns[0]))


class NDArrayDistanceTransform(
    Transform,
    java=_JAVA + "NDArrayDistanceTransform",
    first=("distance", "firstCol", "newColumnName", "secondCol"),
):
    """Adds a column of type Double: the distance between two arrays."""

    _echoed: ClassVar[Sequence[str]] = ("inputSchema",)

    new_column_name: str
    distance: Distance
    first_col: NDArrayColumn
    second_col: NDArrayColumn

    def output(self, schema: Schema) -> Sequence[ColumnMetaData]:
        return (*schema.columns, DoubleMetaData(name=self.new_column_name))
