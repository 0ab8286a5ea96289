"""What DataVec's options take beside the kernel's types: numbers of Java's widths, hash sets, its enums."""

from collections.abc import Collection, Mapping, Sequence
from typing import Annotated, Any, Literal

from pydl4j.conf._codecs import (
    Bits,
    Codec,
    CodecBase,
    FloatCodec,
    FrozenMap,
    JavaNames,
    MapCodec,
    Mismatch,
    NotFinite,
    SequenceCodec,
    codec_of,
)
from pydl4j.conf._hash_order import JavaType, hash_set_order
from pydl4j.conf._numbers import Float32
from pydl4j.conf._reading import At

MathOp = Annotated[
    Literal[
        "add", "subtract", "multiply", "divide", "modulus", "reverse_subtract", "reverse_divide", "scalar_min",
        "scalar_max",
    ],
    JavaNames(
        "Add", "Subtract", "Multiply", "Divide", "Modulus", "ReverseSubtract", "ReverseDivide", "ScalarMin", "ScalarMax"
    ),
]  # fmt: skip
MathFunction = Literal[
    "abs", "acos", "asin", "atan", "ceil", "cos", "cosh", "exp", "floor", "log", "log10", "signum", "sin", "sinh",
    "sqrt", "tan", "tanh",
]  # fmt: skip
ReduceOp = Annotated[
    Literal[
        "prod", "min", "max", "range", "append", "prepend", "sum", "mean", "stdev", "uncorrected_std_dev", "variance",
        "population_variance", "count", "count_unique", "take_first", "take_last",
    ],
    JavaNames(
        "Prod", "Min", "Max", "Range", "Append", "Prepend", "Sum", "Mean", "Stdev", "UncorrectedStdDev", "Variance",
        "PopulationVariance", "Count", "CountUnique", "TakeFirst", "TakeLast",
    ),
]  # fmt: skip
ColumnType = Annotated[
    Literal["string", "integer", "long", "double", "float", "categorical", "time", "bytes", "boolean", "ndarray"],
    JavaNames("String", "Integer", "Long", "Double", "Float", "Categorical", "Time", "Bytes", "Boolean", "NDArray"),
]
Distance = Literal["cosine", "euclidean", "manhattan"]
TimeUnit = Literal["nanoseconds", "microseconds", "milliseconds", "seconds", "minutes", "hours", "days"]


JavaByte = Annotated[int, Bits(8)]
JavaInt = Annotated[int, Bits(32)]
JavaLong = Annotated[int, Bits(64)]


class _Single(FloatCodec, CodecBase):
    """A Java ``float``."""

    def coerce(self, value: Any) -> Float32:
        return Float32(super().coerce(value))


JavaFloat = Annotated[float, _Single([NotFinite()])]
JavaDouble = Annotated[float, NotFinite()]


class _Read(tuple[Any, ...]):
    """Members of a set in the order of a document."""

    __slots__ = ()


class SetOf(SequenceCodec, CodecBase):
    """A set: one of Python's, and any collection that DataVec copies (always), is put in the order of Java's hash sets."""

    def __init__(self, item: Codec, java_type: JavaType, *, always: bool = False) -> None:
        super().__init__(item, None, widen=False)
        self.members: JavaType = java_type
        self.always = always

    def coerce(self, value: Any) -> tuple[Any, ...]:
        if not isinstance(value, Collection) or isinstance(value, str | Mapping):
            raise Mismatch("must be a set or a sequence")
        members = tuple(dict.fromkeys(super().coerce(list(value))))
        if isinstance(value, set | frozenset):
            members = tuple(sorted(members))
        elif isinstance(value, _Read) or not self.always:
            return members
        return tuple(hash_set_order(members, self.members, copied=True))

    def read(self, tree: Any, at: At) -> Any:
        members = super().read(tree, at)
        return _Read(members) if isinstance(members, tuple) else members


INT_SET = SetOf(codec_of(JavaInt), "integer")
LONG_SET = SetOf(codec_of(JavaLong), "long")
FLOAT_SET = SetOf(codec_of(JavaFloat), "float")
DOUBLE_SET = SetOf(codec_of(float), "double")
TEXT_SET = SetOf(codec_of(str), "string")
TEXT_HASH_SET = SetOf(codec_of(str), "string", always=True)


class CategoriesCodec(MapCodec, CodecBase):
    """Names by int: a mapping, or a sequence whose indices they are."""

    def __init__(self) -> None:
        super().__init__(int, codec_of(str))

    def coerce(self, value: Any) -> FrozenMap:
        return super().coerce(dict(enumerate(value)) if _is_sequence(value) else value)


class VocabularyCodec(MapCodec, CodecBase):
    """Ints by word: a mapping, or a sequence of words, which DataVec numbers in a hash map."""

    def __init__(self) -> None:
        super().__init__(str, codec_of(JavaInt))

    def coerce(self, value: Any) -> FrozenMap:
        if not _is_sequence(value):
            return super().coerce(value)
        indices = super().coerce({word: index for index, word in enumerate(value)})
        return super().coerce({word: indices[word] for word in hash_set_order(indices)})


def _is_sequence(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)
