"""What a type annotation of an option means: which values it takes, and how they look in DL4J's JSON."""

import math
import typing
from collections.abc import Callable, Mapping, Sequence
from numbers import Integral, Real
from types import NoneType, UnionType
from typing import Any, Literal, NamedTuple, Protocol, Union, get_args, get_origin

from pydl4j.conf._literals import as_bool, as_float, as_int, is_unicode
from pydl4j.conf._numbers import IntKey
from pydl4j.conf._reading import At
from pydl4j.errors import ConfigError, suggestion

__all__ = [
    "AtLeast",
    "Between",
    "Bits",
    "Codec",
    "CodecBase",
    "FloatCodec",
    "FrozenMap",
    "JavaNames",
    "LessThan",
    "MapCodec",
    "Mismatch",
    "MoreThan",
    "NotFinite",
    "Repeat",
    "SequenceCodec",
    "Stored",
    "TextCodec",
    "Unset",
    "codec_of",
]


class AtLeast(NamedTuple):
    """A number that is not below ``low``."""

    low: float

    def admits(self, value: float) -> bool:
        return value >= self.low

    def __str__(self) -> str:
        return f">= {self.low}"


class MoreThan(NamedTuple):
    """A number above ``low``."""

    low: float

    def admits(self, value: float) -> bool:
        return value > self.low

    def __str__(self) -> str:
        return f"> {self.low}"


class LessThan(NamedTuple):
    """A number below ``high``."""

    high: float

    def admits(self, value: float) -> bool:
        return value < self.high

    def __str__(self) -> str:
        return f"< {self.high}"


class Between(NamedTuple):
    """A number from ``low`` (excluded, or with ``closed`` included) to ``high`` (included)."""

    low: float
    high: float
    closed: bool = False

    def admits(self, value: float) -> bool:
        return self.low < value <= self.high or (self.closed and value == self.low)

    def __str__(self) -> str:
        return f">{'=' if self.closed else ''} {self.low} and <= {self.high}"


class Bits(NamedTuple):
    """An int that Java's type of so many bits can hold; without it, 32 as Java's ``int`` has them."""

    bits: int

    def admits(self, value: int) -> bool:
        return -(1 << (self.bits - 1)) <= value < 1 << (self.bits - 1)

    def __str__(self) -> str:
        return f"an int of {self.bits} bits"


class NotFinite(NamedTuple):
    """NaN and infinities are taken, too; without it numbers are finite."""

    def admits(self, value: float) -> bool:
        return True

    def __str__(self) -> str:
        return "any number"


class JavaNames:
    """The Java names of the choices of a ``Literal``, in its order; without it they are its words in capitals."""

    def __init__(self, *names: str) -> None:
        self.names = names


class Unset(NamedTuple):
    """The JSON value that DL4J writes where Python has ``None``."""

    json: float


class Mismatch(Exception):  # noqa: N818 - never leaves this package
    """A value that an option does not take; the message says what it takes: ``must ...``."""


class Codec(Protocol):
    """The values of one annotation."""

    def coerce(self, value: Any) -> Any:
        """``value`` in canonical form; raises `Mismatch`."""

    def write(self, value: Any) -> Any:
        """The JSON form of a canonical value."""

    def read(self, tree: Any, at: At) -> Any:
        """A value that `coerce` takes, from JSON. ``at`` is its place."""


class FrozenMap(dict[Any, Any]):
    """A dictionary that is not changed after it was made, and can therefore be hashed."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))


class CodecBase:
    """A codec that stands in an annotation itself, for what no rule describes."""

    def coerce(self, value: Any) -> Any:
        raise NotImplementedError

    def write(self, value: Any) -> Any:
        raise NotImplementedError

    def read(self, tree: Any, at: At) -> Any:
        raise NotImplementedError


class Stored(NamedTuple):
    """The annotation of the values that an option keeps, where its class brings what is given into that form first."""

    annotation: Any


class Repeat(NamedTuple):
    """A number that DL4J writes as an array: itself, then itself again or other numbers in its place.

    The annotation has a tuple, too, for documents with other numbers: ``Annotated[int | tuple[int, int], Repeat(2)]``.
    """

    length: int
    others: int | None = None
    """What follows; ``None`` for the number itself."""


class _Repeated:
    """A number, in JSON an array that starts with it; where a document has another array, that array."""

    def __init__(self, item: Codec, repeat: Repeat) -> None:
        self.item, self.repeat = item, repeat

    def coerce(self, value: Any) -> Any:
        if not isinstance(value, Sequence) or isinstance(value, str):
            return self.item.coerce(value)
        items = [self.item.coerce(item) for item in value]
        if len(items) not in {1, self.repeat.length}:
            raise Mismatch(f"must be one number, or {self.repeat.length}")
        return items[0] if items == self.write(items[0]) else tuple(items)

    def write(self, value: Any) -> Any:
        if value is None or isinstance(value, tuple):
            return value and list(value)
        rest = value if self.repeat.others is None else self.repeat.others
        return [value, *[rest] * (self.repeat.length - 1)]

    def read(self, tree: Any, at: At) -> Any:
        return tree


class _Plain:
    """A scalar that JSON has, too."""

    def write(self, value: Any) -> Any:
        return value

    def read(self, tree: Any, at: At) -> Any:
        return tree


class _Bool(_Plain):
    def coerce(self, value: Any) -> bool:
        if isinstance(value, bool) or _is_numpys(value, "bool"):
            return bool(value)
        raise Mismatch("must be True or False")

    def read(self, tree: Any, at: At) -> Any:
        return as_bool(tree)


def _is_numpys(value: Any, kind: str) -> bool:
    """A scalar of numpy, which is not imported for that."""
    dtype = getattr(value, "dtype", None)
    return str(dtype) == kind and getattr(value, "shape", None) == ()


class TextCodec(_Plain):
    def coerce(self, value: Any) -> str:
        if not isinstance(value, str):
            raise Mismatch("must be a string")
        if not is_unicode(value):
            raise Mismatch("must be a string without halves of surrogate pairs")
        return value


Limit = AtLeast | MoreThan | LessThan | Between | Bits | NotFinite


class _Int(_Plain):
    def __init__(self, limits: Sequence[Limit] = ()) -> None:
        self.limits = [limit for limit in limits if not isinstance(limit, Bits)]
        self.bits = next((limit for limit in limits if isinstance(limit, Bits)), Bits(32))

    def coerce(self, value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, Integral):
            raise Mismatch("must be an int")
        if not self.bits.admits(int(value)):
            raise Mismatch(f"must be {self.bits}")
        _check(value, self.limits)
        return int(value)

    def read(self, tree: Any, at: At) -> Any:
        return as_int(tree)


class FloatCodec(_Plain):
    def __init__(self, limits: Sequence[Limit] = ()) -> None:
        self.limits = limits

    def coerce(self, value: Any) -> float:
        number = number_of(value)
        if number is None:
            raise Mismatch("must be a number")
        if not math.isfinite(number) and not any(isinstance(limit, NotFinite) for limit in self.limits):
            raise Mismatch("must be finite")
        _check(number, self.limits)
        return number

    def read(self, tree: Any, at: At) -> Any:
        return as_float(tree)


def number_of(value: Any) -> float | None:
    """``value`` as a float if it is a number (numpy's included), else ``None``."""
    if isinstance(value, bool) or not isinstance(value, Real):
        return None
    try:
        return float(value)
    except OverflowError:  # an int of more than 308 digits
        return math.inf


def _check(value: Any, limits: Sequence[Limit]) -> None:
    for limit in limits:
        if not limit.admits(value):
            raise Mismatch(f"must be {limit}")


def squash(word: str) -> str:
    """A word without what its spellings in Java and Python differ in."""
    return word.replace("_", "").replace("-", "").lower()


class _Choice:
    """Words of a ``Literal``, also taken in Java's spelling."""

    def __init__(self, words: Sequence[str], java_names: Sequence[str]) -> None:
        self.words = words
        self.to_java = dict(zip(words, java_names, strict=True))
        self.spellings = {squash(word): word for word in words} | {
            squash(java): word for word, java in self.to_java.items()
        }

    def coerce(self, value: Any) -> str:
        if isinstance(value, str) and squash(value) in self.spellings:
            return self.spellings[squash(value)]
        raise Mismatch(f"must be one of {', '.join(map(repr, self.words))}{suggestion(value, self.words)}")

    def write(self, value: Any) -> Any:
        return self.to_java[value]

    def read(self, tree: Any, at: At) -> Any:
        return tree


class Family(Protocol):
    """A class of configuration objects, as `pydl4j.conf._kernel.Conf` defines it."""

    __name__: str

    def convert(self, value: Any) -> Any:
        """An instance from something shorter, such as a name; raises `Mismatch`."""

    def read(self, tree: Any, at: At) -> Any:
        """An instance from JSON."""


class _Object:
    """A configuration object of a family, or what converts to one: a name, a number, an object of another family."""

    def __init__(self, family: Any) -> None:
        self.family = family

    def coerce(self, value: Any) -> Any:
        return value if isinstance(value, self.family) else self.family.convert(value)

    def write(self, value: Any) -> Any:
        return None if isinstance(value, float) else value.to_tree()  # a float is a dropout of 0.0: none

    def read(self, tree: Any, at: At) -> Any:
        return self.family.read(tree, at)


class SequenceCodec:
    """A tuple, of fixed or any length; one item stands for all of a fixed length."""

    def __init__(self, item: Codec, length: int | None, *, widen: bool) -> None:
        self.item, self.length, self.widen = item, length, widen

    def coerce(self, value: Any) -> tuple[Any, ...]:
        if self.widen and self.length and isinstance(value, Integral):
            value = (value,) * self.length
        if not isinstance(value, Sequence) or isinstance(value, str):
            raise Mismatch(f"must be a sequence{f' of {self.length}' if self.length else ''}")
        if self.length is not None and len(value) != self.length:
            raise Mismatch(f"must have {self.length} items")
        return tuple(self._coerce_item(i, item) for i, item in enumerate(value))

    def _coerce_item(self, index: int, item: Any) -> Any:
        try:
            return self.item.coerce(item)
        except Mismatch as mismatch:
            raise Mismatch(f"{mismatch} at index {index}") from None

    def write(self, value: Any) -> Any:
        return [self.item.write(item) for item in value]

    def read(self, tree: Any, at: At) -> Any:
        if not isinstance(tree, list):
            return tree
        return tuple(self.item.read(item, at.item(i)) for i, item in enumerate(tree))


class MapCodec:
    """A mapping; JSON has its keys as strings."""

    def __init__(self, key: type, item: Codec) -> None:
        self.key, self.item = key, item
        self.key_codec: Codec = _Int() if key is int else TextCodec()

    def coerce(self, value: Any) -> FrozenMap:
        if not isinstance(value, Mapping):
            raise Mismatch(f"must be a mapping from {self.key.__name__}")
        return FrozenMap({self._coerce_key(key): self._coerce_item(key, value[key]) for key in value})

    def _coerce_key(self, key: Any) -> Any:
        try:
            return self.key_codec.coerce(key)
        except Mismatch as mismatch:
            raise Mismatch(f"must have keys of which each {mismatch}: not {key!r}") from None

    def _coerce_item(self, key: Any, item: Any) -> Any:
        try:
            return self.item.coerce(item)
        except Mismatch as mismatch:
            raise Mismatch(f"{mismatch} at key {key!r}") from None

    def write(self, value: Any) -> Any:
        return {IntKey(key): self.item.write(value[key]) for key in value}

    def read(self, tree: Any, at: At) -> Any:
        if not isinstance(tree, dict):
            return tree
        return {self._read_key(key, at): self.item.read(value, at.key(key)) for key, value in tree.items()}

    def _read_key(self, key: str, at: At) -> Any:
        try:
            return self.key(key)
        except ValueError:
            message = f"{at.path} must have keys that are numbers. Received: {key!r}"
            raise ConfigError(message, path=at.path) from None


class _Optional:
    """A value or ``None``."""

    def __init__(self, item: Codec, unset: float | None) -> None:
        self.item, self.unset = item, unset

    def coerce(self, value: Any) -> Any:
        return None if value is None else self.item.coerce(value)

    def write(self, value: Any) -> Any:
        return self.unset if value is None else self.item.write(value)

    def read(self, tree: Any, at: At) -> Any:
        if tree is None:
            return None
        value = self.item.read(tree, at)
        return None if self.unset is not None and _same(value, self.unset) else value


def _same(value: Any, unset: float) -> bool:
    return bool(value == unset or (isinstance(value, float) and math.isnan(value) and math.isnan(unset)))


def codec_of(annotation: Any, *, number_only: bool = False) -> Codec:
    """The codec of an annotation: a scalar, choice, object, sequence or mapping, or a union of these.

    ``number_only`` leaves configuration classes out of a union.
    """
    members, markers = _flatten(annotation)
    stored = next((marker for marker in markers if isinstance(marker, Stored)), None)
    if stored is not None:
        return codec_of(stored.annotation)
    if number_only:
        members = [member for member in members if not _is_family(member)]
    unset = next((marker.json for marker in markers if isinstance(marker, Unset)), None)
    optional = NoneType in members
    members = [member for member in members if member is not NoneType]
    own = next((marker for marker in markers if isinstance(marker, CodecBase)), None)
    repeat = next((marker for marker in markers if isinstance(marker, Repeat)), None)
    members = [member for member in members if not (repeat and get_origin(member) is tuple)]
    codec = own or _codec_of_members(members, markers)
    codec = _Repeated(codec, repeat) if repeat else codec
    return _Optional(codec, unset) if optional else codec


def _is_family(member: Any) -> bool:
    return isinstance(member, type) and hasattr(member, "to_tree")


def _flatten(annotation: Any) -> tuple[list[Any], list[Any]]:
    """The members of a union and all ``Annotated`` markers in it."""
    origin = get_origin(annotation)
    if origin is typing.Annotated:
        inner, *own = get_args(annotation)
        members, markers = _flatten(inner)
        return members, [*own, *markers]
    if origin in {Union, UnionType}:
        parts = [_flatten(part) for part in get_args(annotation)]
        return [m for members, _ in parts for m in members], [m for _, markers in parts for m in markers]
    return [annotation], []


def _codec_of_members(members: list[Any], markers: list[Any]) -> Codec:
    families = [member for member in members if _is_family(member)]
    if families:
        return _Object(families[0])
    sequences = [m for m in members if get_origin(m) in {tuple, Sequence}]
    if sequences:
        return _sequence_of(sequences[0], markers, widen=int in members)
    words = tuple(word for m in members if get_origin(m) is Literal for word in get_args(m))
    if words:
        return _choice_of(words, markers)
    (member,) = members
    origin = get_origin(member)
    if origin is Mapping:
        key, item = get_args(member)
        return MapCodec(key, codec_of(item))
    limits = [m for m in markers if isinstance(m, Limit)]
    scalars: dict[Any, Callable[[], Codec]] = {
        bool: _Bool,
        str: TextCodec,
        int: lambda: _Int(limits),
        float: lambda: FloatCodec(limits),
    }
    return scalars[member]()


def _choice_of(words: tuple[str, ...], markers: list[Any]) -> _Choice:
    names = next((marker.names for marker in markers if isinstance(marker, JavaNames)), None)
    return _Choice(words, names or [word.upper() for word in words])


def _sequence_of(annotation: Any, markers: list[Any], *, widen: bool) -> SequenceCodec:
    arguments = get_args(annotation)
    fixed = get_origin(annotation) is tuple and Ellipsis not in arguments
    item = codec_of(typing.Annotated[arguments[0], *markers] if markers else arguments[0])
    return SequenceCodec(item, len(arguments) if fixed else None, widen=widen)
