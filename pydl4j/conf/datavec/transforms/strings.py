"""Transforms of columns of text."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal

from pydl4j.conf._kernel import refuse
from pydl4j.conf.datavec._values import TEXT_HASH_SET
from pydl4j.conf.datavec.action import Column, StringColumn
from pydl4j.conf.datavec.metadata import CategoricalMetaData, ColumnMetaData, NDArrayMetaData, StringMetaData
from pydl4j.conf.datavec.schema import Schema
from pydl4j.conf.datavec.transforms.base import JAVA, ColumnTransform, Transform, replaced

__all__ = [
    "AppendStringColumnTransform",
    "ChangeCaseStringTransform",
    "ConcatenateStringColumns",
    "ConvertToString",
    "MapAllStringsExceptListTransform",
    "RemoveWhiteSpaceTransform",
    "ReplaceEmptyStringTransform",
    "ReplaceStringTransform",
    "StringListToCategoricalSetTransform",
    "StringListToCountsNDArrayTransform",
    "StringListToIndicesNDArrayTransform",
    "StringMapTransform",
]

_JAVA = JAVA + "transform.string."


class StringTransform(ColumnTransform):
    """Makes a column of type String out of one of any type."""

    def column(self, column: Any) -> ColumnMetaData:
        return StringMetaData(name=column.name)


class AppendStringColumnTransform(StringTransform, java=_JAVA + "AppendStringColumnTransform"):
    """Puts ``to_append`` behind each text."""

    to_append: str


class ChangeCaseStringTransform(StringTransform, java=_JAVA + "ChangeCaseStringTransform"):
    """Texts in lower or upper case."""

    case_type: Literal["lower", "upper"] = "lower"


class ConvertToString(StringTransform, java=_JAVA + "ConvertToString"):
    """A column of any type to text."""


class RemoveWhiteSpaceTransform(StringTransform, java=_JAVA + "RemoveWhiteSpaceTransform"):
    """Removes all white space, also between words."""


class ReplaceEmptyStringTransform(StringTransform, java=_JAVA + "ReplaceEmptyStringTransform"):
    """Puts ``value`` in the place of empty texts."""

    value: str


class ReplaceStringTransform(StringTransform, java=_JAVA + "ReplaceStringTransform"):
    """Replaces all that matches: Java regexes by their replacements, in order."""

    map: Mapping[str, str]


class StringMapTransform(StringTransform, java=_JAVA + "StringMapTransform"):
    """Whole texts by those that ``map`` has for them; others stay."""

    map: Mapping[str, str]


class MapAllStringsExceptListTransform(StringTransform, java=_JAVA + "MapAllStringsExceptListTransform"):
    """Puts ``new_value`` in the place of all texts but the ``exceptions``."""

    new_value: str
    exceptions: Annotated[Collection[str], TEXT_HASH_SET]


class ConcatenateStringColumns(Transform, java=_JAVA + "ConcatenateStringColumns"):
    """Adds a column of type String: those of some columns, with ``delimiter`` between them."""

    new_column_name: str
    delimiter: str
    columns_to_concatenate: Sequence[Column]

    def output(self, schema: Schema) -> Sequence[ColumnMetaData]:
        return (*schema.columns, StringMetaData(name=self.new_column_name))


class StringListToCategoricalSetTransform(Transform, java=_JAVA + "StringListToCategoricalSetTransform"):
    """Texts that are lists, such as ``a,b``, to a column for each of some tokens: the category true or false."""

    column_name: StringColumn
    new_column_names: Sequence[str]
    category_tokens: Sequence[str]
    delimiter: str
    """What is between the items: a Java regex."""

    def validate(self, path: str) -> None:
        if len(self.new_column_names) != len(self.category_tokens):
            raise refuse(
                f"{path}.new_column_names", "must have a name for each of category_tokens", self.new_column_names
            )

    def output(self, schema: Schema) -> Sequence[ColumnMetaData]:
        columns = [CategoricalMetaData(name=name, state_names=("true", "false")) for name in self.new_column_names]
        return replaced(schema, self.column_name, lambda _: columns)


class StringListToCountsNDArrayTransform(Transform, java=_JAVA + "StringListToCountsNDArrayTransform"):
    """Texts that are lists, such as ``a,b``, to an array of the counts of the ``vocabulary``'s words."""

    _computed: ClassVar[Mapping[str, Callable[[Any], Any]]] = {
        "new_column_name": lambda self: f"{self.column_name}[BOW]"
    }

    column_name: StringColumn
    vocabulary: Sequence[str]
    delimiter: str
    """What is between the items: a Java regex."""
    binary: bool
    """1 for a word that is there, however often."""
    ignore_unknown: bool
    """Pass over words that are not in the vocabulary; else they are an error."""
    new_column_name: str | None = None
    """Name of the column of arrays; ``None`` for one like ``s[BOW]``."""

    def output(self, schema: Schema) -> Sequence[ColumnMetaData]:
        column = NDArrayMetaData(name=self.effective("new_column_name"), shape=(len(self.vocabulary),))
        return replaced(schema, self.column_name, lambda _: [column])


class StringListToIndicesNDArrayTransform(
    StringListToCountsNDArrayTransform, java=_JAVA + "StringListToIndicesNDArrayTransform"
):
    """Texts that are lists, such as ``a,b``, to an array of the indices of the ``vocabulary``'s words, sorted."""
