"""The order in which Java's hash tables give their keys back."""

from collections.abc import Hashable, Iterable
from typing import TypeVar

__all__ = ["hash_set_order"]

Key = TypeVar("Key", int, str)


def hash_set_order(keys: Iterable[Key]) -> list[Key]:
    """Strings or ints in the order of a ``java.util.HashSet`` (or the keys of a ``HashMap``) that got them in this order.

    The table has a power of two of buckets, at least 16, and grows when it is three quarters full.
    """
    unique = list(dict.fromkeys(keys))
    buckets = 16
    while len(unique) > buckets * 3 // 4:
        buckets *= 2
    return sorted(unique, key=lambda key: _spread(_hash_code(key)) & (buckets - 1))  # stable within a bucket


def _hash_code(key: Hashable) -> int:
    if isinstance(key, int):
        return key & 0xFFFFFFFF
    code = 0
    for unit in memoryview(str(key).encode("utf-16-le")).cast("H"):
        code = (31 * code + unit) & 0xFFFFFFFF
    return code


def _spread(code: int) -> int:
    return code ^ (code >> 16)
