"""`Schema` and `SequenceSchema`: the columns of records, and of time steps."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from typing import Any, Self

from pydl4j.conf import _java
from pydl4j.conf._html import html_table
from pydl4j.conf._kernel import Conf, refuse
from pydl4j.conf._reading import At, Rules
from pydl4j.conf.datavec._values import JavaInt
from pydl4j.conf.datavec.metadata import ColumnMetaData, declared_tree
from pydl4j.errors import suggestion

__all__ = [
    "Schema",
    "SequenceSchema",
]

_HEAD = ("idx", "name", "type", "valid values")
_JAVA = "org.datavec.api.transform.schema."


class Schema(Conf, java=_JAVA + "Schema"):
    """The columns of a record, in order. DataVec lets two columns have one name and loses one of them; here it is an error.

    >>> from pydl4j.datavec import CategoricalMetaData, DoubleMetaData, StringMetaData
    >>> schema = Schema(columns=[StringMetaData(name="id"), DoubleMetaData(name="v", min_allowed_value=0.0)])
    >>> schema.column_names
    ('id', 'v')
    >>> schema["v"]
    DoubleMetaData(name='v', min_allowed_value=0.0)
    """

    columns: Sequence[ColumnMetaData]

    def validate(self, path: str) -> None:
        if not self.columns:
            raise refuse(f"{path}.columns", "must have a column", self.columns)
        twice = duplicate(self.column_names)
        if twice is not None:
            index = len(self.columns) - 1 - self.column_names[::-1].index(twice)
            raise refuse(f"{path}.columns[{index}].name", "must be the name of no other column", twice)

    @cached_property
    def column_names(self) -> tuple[str, ...]:
        """The names of the columns, in order."""
        return tuple(column.name for column in self.columns)

    @cached_property
    def _by_name(self) -> Mapping[str, ColumnMetaData]:
        return {column.name: column for column in self.columns}

    def __iter__(self) -> Iterator[ColumnMetaData]:
        return iter(self.columns)

    def __len__(self) -> int:
        return len(self.columns)

    def __contains__(self, column: object) -> bool:
        """Whether there is a column of this name, or this column."""
        return column in (self._by_name if isinstance(column, str) else self.columns)

    def __getitem__(self, name: str) -> ColumnMetaData:
        """The column of a name. Raises `ConfigError` where there is none."""
        return self.require(name, f"{type(self).__name__}[{name!r}]")

    def require(self, name: str, path: str, types: Sequence[type[ColumnMetaData]] = ()) -> ColumnMetaData:
        """The column of a name. ``path`` names the option that asks for it.

        Raises:
            ConfigError: There is no such column, or it is of another type than one of ``types``.

        """
        column = self._by_name.get(name)
        if column is None:
            known = listed(self.column_names)
            raise refuse(path, f"must be one of the columns here, {known}{suggestion(name, self.column_names)}", name)
        if types and not isinstance(column, tuple(types)):
            wanted = " or ".join(kind.type_name() for kind in types)
            fitting = listed([column.name for column in self.columns if isinstance(column, tuple(types))])
            must = f"must be a column of type {wanted}, of which there are here: {fitting}. {name!r} is of type"
            raise refuse(path, f"{must} {column.type_name()}", name)
        return column

    def with_columns(self, columns: Iterable[ColumnMetaData]) -> Self:
        """This schema with other columns."""
        return self.replace(columns=tuple(columns))

    def declared_tree(self) -> dict[str, Any]:
        """This schema as its own ``toJson()`` writes it, where a process sorts keys by name."""
        return {**declared_tree(self), "columns": [declared_tree(column) for column in self.columns]}

    def to_json(self) -> str:
        """DataVec's JSON of this schema."""
        return _java.dumps(self.declared_tree())

    @classmethod
    def from_json(cls, text: str, *, lenient: bool = False) -> Self:
        """The schema that DataVec's JSON describes; ``to_json()`` writes it back identically.

        Raises:
            ConfigError: Not JSON, not a schema, a class or key that pydl4j does not know (``lenient``: keys are left out,
                with a warning, as DataVec does without one), or a wrong value.

        """
        return cls.read(_java.loads(text), At(cls.__name__, Rules(lenient=lenient)))

    def to_yaml(self) -> str:
        """DataVec's YAML of this schema."""
        from pydl4j.conf import _yaml

        return _yaml.dumps(self.declared_tree())

    @classmethod
    def from_yaml(cls, text: str, *, lenient: bool = False) -> Self:
        """The schema that DataVec's YAML describes. Raises `ConfigError` as `from_json`."""
        from pydl4j.conf import _yaml

        return cls.read(_yaml.loads(text), At(cls.__name__, Rules(lenient=lenient)))

    def summary(self) -> str:
        """A table of the columns: index, name, type, and what is valid in them."""
        return table(_HEAD, self._rows())

    def _repr_html_(self) -> str:
        return html_table(type(self).__name__, _HEAD, self._rows(), numbers=(0,))

    def _rows(self) -> list[tuple[str, ...]]:
        return [
            (str(i), column.name, column.type_name(), ", ".join(_restrictions(column)))
            for i, column in enumerate(self.columns)
        ]


class SequenceSchema(Schema, java=_JAVA + "SequenceSchema"):
    """The columns of each time step of a sequence."""

    min_sequence_length: JavaInt | None = None
    max_sequence_length: JavaInt | None = None


def duplicate(names: Sequence[str]) -> str | None:
    """A name that is there twice."""
    counts = Counter(names)
    return next((name for name in names if counts[name] > 1), None)


def listed(names: Sequence[str]) -> str:
    """Names of columns in a message; of many, those that fit into a few lines."""
    lengths = accumulate(len(name) for name in names)
    fitting = [repr(name) for name, length in zip(names, lengths, strict=True) if length <= _LISTED]
    more = len(names) - len(fitting)
    return ", ".join(fitting) + f" and {more} more" * (more > 0) if names else "none"


_LISTED = 200
"""Characters of names in a message."""


def _restrictions(column: ColumnMetaData) -> Iterable[str]:
    for name in type(column).options():
        value = getattr(column, name)
        if name != "name" and value is not None and value is not False:
            yield f"{name}={value!r}"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Rows of text under a head, in columns as wide as they must be."""
    widths = [max(map(len, cells)) for cells in zip(head, *rows, strict=True)]
    lines = [head, ["-" * width for width in widths], *rows]
    return "\n".join("  ".join(map(str.ljust, line, widths)).rstrip() for line in lines)
