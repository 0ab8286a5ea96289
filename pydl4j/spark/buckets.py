"""Buckets: sequences of similar lengths are trained together, and padded to their own length only."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from pydl4j.errors import ConfigError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

Buckets: TypeAlias = int | Sequence[int]
"""How many, of about as many sequences each; or the lengths of the longest sequence of each."""


def checked(buckets: Buckets) -> int | list[int]:
    """What was asked for.

    Raises:
        ConfigError: neither a number of buckets nor lengths.
    """
    lengths: list[int] = [buckets] if isinstance(buckets, int) else list(buckets)
    if not lengths or any(isinstance(length, bool) or not isinstance(length, int) or length < 1 for length in lengths):
        raise ConfigError(
            f"buckets must be an int from 1, or the lengths of the longest sequences of each. Received: {buckets!r}",
            path="buckets",
        )
    return buckets if isinstance(buckets, int) else lengths


def borders(frame: "DataFrame", longest: Mapping[str, int], buckets: int | list[int]) -> list[int]:
    """The lengths that sequences are padded to, in ascending order; the last is that of the longest.

    Args:
        frame: The DataFrame; a number of buckets takes a pass over the lengths of its sequences.
        longest: The length of the longest sequence of each column.
        buckets: What :func:`checked` gave.

    Raises:
        ConfigError: no sequences whose lengths are open.
    """
    if not longest:
        raise ConfigError(
            "buckets are for columns of sequences, and a network that does not say how long they are (time_series_length)",
            path="buckets",
        )
    most = max(longest.values())
    if not isinstance(buckets, int):
        return sorted({min(length, most) for length in buckets} | {most})
    sizes = [f"size(`{column.replace('`', '``')}`)" for column in longest]
    size = sizes[0] if len(sizes) == 1 else f"greatest({', '.join(sizes)})"
    shares = ", ".join(str(i / buckets) for i in range(1, buckets + 1))
    found = frame.selectExpr(f"percentile_approx({size}, array({shares})) as lengths").head()
    return sorted({*(int(length) for length in (found["lengths"] if found else [])), most})
