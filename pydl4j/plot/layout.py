"""Where the boxes and lines of a diagram go: layers from top to bottom, after Sugiyama, Tagawa and Toda (1981).

Every box gets a rank below all that it comes from. A line over several ranks passes each through a place of its own, so that
no line runs through a box. Within a rank the order follows the barycenters of the neighbours, and the places are the nearest
to the neighbours' that leave room, with the longest way through the network as a straight spine. A diagram that is too
high goes on in a further column, wherever all lines to what is below come from one place.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from pydl4j.plot.columns import GUTTER, Column, columns_of, height_of, total_width
from pydl4j.plot.ranks import Spot, arrange

__all__ = ["Box", "Layout", "Line", "lay_out"]

_MARGIN = 0.2  # between a line to the next column and what it passes, in inches


class Point(NamedTuple):
    """A place, with ``y`` downwards from the top."""

    x: float
    y: float


@dataclass(frozen=True)
class Box:
    """A rectangle: its left upper corner and size."""

    x: float
    y: float
    width: float
    height: float

    @property
    def center(self) -> float:
        """The middle of its width."""
        return self.x + self.width / 2

    @property
    def bottom(self) -> float:
        """Where it ends."""
        return self.y + self.height


@dataclass(frozen=True)
class Line:
    """A way from a box to one below: straight where two points have one ``x`` or ``y``, else to be drawn as a curve."""

    source: str
    target: str
    points: tuple[Point, ...]


@dataclass(frozen=True)
class Layout:
    """A diagram."""

    boxes: dict[str, Box]
    lines: tuple[Line, ...]
    width: float
    height: float


def lay_out(sizes: Mapping[str, tuple[float, float]], edges: Sequence[tuple[str, str]]) -> Layout:
    """Places for boxes of the given widths and heights, and lines from box to box.

    ``sizes`` names every box after all those that an edge leads from to it.
    """
    spots, chains, rows = arrange(sizes, edges)
    columns = columns_of(rows)
    margin = _MARGIN if len(columns) > 1 else 0.0
    seats = dict(_seats(columns, margin))
    lines = [
        Line(*edge, tuple(_points([seats[spot] for spot in chain]))) for edge, chain in zip(edges, chains, strict=True)
    ]
    height = 2 * margin + max(column.height for column in columns)
    return Layout({name: seats[spot].box for name, spot in spots.items()}, tuple(lines), total_width(columns), height)


@dataclass(frozen=True)
class _Seat:
    """A spot at its place in the picture."""

    box: Box
    passed: bool
    """No box, but where a line passes."""
    top: float
    """Of its rank."""
    bottom: float
    foot: float
    """Below its column, where a line to the next column goes."""
    gutter: float
    """Right of its column, where such a line goes up."""


def _seats(columns: Sequence[Column], margin: float) -> Iterator[tuple[Spot, _Seat]]:
    left = 0.0
    for column in columns:
        shift, foot, gutter = left - column.left, column.height + 2 * margin, left + column.width + GUTTER / 2
        for row, row_top in zip(column.rows, column.tops, strict=True):
            top, height = margin + row_top, height_of(row)
            for spot in row:
                x, y = shift + spot.center - spot.width / 2, top + (height - spot.height) / 2
                box = Box(x, y, spot.width, spot.height)
                yield spot, _Seat(box, not spot.box, top, top + height, foot, gutter)
        left += column.width + GUTTER


def _points(chain: Sequence[_Seat]) -> Iterator[Point]:
    """The corners of a line from the bottom of its first box to the top of its last."""
    for upper, lower in pairwise(chain):
        leaving, arriving = _port(upper, lower), _port(lower, upper)
        yield Point(leaving, upper.box.bottom)
        yield Point(leaving, upper.bottom)
        if upper.gutter != lower.gutter:
            above = lower.top - _MARGIN
            yield Point(leaving, upper.foot)
            yield Point(upper.gutter, upper.foot)
            yield Point(upper.gutter, above)
            yield Point(arriving, above)
        yield Point(arriving, lower.top)
        yield Point(arriving, lower.box.y)


def _port(seat: _Seat, other: _Seat) -> float:
    """Where a line leaves or enters a box: near to the other end, but not at a corner."""
    center = seat.box.center
    if seat.passed or seat.gutter != other.gutter:
        return center
    reach = seat.box.width * 0.3
    return min(max(other.box.center, center - reach), center + reach)
