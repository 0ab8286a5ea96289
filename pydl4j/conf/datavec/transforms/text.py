"""Transforms of one text into a sequence of indices."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar

from pydl4j.conf._codecs import Repeat
from pydl4j.conf._kernel import refuse
from pydl4j.conf.datavec._values import JavaInt, VocabularyCodec
from pydl4j.conf.datavec.action import Column
from pydl4j.conf.datavec.metadata import ColumnMetaData, IntegerMetaData
from pydl4j.conf.datavec.schema import Schema
from pydl4j.conf.datavec.transforms.base import JAVA, Transform, replaced

__all__ = [
    "TextToCharacterIndexTransform",
    "TextToTermIndexSequenceTransform",
]

_JAVA = JAVA + "transform.nlp."
_KEYS = {"column_name": "requiredColumns", "new_column_name": "expandedColumnNames"}


class _Expansion(Transform, keys=_KEYS):
    """Makes a time step of each part of a text, and repeats the other columns."""

    _on_sequences: ClassVar[bool] = True

    column_name: Annotated[Column, Repeat(1)]
    new_column_name: Annotated[str, Repeat(1)]

    def _indices(self) -> Any:
        raise NotImplementedError

    def output(self, schema: Schema) -> Sequence[ColumnMetaData]:
        high = len(self._indices()) - 1
        column = IntegerMetaData(name=self.new_column_name, min_allowed_value=0, max_allowed_value=high)
        return replaced(schema, self.column_name, lambda _: [column])


class TextToCharacterIndexTransform(
    _Expansion, java=_JAVA + "TextToCharacterIndexTransform", first=("characterIndexMap", "exceptionOnUnknown")
):
    """A text to a sequence of the indices of its characters."""

    character_index_map: Mapping[str, JavaInt]
    exception_on_unknown: bool
    """A character without an index is an error; else it is left out."""

    def validate(self, path: str) -> None:
        for character in self.character_index_map:
            if len(character) != 1:
                raise refuse(f"{path}.character_index_map", "must have keys of one character", character)

    def _indices(self) -> Any:
        return self.character_index_map


class TextToTermIndexSequenceTransform(
    _Expansion,
    java=_JAVA + "TextToTermIndexSequenceTransform",
    first=("delimiter", "exceptionOnUnknown", "wordIndexMap"),
):
    """A text to a sequence of the indices of its words."""

    _echoed: ClassVar[Sequence[str]] = ("inputSchema",)

    word_index_map: Annotated[Mapping[str, int] | Sequence[str], VocabularyCodec()]
    """Indices of the words, or the words in order."""
    delimiter: str
    """What is between words: a Java regex."""
    exception_on_unknown: bool
    """A word without an index is an error; else it is left out."""

    def _indices(self) -> Any:
        return self.word_index_map
