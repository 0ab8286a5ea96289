"""What transforms have in common."""

from collections.abc import Iterable, Sequence
from typing import Any

from pydl4j.conf.datavec.action import Column, DataAction
from pydl4j.conf.datavec.metadata import ColumnMetaData
from pydl4j.conf.datavec.schema import Schema

__all__ = [
    "Transform",
]

JAVA = "org.datavec.api.transform."


class Transform(DataAction):
    """A step that changes values or columns."""


class ColumnTransform(Transform):
    """Puts other values in the place of a column's."""

    column_name: Column

    def column(self, column: Any) -> ColumnMetaData:
        """The column of the output, in the place of ``column``."""
        raise NotImplementedError

    def output(self, schema: Schema) -> Sequence[ColumnMetaData]:
        return replaced(schema, self.column_name, lambda column: [self.column(column)])


def replaced(schema: Schema, name: str, make: Any) -> Sequence[ColumnMetaData]:
    """The columns of a schema, with those that ``make`` gives in the place of one."""
    columns: list[ColumnMetaData] = []
    for column in schema.columns:
        made: Iterable[ColumnMetaData] = make(column) if column.name == name else [column]
        columns.extend(made)
    return columns
