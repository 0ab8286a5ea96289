"""The order in which Java's hash tables give their keys back."""

import struct
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, TypeVar

__all__ = ["JavaType", "hash_set_order"]

Key = TypeVar("Key", int, str, float)
JavaType = Literal["string", "integer", "long", "double", "float"]


def hash_set_order(keys: Iterable[Key], java_type: JavaType | None = None, *, copied: bool = False) -> list[Key]:
    """Keys in the order of a ``java.util.HashSet`` (or the keys of a ``HashMap``) that got them in this order.

    Args:
        keys: Strings, or numbers.
        java_type: Their type in Java; by default String, or Integer for ints.
        copied: The set was made of a collection, which makes its table larger for some sizes, not filled one by one.

    The table has a power of two of buckets, at least 16, and grows when it is three quarters full.

    """
    unique = list(dict.fromkeys(keys))
    buckets = 16
    while buckets < len(unique) * 4 // 3 + 1 if copied else buckets * 3 < len(unique) * 4:
        buckets *= 2

    def bucket(key: object) -> int:
        code = _HASH_CODES[java_type or ("integer" if isinstance(key, int) else "string")](key)
        return (code ^ (code >> 16)) & (buckets - 1)

    return sorted(unique, key=bucket)  # stable within a bucket


def _of_string(key: str) -> int:
    code = 0
    for unit in memoryview(key.encode("utf-16-le", "surrogatepass")).cast("H"):
        code = (31 * code + unit) & 0xFFFFFFFF
    return code


def _of_long(key: int) -> int:
    bits = key & 0xFFFFFFFFFFFFFFFF
    return (bits ^ (bits >> 32)) & 0xFFFFFFFF


def _of_double(key: float) -> int:
    return _of_long(struct.unpack("<q", struct.pack("<d", key))[0])


def _of_float(key: float) -> int:
    return int(struct.unpack("<I", struct.pack("<f", key))[0])


_HASH_CODES: Mapping[JavaType, Callable[[Any], int]] = {
    "string": _of_string,
    "integer": lambda key: key & 0xFFFFFFFF,
    "long": _of_long,
    "double": _of_double,
    "float": _of_float,
}
"""What ``hashCode()`` returns, as 32 bits."""
