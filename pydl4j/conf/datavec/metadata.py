"""Columns of a schema: DataVec's ``ColumnMetaData``."""

from collections.abc import Sequence
from typing import Any, ClassVar

from pydl4j.conf._kernel import Conf, refuse
from pydl4j.conf.datavec._values import JavaDouble, JavaFloat, JavaInt, JavaLong

__all__ = [
    "BinaryMetaData",
    "BooleanMetaData",
    "CategoricalMetaData",
    "ColumnMetaData",
    "DoubleMetaData",
    "FloatMetaData",
    "IntegerMetaData",
    "LongMetaData",
    "NDArrayMetaData",
    "StringMetaData",
    "TimeMetaData",
]

_JAVA = "org.datavec.api.transform.metadata."


class ColumnMetaData(Conf):
    """A column: its name, its type, and which values are valid in it (`FilterInvalidValues` removes others)."""

    _omit_null: ClassVar[bool] = True

    name: str

    @classmethod
    def type_name(cls) -> str:
        """The column's type, as DataVec names it."""
        return cls.__name__.removesuffix("MetaData")


def declared_tree(conf: Conf) -> dict[str, Any]:
    """An object as ``Schema.toJson()`` writes it: its keys in the order of the Java class, where a process sorts them."""
    tree = conf.to_tree()
    keys = ("@class", *(option.key for option in type(conf).options().values()))
    return {key: tree[key] for key in keys if key in tree}


class StringMetaData(ColumnMetaData, java=_JAVA + "StringMetaData"):
    """Text, with at least ``min_length`` and at most ``max_length`` characters, that matches the Java ``regex``."""

    regex: str | None = None
    min_length: JavaInt | None = None
    max_length: JavaInt | None = None


class _Range(ColumnMetaData):
    def validate(self, path: str) -> None:
        low, high = getattr(self, "min_allowed_value", None), getattr(self, "max_allowed_value", None)
        if low is not None and high is not None and low > high:
            raise refuse(f"{path}.max_allowed_value", f"must be >= min_allowed_value, which is {low!r}", high)


class IntegerMetaData(_Range, java=_JAVA + "IntegerMetaData"):
    """Ints of 32 bits, from ``min_allowed_value`` to ``max_allowed_value``."""

    min_allowed_value: JavaInt | None = None
    max_allowed_value: JavaInt | None = None


class LongMetaData(_Range, java=_JAVA + "LongMetaData"):
    """Ints of 64 bits, from ``min_allowed_value`` to ``max_allowed_value``."""

    min_allowed_value: JavaLong | None = None
    max_allowed_value: JavaLong | None = None


_REAL_KEYS = {"allow_nan": "allowNaN"}
_REAL_FIRST = ("maxAllowedValue", "minAllowedValue", "name")


class DoubleMetaData(_Range, java=_JAVA + "DoubleMetaData", keys=_REAL_KEYS, first=_REAL_FIRST):
    """Numbers of 64 bits, from ``min_allowed_value`` to ``max_allowed_value``; NaN and infinities if they are allowed."""

    min_allowed_value: JavaDouble | None = None
    max_allowed_value: JavaDouble | None = None
    allow_nan: bool = False
    allow_infinite: bool = False


class FloatMetaData(_Range, java=_JAVA + "FloatMetaData", keys=_REAL_KEYS, first=_REAL_FIRST):
    """Numbers of 32 bits, from ``min_allowed_value`` to ``max_allowed_value``; NaN and infinities if they are allowed."""

    min_allowed_value: JavaFloat | None = None
    max_allowed_value: JavaFloat | None = None
    allow_nan: bool = False
    allow_infinite: bool = False


class CategoricalMetaData(ColumnMetaData, java=_JAVA + "CategoricalMetaData"):
    """One of a list of texts, ``state_names``; their order is that of one-hot columns and integers made of them."""

    state_names: Sequence[str]


class TimeMetaData(ColumnMetaData, java=_JAVA + "TimeMetaData"):
    """Milliseconds since 1970 (UTC), as longs, from ``min_valid_time`` to ``max_valid_time``."""

    time_zone: str = "UTC"
    """ID of the zone that is meant where a time is split into day, hour and so on, such as ``Europe/Paris``."""
    min_valid_time: JavaLong | None = None
    max_valid_time: JavaLong | None = None


class BooleanMetaData(ColumnMetaData, java=_JAVA + "BooleanMetaData"):
    """True or false."""


class BinaryMetaData(ColumnMetaData, java=_JAVA + "BinaryMetaData"):
    """A column of bytes."""

    @classmethod
    def type_name(cls) -> str:
        return "Bytes"


class NDArrayMetaData(ColumnMetaData, java=_JAVA + "NDArrayMetaData"):
    """Arrays of one ``shape``, where a negative size stands for any."""

    shape: Sequence[JavaLong]
