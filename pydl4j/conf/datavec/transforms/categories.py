"""Transforms from and to categories."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from pydl4j.conf._kernel import refuse
from pydl4j.conf.datavec._values import CategoriesCodec
from pydl4j.conf.datavec.action import CategoricalColumn, Column
from pydl4j.conf.datavec.metadata import CategoricalMetaData, ColumnMetaData, IntegerMetaData
from pydl4j.conf.datavec.schema import Schema
from pydl4j.conf.datavec.transforms.base import JAVA, ColumnTransform, Transform, replaced
from pydl4j.conf.datavec.transforms.numbers import one_hot

__all__ = [
    "CategoricalToIntegerTransform",
    "CategoricalToOneHotTransform",
    "FirstDigitTransform",
    "IntegerToCategoricalTransform",
    "StringToCategoricalTransform",
]

_JAVA = JAVA + "transform.categorical."


class CategoricalToIntegerTransform(ColumnTransform, java=_JAVA + "CategoricalToIntegerTransform"):
    """Categories to their indices in the column's states, from 0."""

    column_name: CategoricalColumn

    def column(self, column: Any) -> ColumnMetaData:
        return IntegerMetaData(name=column.name, min_allowed_value=0, max_allowed_value=len(column.state_names) - 1)


class CategoricalToOneHotTransform(Transform, java=_JAVA + "CategoricalToOneHotTransform"):
    """A column of categories to one for each of them, named like ``c[x]``: 1 or 0."""

    column_name: CategoricalColumn

    def output(self, schema: Schema) -> Sequence[ColumnMetaData]:
        return replaced(schema, self.column_name, lambda column: one_hot(column.name, column.state_names))


class IntegerToCategoricalTransform(ColumnTransform, java=_JAVA + "IntegerToCategoricalTransform"):
    """Ints to the categories that ``map`` has for them: a mapping, or a sequence of names whose indices they are."""

    map: Annotated[Mapping[int, str] | Sequence[str], CategoriesCodec()]

    def column(self, column: Any) -> ColumnMetaData:
        names: Any = self.map
        return CategoricalMetaData(name=column.name, state_names=tuple(names.values()))


class StringToCategoricalTransform(ColumnTransform, java=_JAVA + "StringToCategoricalTransform"):
    """Texts to categories; the texts stay as they are."""

    state_names: Sequence[str]

    def validate(self, path: str) -> None:
        if not self.state_names:
            raise refuse(f"{path}.state_names", "must have a name", self.state_names)

    def column(self, column: Any) -> ColumnMetaData:
        return CategoricalMetaData(name=column.name, state_names=self.state_names)


class FirstDigitTransform(Transform, java=_JAVA + "FirstDigitTransform"):
    """The first digit of a text or number as a category, in the place of the column or behind it."""

    input_column: Column
    output_column: str
    mode: Literal["exception_on_invalid", "include_other_category"] = "include_other_category"
    """What happens where there is no digit: an error, or the category ``Other``."""

    def output(self, schema: Schema) -> Sequence[ColumnMetaData]:
        other = ["Other"] * (self.mode == "include_other_category")
        digits = CategoricalMetaData(name=self.output_column, state_names=(*"0123456789", *other))
        kept = self.output_column != self.input_column
        return replaced(schema, self.input_column, lambda column: [column] * kept + [digits])
