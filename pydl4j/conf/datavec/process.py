"""`TransformProcess`: steps from one schema to another."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Annotated, Any, Self

from pydl4j.conf import _java
from pydl4j.conf._codecs import CodecBase, Mismatch
from pydl4j.conf._kernel import Conf, refuse
from pydl4j.conf._reading import At, Rules
from pydl4j.conf.datavec.action import DataAction
from pydl4j.conf.datavec.conditions import Condition
from pydl4j.conf.datavec.filters import Filter
from pydl4j.conf.datavec.reducer import Reducer
from pydl4j.conf.datavec.schema import Schema, SequenceSchema, table
from pydl4j.conf.datavec.sequence import CalculateSortedRank, ConvertFromSequence, ConvertToSequence, SequenceSplit
from pydl4j.conf.datavec.transforms.base import Transform
from pydl4j.errors import ConfigError

__all__ = [
    "TransformProcess",
]

_KINDS: Mapping[str, type[DataAction]] = {
    "transform": Transform,
    "filter": Filter,
    "convertToSequence": ConvertToSequence,
    "convertFromSequence": ConvertFromSequence,
    "sequenceSplit": SequenceSplit,
    "reducer": Reducer,
    "calculateSortedRank": CalculateSortedRank,
}
"""Kinds of steps by their JSON keys."""


class _Steps(CodecBase):
    """Steps, each in a JSON object that says its kind."""

    def coerce(self, value: Any) -> tuple[DataAction, ...]:
        if not isinstance(value, Sequence) or isinstance(value, str):
            raise Mismatch("must be a sequence of steps")
        for i, step in enumerate(value):
            if not isinstance(step, DataAction):
                hint = ": put it in a ConditionFilter" if isinstance(step, Condition) else ""
                raise Mismatch(f"must have steps only, and has a {type(step).__name__} at index {i}{hint}")
        return tuple(value)

    def write(self, value: Any) -> Any:
        return [{_kind(step): step.to_tree()} for step in value]  # the process adds what DataVec repeats of schemas

    def read(self, tree: Any, at: At) -> Any:
        if not isinstance(tree, list):
            raise refuse(at.path, "must be a JSON array", tree)
        return [_read_step(item, at.item(i)) for i, item in enumerate(tree)]


def _read_step(tree: Any, at: At) -> DataAction:
    kinds = [key for key, value in tree.items() if value is not None] if isinstance(tree, Mapping) else []
    if len(kinds) != 1 or kinds[0] not in _KINDS:
        raise refuse(at.path, f"must be a JSON object with one of the keys {', '.join(_KINDS)}", tree)
    return _KINDS[kinds[0]].read(tree[kinds[0]], at)


class TransformProcess(Conf, keys={"steps": "actionList"}):
    """Steps that are done to records, one after the other, from an initial schema to a final one.

    Making one checks that each step finds its columns, in types that it works on, as DataVec does when it reads one, and what
    DataVec finds out only when it runs. ``to_json()`` is what DataVec's builder would write, byte for byte.

    >>> from pydl4j.datavec import CategoricalMetaData, CategoricalToOneHotTransform, StringMetaData
    >>> schema = Schema(columns=[StringMetaData(name="id"), CategoricalMetaData(name="c", state_names=["x", "y"])])
    >>> process = TransformProcess(initial_schema=schema, steps=[CategoricalToOneHotTransform(column_name="c")])
    >>> process.final_schema.column_names
    ('id', 'c[x]', 'c[y]')
    """

    initial_schema: Schema
    steps: Annotated[Sequence[DataAction], _Steps()] = ()

    def validate(self, path: str) -> None:
        self.schemas  # noqa: B018 - computed here, so that steps that do not fit are refused when a process is made

    @cached_property
    def schemas(self) -> tuple[Schema, ...]:
        """The schema before each step, and after the last."""
        schemas = [self.initial_schema]
        for i, step in enumerate(self.steps):
            schemas.append(step.apply(schemas[-1], f"steps[{i}]"))
        return tuple(schemas)

    @property
    def final_schema(self) -> Schema:
        """The schema of the output: DataVec's ``getFinalSchema()``."""
        return self.schemas[-1]

    def to_tree(self) -> dict[str, Any]:
        """This process as DataVec writes it: dictionaries, lists and scalars in the order of its JSON."""
        actions = [
            {_kind(step): step.tree_in(schema)} for step, schema in zip(self.steps, self.schemas[:-1], strict=True)
        ]
        return {"actionList": actions, "initialSchema": self.initial_schema.to_tree()}

    def to_json(self) -> str:
        """DataVec's JSON of this process."""
        return _java.dumps(self.to_tree())

    @classmethod
    def from_json(cls, text: str, *, lenient: bool = False) -> Self:
        """The process that DataVec's JSON describes; ``to_json()`` writes it back identically.

        Raises:
            ConfigError: Not JSON, not a process, a class or key that pydl4j does not know (``lenient``: keys are left out,
                with a warning, as DataVec does without one), a wrong value, or a step that does not fit its schema.

        """
        return cls.read(_java.loads(text), At("", Rules(lenient=lenient)))

    @classmethod
    def read(cls, tree: Any, at: At) -> Self:
        if not isinstance(tree, Mapping) or not {"actionList", "initialSchema"} <= set(tree):
            raise ConfigError(
                'expected DataVec\'s document of a TransformProcess, with an "actionList" and an "initialSchema"'
            )
        At(cls.__name__, at.rules).unknown(set(tree) - {"actionList", "initialSchema"}, cls.__name__)
        return cls(**cls.read_options(tree, at))

    def to_yaml(self) -> str:
        """What DataVec's ``toYaml()`` returns for a process: its JSON, which is YAML, too."""
        return self.to_json()

    @classmethod
    def from_yaml(cls, text: str, *, lenient: bool = False) -> Self:
        """The process that YAML (or JSON) describes. Raises `ConfigError` as `from_json`."""
        from pydl4j.conf import _yaml

        return cls.read(_yaml.loads(text), At("", Rules(lenient=lenient)))

    def summary(self) -> str:
        """A table: the initial columns, what each step does to them, and the final ones."""
        rows = [("", "initial", _columns(self.initial_schema))]
        for i, (step, before, after) in enumerate(zip(self.steps, self.schemas, self.schemas[1:], strict=False)):
            rows.append((str(i), _brief(step), _changes(before, after)))
        rows.append(("", "final", _columns(self.final_schema)))
        return table(("step", "action", "columns"), rows)


def _kind(step: DataAction) -> str:
    return next(key for key, family in _KINDS.items() if isinstance(step, family))


def _brief(step: DataAction) -> str:
    text = repr(step)
    return text if len(text) <= 80 else f"{text[:77]}..."


def _columns(schema: Schema) -> str:
    columns = ", ".join(f"{column.name}: {column.type_name()}" for column in schema.columns)
    return f"sequences of {columns}" if isinstance(schema, SequenceSchema) else columns


def _changes(before: Schema, after: Schema) -> str:
    """Columns that are new or of another type, those that are gone, and whether records became sequences."""
    known = {(column.name, column.type_name()) for column in before.columns}
    made = [column for column in after.columns if (column.name, column.type_name()) not in known]
    gone = [name for name in before.column_names if name not in after]
    parts = ["+ " + ", ".join(f"{column.name}: {column.type_name()}" for column in made)] * bool(made)
    parts += ["- " + ", ".join(gone)] * bool(gone)
    if type(before) is not type(after):
        parts.append("sequences" if isinstance(after, SequenceSchema) else "single records")
    return "  ".join(parts)
