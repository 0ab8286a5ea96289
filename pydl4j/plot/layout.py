"""Where the boxes and lines of a diagram go: layers from top to bottom, after Sugiyama, Tagawa and Toda (1981).

Every box gets a rank below all that it comes from. A line over several ranks passes each through a place of its own, so that
no line runs through a box. Within a rank the order follows the barycenters of the neighbours, and the places are the nearest
to the neighbours' that leave room, with the longest way through the network as a straight spine. A diagram that is too
high goes on in a further column, wherever a single line connects what is above with what is below.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf
from typing import NamedTuple

__all__ = ["Box", "Layout", "Line", "lay_out"]

_SIDE = 0.3  # between boxes of a rank; lengths are in inches
_LANE = 0.16  # room of a line that passes a rank
_GAP = 0.17  # between ranks
_SLANT = 0.09  # more of it for each inch that a line moves sideways
_WIDEST_GAP = 0.55
_GUTTER = 0.7  # between columns
_FOLD_ABOVE = 13.0  # height from which a diagram is folded
_MOST_COLUMNS = 20
_WORTH = 0.75  # of the size, what a folding must get down to
_ASPECT = 1.45  # width to height of a folded diagram
_MARGIN = 0.2  # between a line to the next column and what it passes
_SWEEPS = 12


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


class _Spot:
    """A box, or the place of a line, in a rank."""

    column: "_Column"
    top: float
    """Of its row."""
    row_height: float

    def __init__(self, rank: int, width: float, height: float, *, box: bool) -> None:
        self.rank, self.width, self.height, self.box = rank, width, height, box
        self.above: list[_Spot] = []
        self.below: list[_Spot] = []
        self.order = self.center = 0.0
        self.weight = 2.0

    @property
    def y(self) -> float:
        return self.top + (self.row_height - self.height) / 2


_Ranks = list[list[_Spot]]


def lay_out(sizes: Mapping[str, tuple[float, float]], edges: Sequence[tuple[str, str]]) -> Layout:
    """Places for boxes of the given widths and heights, and lines from box to box.

    ``sizes`` names every box after all those that an edge leads from to it.
    """
    ranks = _rank(list(sizes), edges)
    spots = {name: _Spot(ranks[name], *size, box=True) for name, size in sizes.items()}
    for name in _spine(list(sizes), edges):
        spots[name].weight = 1e9
    chains = [_chain(spots[source], spots[target]) for source, target in edges]
    rows = _rows([*spots.values(), *(spot for chain in chains for spot in chain[1:-1])])
    _order(rows)
    _center(rows)
    _straighten(rows, [chain[1:-1] for chain in chains if len(chain) > 2])
    columns = _columns(rows)
    return _place(spots, list(zip(edges, chains, strict=True)), columns)


def _rank(names: Sequence[str], edges: Sequence[tuple[str, str]]) -> dict[str, int]:
    """How many boxes are on the longest way to each; a box that nothing leads to is right above the first it leads to."""
    rank = dict.fromkeys(names, 0)
    into: dict[str, list[str]] = {name: [] for name in names}
    out: dict[str, list[str]] = {name: [] for name in names}
    for source, target in edges:
        into[target].append(source)
        out[source].append(target)
    for name in names:
        rank[name] = max((rank[source] + 1 for source in into[name]), default=0)
    for name in names:
        if not into[name] and out[name]:
            rank[name] = min(rank[target] for target in out[name]) - 1
    return rank


def _spine(names: Sequence[str], edges: Sequence[tuple[str, str]]) -> list[str]:
    """The longest way through the network."""
    way: dict[str, tuple[int, str | None]] = dict.fromkeys(names, (0, None))
    into: dict[str, list[str]] = {name: [] for name in names}
    for source, target in edges:
        into[target].append(source)
    for name in names:
        for source in into[name]:
            if way[source][0] + 1 > way[name][0]:
                way[name] = (way[source][0] + 1, source)
    here: str | None = max(names, key=lambda name: way[name][0], default=None)
    spine = []
    while here is not None:
        spine.append(here)
        here = way[here][1]
    return spine


def _chain(source: _Spot, target: _Spot) -> list[_Spot]:
    """Both ends of a line, and a place in each rank between them."""
    lanes = [_Spot(rank, _LANE, 0.0, box=False) for rank in range(source.rank + 1, target.rank)]
    chain = [source, *lanes, target]
    for upper, lower in pairwise(chain):
        upper.below.append(lower)
        lower.above.append(upper)
    return chain


def _rows(spots: Sequence[_Spot]) -> _Ranks:
    """The spots by rank, with the spine in the middle."""
    rows: _Ranks = [[] for _ in range(max((spot.rank for spot in spots), default=-1) + 1)]
    for spot in sorted(spots, key=lambda spot: spot.weight):  # the spine last
        rows[spot.rank].append(spot)
    for row in rows:
        if row and row[-1].weight > 2:
            row.insert((len(row) - 1) // 2, row.pop())
    return [row for row in rows if row]


def _order(rows: _Ranks) -> None:
    """Order each rank by the mean place of its neighbours, and keep the order with the fewest crossings."""
    _number(rows)
    best, fewest = [list(row) for row in rows], _crossings(rows)
    for sweep in range(_SWEEPS):
        if not fewest:
            break
        down = sweep % 2 == 0
        for row in rows if down else reversed(rows):
            places = {s: _mean([n.order for n in (s.above if down else s.below)], s.order) for s in row}
            row.sort(key=places.__getitem__)
            _number([row])
        crossings = _crossings(rows)
        if crossings < fewest:
            best, fewest = [list(row) for row in rows], crossings
    rows[:] = best
    _number(rows)


def _number(rows: _Ranks) -> None:
    for row in rows:
        for index, spot in enumerate(row):
            spot.order = index


def _mean(values: Sequence[float], default: float) -> float:
    return sum(values) / len(values) if values else default


def _crossings(rows: _Ranks) -> int:
    count = 0
    for row in rows:
        ends = [lower.order for spot in row for lower in sorted(spot.below, key=lambda spot: spot.order)]
        count += sum(a > b for i, a in enumerate(ends) for b in ends[i + 1 :])
    return count


def _center(rows: _Ranks) -> None:
    """Give every spot the center that is nearest to its neighbours' and leaves room for the others of its rank."""
    for row in rows:
        _settle(row, [0.0] * len(row))
    for sweep in range(_SWEEPS):
        down = sweep % 2 == 0
        for row in rows if down else reversed(rows):
            _settle(row, [_pull(spot.above if down else spot.below, spot) for spot in row])
    for row in rows:
        _settle(row, [_pull(spot.above + spot.below, spot) for spot in row])


def _pull(neighbours: Sequence[_Spot], spot: _Spot) -> float:
    """Where a spot would be best: the spine under the spine, others at the mean."""
    if spot.weight > 2:
        return 0.0
    return _mean([n.center for n in neighbours], spot.center)


def _settle(row: Sequence[_Spot], wanted: Sequence[float]) -> None:
    """The centers nearest to the wanted ones, by weighted least squares, that keep the order and the distances.

    With the distances taken off this is a regression to rising values, solved by pooling adjacent violators.
    """
    offsets = [0.0]
    for left, right in pairwise(row):
        side = _SIDE if left.box and right.box else _SIDE / 2
        offsets.append(offsets[-1] + (left.width + right.width) / 2 + side)
    pools: list[tuple[float, float, int]] = []  # mean, weight, number of spots
    for spot, want, offset in zip(row, wanted, offsets, strict=True):
        mean, weight, count = want - offset, spot.weight, 1
        while pools and pools[-1][0] > mean:
            other, its_weight, its_count = pools.pop()
            mean = (mean * weight + other * its_weight) / (weight + its_weight)
            weight, count = weight + its_weight, count + its_count
        pools.append((mean, weight, count))
    means = [mean for mean, _, count in pools for _ in range(count)]
    for spot, mean, offset in zip(row, means, offsets, strict=True):
        spot.center = mean + offset


def _straighten(rows: _Ranks, lanes: Sequence[Sequence[_Spot]]) -> None:
    """Move the places of each line that passes ranks to one below the other, as far out as the outermost of them."""
    wanted = {spot: spot.center for row in rows for spot in row}
    for _ in range(_SWEEPS):
        for lane in lanes:
            outermost = max((spot.center for spot in lane), key=abs)
            wanted.update(dict.fromkeys(lane, outermost))
        for row in rows:
            _settle(row, [wanted[spot] for spot in row])


class _Column(NamedTuple):
    """Ranks below one another, with their tops from the column's top."""

    rows: _Ranks
    tops: list[float]

    @property
    def height(self) -> float:
        return self.tops[-1] + _height(self.rows[-1])

    @property
    def left(self) -> float:
        return min(spot.center - spot.width / 2 for row in self.rows for spot in row)

    @property
    def width(self) -> float:
        return max(spot.center + spot.width / 2 for row in self.rows for spot in row) - self.left


def _height(row: Sequence[_Spot]) -> float:
    return max(spot.height for spot in row)


def _columns(rows: _Ranks) -> list[_Column]:
    """The ranks in one column, or where that is too high in as many as make a picture of a good shape."""
    whole = _column(rows)
    if whole.height <= _FOLD_ABOVE:
        return [whole]
    foldings = [[_column(part) for part in parts] for parts in _foldings(rows, whole)]
    best = min(foldings, key=_size)
    return best if _size(best) < _WORTH * _size([whole]) else [whole]


def _size(columns: Sequence[_Column]) -> float:
    """The height of the picture of the wanted shape that has room for the columns."""
    return max(_total_width(columns) / _ASPECT, *(column.height for column in columns))


def _foldings(rows: _Ranks, whole: _Column) -> Iterator[list[_Ranks]]:
    """The best ways to divide the ranks into 1, 2, ... columns of similar heights, cut where a single line passes."""
    passing = [sum(len(spot.below) for spot in row) for row in rows]
    cuts = [0, *(i for i in range(1, len(rows)) if passing[i - 1] == 1), len(rows)]
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


def _column(rows: _Ranks) -> _Column:
    tops = [0.0]
    for row, following in pairwise(rows):
        tops.append(tops[-1] + _height(row) + _gap(row, following))
    return _Column(rows, tops)


def _gap(row: Sequence[_Spot], following: Sequence[_Spot]) -> float:
    sideways = [abs(upper.center - lower.center) for upper in row for lower in upper.below if lower in following]
    return min(_GAP + _SLANT * max(sideways, default=0.0), _WIDEST_GAP)


def _total_width(columns: Sequence[_Column]) -> float:
    return sum(column.width for column in columns) + _GUTTER * (len(columns) - 1)


def _place(
    spots: Mapping[str, _Spot], chains: Sequence[tuple[tuple[str, str], list[_Spot]]], columns: Sequence[_Column]
) -> Layout:
    """Boxes and lines at their places in the picture."""
    left, margin = 0.0, _MARGIN if len(columns) > 1 else 0.0
    for column in columns:
        for row, top in zip(column.rows, column.tops, strict=True):
            for spot in row:
                spot.column, spot.top, spot.row_height = column, margin + top, _height(row)
        shift = left - column.left
        for spot in (spot for row in column.rows for spot in row):
            spot.center += shift
        left += column.width + _GUTTER
    boxes = {name: Box(spot.center - spot.width / 2, spot.y, spot.width, spot.height) for name, spot in spots.items()}
    lines = tuple(Line(source, target, tuple(_points(chain))) for (source, target), chain in chains)
    return Layout(boxes, lines, _total_width(columns), 2 * margin + max(column.height for column in columns))


def _points(chain: Sequence[_Spot]) -> Iterator[Point]:
    """The corners of a line from the bottom of its first box to the top of its last."""
    for upper, lower in pairwise(chain):
        leaving, arriving = _port(upper, lower), _port(lower, upper)
        yield Point(leaving, upper.y + upper.height)
        yield Point(leaving, upper.top + upper.row_height)
        if upper.column is not lower.column:
            yield from _around(upper.column, leaving, lower, arriving)
        yield Point(arriving, lower.top)
        yield Point(arriving, lower.y)


def _port(spot: _Spot, other: _Spot) -> float:
    """Where a line leaves or enters a box: near to the other end, but not at a corner."""
    if not spot.box or spot.column is not other.column:
        return spot.center
    reach = spot.width * 0.3
    return min(max(other.center, spot.center - reach), spot.center + reach)


def _around(column: _Column, leaving: float, lower: _Spot, arriving: float) -> Iterator[Point]:
    """The way from below a column through the gutter to above the next."""
    gutter = column.left + column.width + _GUTTER / 2
    below, above = column.height + 2 * _MARGIN, lower.top - _MARGIN
    yield Point(leaving, below)
    yield Point(gutter, below)
    yield Point(gutter, above)
    yield Point(arriving, above)
