"""Columns of a diagram: ranks below one another, and a further column where that would be too high."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import inf
from typing import NamedTuple

from pydl4j.plot.ranks import Ranks, Spot

__all__ = ["GUTTER", "Column", "columns_of", "height_of", "total_width"]

_GAP = 0.17  # between ranks; lengths are in inches
_SLANT = 0.09  # more of it for each inch that a line moves sideways
_WIDEST_GAP = 0.55
GUTTER = 0.7
"""Between columns."""
_FOLD_ABOVE = 13.0  # height from which a diagram is folded
_MOST_COLUMNS = 20
_WORTH = 0.75  # of the size, what a folding must get down to
_ASPECT = 1.45  # width to height of a folded diagram


class Column(NamedTuple):
    """Ranks below one another, with their tops from the column's top."""

    rows: Ranks
    tops: list[float]

    @property
    def height(self) -> float:
        """From the top of the first rank to the bottom of the last."""
        return self.tops[-1] + height_of(self.rows[-1])

    @property
    def left(self) -> float:
        """Where the leftmost spot begins."""
        return min(spot.center - spot.width / 2 for row in self.rows for spot in row)

    @property
    def width(self) -> float:
        """From there to where the rightmost ends."""
        return max(spot.center + spot.width / 2 for row in self.rows for spot in row) - self.left


def height_of(row: Sequence[Spot]) -> float:
    """The height of the highest."""
    return max(spot.height for spot in row)


def columns_of(rows: Ranks) -> list[Column]:
    """The ranks in one column, or where that is too high in as many as make a picture of a good shape."""
    whole = _column(rows)
    if whole.height <= _FOLD_ABOVE:
        return [whole]
    foldings = [[_column(part) for part in parts] for parts in _foldings(rows, whole)]
    best = min(foldings, key=_size)
    return best if _size(best) < _WORTH * _size([whole]) else [whole]


def _size(columns: Sequence[Column]) -> float:
    """The height of the picture of the wanted shape that has room for the columns."""
    return max(total_width(columns) / _ASPECT, *(column.height for column in columns))


def _foldings(rows: Ranks, whole: Column) -> Iterator[list[Ranks]]:
    """The best ways to divide the ranks into 1, 2, ... columns of similar heights, cut where all lines come from one spot."""
    sources = [sum(bool(spot.below) for spot in row) for row in rows]
    cuts = [0, *(i for i in range(1, len(rows)) if sources[i - 1] == 1), len(rows)]
    ends = [0.0, *(whole.tops[cut] for cut in cuts[1:-1]), whole.height]
    costs = [[end**2 for end in ends]]  # the sum of squared heights, by number of columns, up to each cut
    ways: list[list[int]] = [[0] * len(cuts)]  # the cut before
    for count in range(min(_MOST_COLUMNS, len(cuts) - 1)):
        if count:
            before = costs[-1]
            tried = [[(before[a] + (ends[b] - ends[a]) ** 2, a) for a in range(b)] for b in range(len(cuts))]
            best = [min(options, default=(inf, 0)) for options in tried]
            costs.append([cost for cost, _ in best])
            ways.append([way for _, way in best])
        if costs[-1][-1] < inf:
            yield [rows[start:end] for start, end in pairwise(_cuts(cuts, ways))]


def _cuts(cuts: Sequence[int], ways: Sequence[Sequence[int]]) -> list[int]:
    """The chosen cuts, from where the last column ends back to 0."""
    chosen, here = [cuts[-1]], len(cuts) - 1
    for way in reversed(ways):
        here = way[here]
        chosen.append(cuts[here])
    return chosen[::-1]


def _column(rows: Ranks) -> Column:
    tops = [0.0]
    for row in rows[:-1]:
        tops.append(tops[-1] + height_of(row) + _gap(row))
    return Column(rows, tops)


def _gap(row: Sequence[Spot]) -> float:
    """The room below a row, for its lines to move sideways."""
    sideways = [abs(upper.center - lower.center) for upper in row for lower in upper.below]
    return min(_GAP + _SLANT * max(sideways, default=0.0), _WIDEST_GAP)


def total_width(columns: Sequence[Column]) -> float:
    """The width of columns side by side."""
    return sum(column.width for column in columns) + GUTTER * (len(columns) - 1)
