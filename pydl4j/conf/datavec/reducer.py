"""`Reducer`: many records, or time steps, into one."""

from collections.abc import Collection, Mapping, Sequence
from typing import Annotated, Any, Self

from pydl4j.conf._codecs import CodecBase, FrozenMap, MapCodec, codec_of
from pydl4j.conf._hash_order import hash_set_order
from pydl4j.conf._kernel import guard, refuse
from pydl4j.conf._reading import At
from pydl4j.conf.datavec._values import TEXT_HASH_SET, ReduceOp
from pydl4j.conf.datavec.action import Column, DataAction, Untyped
from pydl4j.conf.datavec.metadata import (
    ColumnMetaData,
    DoubleMetaData,
    FloatMetaData,
    IntegerMetaData,
    LongMetaData,
    StringMetaData,
)
from pydl4j.conf.datavec.schema import Schema

__all__ = [
    "Reducer",
]

_WRAPPER = "Reducer"
_UNREADABLE = {
    "customReductions": "reduce with op_map, or transform the column before and after",
    "conditionalReductions": "copy the column, put a neutral value where the condition is not met (ConditionalReplaceValueTransform), "
    "and reduce the copy with op_map",
}


class _OpMap(MapCodec, CodecBase):
    """Ops by column, in the order of Java's hash maps; one op stands for a list of it."""

    def __init__(self) -> None:
        super().__init__(str, codec_of(Sequence[ReduceOp]))

    def coerce(self, value: Any) -> FrozenMap:
        if not isinstance(value, Mapping):
            return super().coerce(value)
        ops = super().coerce({name: [given] if isinstance(given, str) else given for name, given in value.items()})
        return FrozenMap(ops if isinstance(value, _Read) else {name: ops[name] for name in hash_set_order(ops)})

    def read(self, tree: Any, at: At) -> Any:
        ops = super().read(tree, at)
        return _Read(ops) if isinstance(ops, dict) else ops


class _Read(FrozenMap):
    """A mapping in the order of a document."""


class Reducer(DataAction, Untyped, java="org.datavec.api.transform.reduce.Reducer"):
    """Reduces all records of equal ``key_columns`` to one, by ops on the other columns; without keys, all records.

    DataVec's custom and conditional reductions are written and cannot be read back by it; they are refused.

    >>> from pydl4j.datavec import DoubleMetaData, Schema, StringMetaData
    >>> schema = Schema(columns=[StringMetaData(name="id"), DoubleMetaData(name="v")])
    >>> Reducer(key_columns=["id"], default_op="count", op_map={"v": ["mean", "max"]}).apply(schema, "").column_names
    ('id', 'mean(v)', 'max(v)')
    """

    default_op: ReduceOp
    """What is done to columns that are neither keys nor in ``op_map``."""
    key_columns: Sequence[Column] | None = None
    op_map: Annotated[Mapping[str, Sequence[ReduceOp] | ReduceOp], _OpMap()] = FrozenMap()
    """Ops by column; each makes a column, named like ``mean(v)``."""
    ignore_invalid_in_columns: Annotated[Collection[str], TEXT_HASH_SET] = ()
    """Columns whose invalid values are left out."""

    def check(self, schema: Schema, path: str) -> None:
        super().check(schema, path)
        for name, ops in self.op_map.items():
            schema.require(name, f'{path}.op_map["{name}"]')
            if not ops:
                raise refuse(f'{path}.op_map["{name}"]', "must have an op", ops)
            if self.key_columns and name in self.key_columns:
                raise refuse(f'{path}.op_map["{name}"]', "must not be a key column", ops)
        for i, name in enumerate(self.ignore_invalid_in_columns):
            schema.require(name, f"{path}.ignore_invalid_in_columns[{i}]")

    def output(self, schema: Schema) -> Sequence[ColumnMetaData]:
        columns: list[ColumnMetaData] = []
        keys = set(self.key_columns or ())
        for column in schema.columns:
            if column.name in keys:
                columns.append(column)
            else:
                ops = self.op_map.get(column.name, (self.default_op,))
                columns.extend(reduced(column, op) for op in ops)
        return columns

    def derived(self) -> dict[str, Any]:
        return {key: {} for key in _UNREADABLE}

    def to_tree(self) -> dict[str, Any]:
        return {_WRAPPER: super().to_tree()}

    def tree_in(self, schema: Schema) -> dict[str, Any]:
        return self.to_tree()

    @classmethod
    def read(cls, tree: Any, at: At) -> Self:
        if not isinstance(tree, Mapping) or list(tree) != [_WRAPPER] or not isinstance(tree[_WRAPPER], Mapping):
            raise refuse(at.path, f'must be a reducer, under the JSON key "{_WRAPPER}"', tree)
        for key, instead in _UNREADABLE.items():
            if tree[_WRAPPER].get(key):
                raise guard(f"{at.path}.{key}", f"cannot be read back by DataVec: {instead}", tree[_WRAPPER][key])
        return cls.read_members(tree[_WRAPPER], at)


_SAME = ("min", "max", "range", "take_first", "take_last")
_TYPE_KEPT = (IntegerMetaData, LongMetaData, FloatMetaData, DoubleMetaData)


def reduced(column: ColumnMetaData, op: str) -> ColumnMetaData:
    """The column that an op makes of another."""
    name = f"{op.replace('_', '')}({column.name})"
    if op in _SAME:
        return column.replace(name=name)
    if op in {"prod", "sum"}:
        return type(column)(name=name) if isinstance(column, _TYPE_KEPT) else column.replace(name=name)
    if op in {"append", "prepend"}:
        return StringMetaData(name=name)
    if op in {"count", "count_unique"}:
        return LongMetaData(name=name, min_allowed_value=0)
    return DoubleMetaData(name=name)
