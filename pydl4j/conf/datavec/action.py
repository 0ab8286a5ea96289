"""What takes part in a process: it is given a schema, checks the columns that it names, and may change it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar

from pydl4j.conf._codecs import Codec, CodecBase, TextCodec
from pydl4j.conf._kernel import Conf, refuse
from pydl4j.conf.datavec.metadata import (
    CategoricalMetaData,
    ColumnMetaData,
    DoubleMetaData,
    FloatMetaData,
    IntegerMetaData,
    LongMetaData,
    NDArrayMetaData,
    StringMetaData,
    TimeMetaData,
)
from pydl4j.conf.datavec.schema import Schema, SequenceSchema, duplicate

__all__ = [
    "DataAction",
]


class ColumnOf(TextCodec, CodecBase):
    """The name of a column that must be there, of one of some types or of any."""

    def __init__(self, *types: type[ColumnMetaData]) -> None:
        self.types = types


Column = Annotated[str, ColumnOf()]
StringColumn = Annotated[str, ColumnOf(StringMetaData)]
IntegerColumn = Annotated[str, ColumnOf(IntegerMetaData)]
LongColumn = Annotated[str, ColumnOf(LongMetaData)]
FloatColumn = Annotated[str, ColumnOf(FloatMetaData)]
DoubleColumn = Annotated[str, ColumnOf(DoubleMetaData)]
CategoricalColumn = Annotated[str, ColumnOf(CategoricalMetaData)]
TimeColumn = Annotated[str, ColumnOf(TimeMetaData)]
NDArrayColumn = Annotated[str, ColumnOf(NDArrayMetaData)]


class InSchema(Conf):
    """A part of a process, which DataVec gives the schema of its input."""

    _omit_null: ClassVar[bool] = True
    _echoed: ClassVar[Sequence[str]] = ()
    """JSON keys under which DataVec writes what it saw of the schema; it does not read them."""
    _computed: ClassVar[Mapping[str, Callable[[Any], Any]]] = {}
    """What options stand for that are left ``None``."""
    _on_sequences: ClassVar[bool] = False
    """Fails in DataVec on records that are no sequences."""

    def _set(self, values: dict[str, Any]) -> None:
        super()._set(values)
        for name, compute in self._computed.items():  # one form for each meaning
            if self.__dict__.get(name) == compute(self):
                del self.__dict__[name]

    def effective(self, name: str) -> Any:
        """The value of an option, or what stands for it."""
        given = getattr(self, name)
        return self._computed[name](self) if given is None and name in self._computed else given

    def check(self, schema: Schema, path: str) -> None:
        """Refuse a schema that lacks a column named here, or has it in another type.

        Raises:
            ConfigError: The schema does not fit; the error's path is that of the option.

        """
        if self._on_sequences and not isinstance(schema, SequenceSchema):
            name = type(self).__name__
            raise refuse(path, f"({name}) works on sequences only: put a ConvertToSequence before it", "single records")
        for name, codec, value in self._parts():
            for place, part in _each(f"{path}.{name}", value):
                if isinstance(part, InSchema):
                    part.check(schema, place)
                elif isinstance(codec, ColumnOf):
                    schema.require(part, place, codec.types)

    def _parts(self) -> Iterator[tuple[str, Codec, Any]]:
        for name, option in type(self).options().items():
            yield name, _innermost(option.codec), getattr(self, name)

    def echo(self, schema: Schema) -> dict[str, Any]:
        """What DataVec writes of the schema, by the keys of ``_echoed``."""
        return {"inputSchema": schema.to_tree()} if "inputSchema" in self._echoed else {}

    def derived(self) -> dict[str, Any]:
        options = type(self).options()
        return {
            **dict.fromkeys(self._echoed),
            **{options[name].key or name: self.effective(name) for name in self._computed},
        }

    def tree_in(self, schema: Schema) -> dict[str, Any]:
        """This object as DataVec writes it in a process, where ``schema`` is its input's."""
        tree = {**self.to_tree(), **self.echo(schema)}
        for name, option in type(self).options().items():
            value = getattr(self, name)
            if option.key is not None and isinstance(value, InSchema):
                tree[option.key] = value.tree_in(schema)
            elif option.key is not None and isinstance(value, tuple) and value and isinstance(value[0], InSchema):
                tree[option.key] = [part.tree_in(schema) for part in value]
        head = {key: tree.pop(key) for key in (self._type_key, *self._first) if key in tree}
        return {**head, **dict(sorted(tree.items()))}


def _innermost(codec: Any) -> Codec:
    """What a codec of an optional value or of a sequence is made of."""
    while not isinstance(codec, ColumnOf) and hasattr(codec, "item"):
        codec = codec.item
    return codec  # type: ignore[no-any-return]


def _each(path: str, value: Any) -> Iterator[tuple[str, Any]]:
    """A value's parts with their places."""
    if isinstance(value, tuple):
        yield from ((f"{path}[{i}]", item) for i, item in enumerate(value))
    elif value is not None:
        yield path, value


class DataAction(InSchema):
    """One step of a process."""

    def output(self, schema: Schema) -> Sequence[ColumnMetaData]:
        """The columns of the output, for a schema that was checked."""
        return schema.columns

    def wrap(self, schema: Schema, columns: Sequence[ColumnMetaData]) -> Schema:
        """The schema of the output: like that of the input, unless records become sequences or the other way."""
        return schema.with_columns(columns)

    def apply(self, schema: Schema, path: str) -> Schema:
        """The schema of the output. ``path`` is the place of this step.

        Raises:
            ConfigError: This step cannot follow what gives the schema.

        """
        self.check(schema, path)
        columns = self.output(schema)
        if not columns:
            raise refuse(path, f"({type(self).__name__}) must leave a column", schema.column_names)
        twice = duplicate([column.name for column in columns])
        if twice is not None:
            raise refuse(self._place_of(twice, path), "must not give a second column the name of another", twice)
        return self.wrap(schema, columns)

    def _place_of(self, name: str, path: str) -> str:
        """The option that names a column of the output, or the step."""
        for option, _, value in self._parts():
            if value == name or (isinstance(value, tuple) and name in value):
                path = f"{path}.{option}" if option.startswith("new") else path
        return path


class Untyped(Conf):
    """An object whose class the JSON does not name."""

    def to_tree(self) -> dict[str, Any]:
        tree = super().to_tree()
        tree.pop(self._type_key, None)
        return tree
