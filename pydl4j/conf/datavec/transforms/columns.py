"""Transforms that remove, rename, order and add columns."""

from collections.abc import Sequence
from typing import Any, ClassVar

from pydl4j.conf._kernel import guard, refuse
from pydl4j.conf.datavec._values import ColumnType
from pydl4j.conf.datavec.action import Column
from pydl4j.conf.datavec.metadata import (
    CategoricalMetaData,
    ColumnMetaData,
    DoubleMetaData,
    FloatMetaData,
    IntegerMetaData,
    LongMetaData,
    StringMetaData,
    TimeMetaData,
)
from pydl4j.conf.datavec.schema import Schema
from pydl4j.conf.datavec.transforms.base import JAVA, Transform
from pydl4j.conf.datavec.writables import Constant

__all__ = [
    "AddConstantColumnTransform",
    "DuplicateColumnsTransform",
    "RemoveAllColumnsExceptForTransform",
    "RemoveColumnsTransform",
    "RenameColumnsTransform",
    "ReorderColumnsTransform",
]

_JAVA = JAVA + "transform.column."


class RemoveColumnsTransform(Transform, java=_JAVA + "RemoveColumnsTransform", first=("columnsToRemove",)):
    """Removes columns."""

    _echoed: ClassVar[Sequence[str]] = ("leftOverColumns",)

    columns_to_remove: Sequence[Column]

    def echo(self, schema: Schema) -> dict[str, Any]:
        return {"leftOverColumns": [column.name for column in self.output(schema)]}

    def output(self, schema: Schema) -> Sequence[ColumnMetaData]:
        removed = set(self.columns_to_remove)
        return [column for column in schema.columns if column.name not in removed]


class RemoveAllColumnsExceptForTransform(Transform, java=_JAVA + "RemoveAllColumnsExceptForTransform"):
    """Removes all other columns; those that are kept stay in their order."""

    columns_to_keep: Sequence[Column]

    def output(self, schema: Schema) -> Sequence[ColumnMetaData]:
        kept = set(self.columns_to_keep)
        return [column for column in schema.columns if column.name in kept]


class _Renaming(Transform):
    def _same_length(self, path: str, old: str, new: str) -> None:
        if len(getattr(self, old)) != len(getattr(self, new)):
            raise refuse(f"{path}.{new}", f"must have a name for each of {old}", getattr(self, new))


class RenameColumnsTransform(_Renaming, java=_JAVA + "RenameColumnsTransform"):
    """Gives columns other names."""

    old_names: Sequence[Column]
    new_names: Sequence[str]

    def validate(self, path: str) -> None:
        self._same_length(path, "old_names", "new_names")

    def output(self, schema: Schema) -> Sequence[ColumnMetaData]:
        names = dict(zip(self.old_names, self.new_names, strict=True))
        return [column.replace(name=names.get(column.name, column.name)) for column in schema.columns]


class ReorderColumnsTransform(Transform, java=_JAVA + "ReorderColumnsTransform"):
    """Puts some columns first, in an order; the others follow in theirs."""

    new_order: Sequence[Column]

    def validate(self, path: str) -> None:
        if len(set(self.new_order)) != len(self.new_order):
            raise refuse(f"{path}.new_order", "must have each column once", self.new_order)

    def output(self, schema: Schema) -> Sequence[ColumnMetaData]:
        names = dict.fromkeys((*self.new_order, *schema.column_names))
        return [schema[name] for name in names]


class DuplicateColumnsTransform(_Renaming, java=_JAVA + "DuplicateColumnsTransform"):
    """Puts a copy behind each of some columns.

    DataVec gives out the new names in the order of the *schema*, so another order of ``columns_to_duplicate`` is refused.
    """

    columns_to_duplicate: Sequence[Column]
    new_column_names: Sequence[str]

    def validate(self, path: str) -> None:
        self._same_length(path, "columns_to_duplicate", "new_column_names")

    def check(self, schema: Schema, path: str) -> None:
        super().check(schema, path)
        copied = set(self.columns_to_duplicate)
        ordered = tuple(name for name in schema.column_names if name in copied)
        if ordered != self.columns_to_duplicate:
            raise guard(
                f"{path}.columns_to_duplicate",
                f"must be in the order of the schema: {ordered}",
                self.columns_to_duplicate,
            )

    def output(self, schema: Schema) -> Sequence[ColumnMetaData]:
        copies = dict(zip(self.columns_to_duplicate, self.new_column_names, strict=True))
        columns = []
        for column in schema.columns:
            columns.append(column)
            if column.name in copies:
                columns.append(column.replace(name=copies[column.name]))
        return columns


_NEW_COLUMNS: dict[str, type[ColumnMetaData]] = {
    "string": StringMetaData,
    "integer": IntegerMetaData,
    "long": LongMetaData,
    "double": DoubleMetaData,
    "float": FloatMetaData,
    "time": TimeMetaData,
}


class AddConstantColumnTransform(
    Transform, java=_JAVA + "AddConstantColumnTransform", first=("fixedValue", "newColumnName", "newColumnType")
):
    """Adds a column with one value; a new column of type boolean is a categorical one with the states true and false."""

    _echoed: ClassVar[Sequence[str]] = ("inputSchema",)

    new_column_name: str
    new_column_type: ColumnType
    fixed_value: Constant

    def validate(self, path: str) -> None:
        if self.new_column_type not in {*_NEW_COLUMNS, "boolean"}:
            known = ", ".join(map(repr, (*_NEW_COLUMNS, "boolean")))
            raise refuse(f"{path}.new_column_type", f"must be one of {known} for a constant", self.new_column_type)

    def output(self, schema: Schema) -> Sequence[ColumnMetaData]:
        return (*schema.columns, self._new_column())

    def _new_column(self) -> ColumnMetaData:
        if self.new_column_type == "boolean":
            return CategoricalMetaData(name=self.new_column_name, state_names=("true", "false"))
        return _NEW_COLUMNS[self.new_column_type](name=self.new_column_name)
