"""Ranks of a layered diagram: which box is in which, in what order, and how far to the left or right."""

from bisect import bisect_right, insort
from collections.abc import Mapping, Sequence
from itertools import pairwise

__all__ = ["Ranks", "Spot", "arrange"]

_SIDE = 0.3  # between boxes of a rank; lengths are in inches
_LANE = 0.16  # room of a line that passes a rank
_SWEEPS = 12
_FREE, _STIFF = 2.0, 1e9  # how hard a spot is to move: others, the spine


class Spot:
    """A box, or the place of a line, in a rank."""

    def __init__(self, rank: int, width: float, height: float, *, box: bool) -> None:
        self.rank, self.width, self.height, self.box = rank, width, height, box
        self.above: list[Spot] = []
        self.below: list[Spot] = []
        self.order = self.center = 0.0
        self.weight = _FREE


Ranks = list[list[Spot]]


def arrange(
    sizes: Mapping[str, tuple[float, float]], edges: Sequence[tuple[str, str]]
) -> tuple[dict[str, Spot], list[list[Spot]], Ranks]:
    """The spots of boxes by name, those that each line passes from end to end, and all of them by rank.

    ``sizes`` names every box after all those that an edge leads from to it.
    """
    ranks = _rank(list(sizes), edges)
    spots = {name: Spot(ranks[name], *size, box=True) for name, size in sizes.items()}
    for name in _spine(list(sizes), edges):
        spots[name].weight = _STIFF
    chains = [_chain(spots[source], spots[target]) for source, target in edges]
    rows = _rows([*spots.values(), *(spot for chain in chains for spot in chain[1:-1])])
    _order(rows)
    _center(rows)
    _straighten(rows, [chain[1:-1] for chain in chains if len(chain) > 2])
    return spots, chains, rows


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


def _chain(source: Spot, target: Spot) -> list[Spot]:
    """Both ends of a line, and a place in each rank between them."""
    lanes = [Spot(rank, _LANE, 0.0, box=False) for rank in range(source.rank + 1, target.rank)]
    chain = [source, *lanes, target]
    for upper, lower in pairwise(chain):
        upper.below.append(lower)
        lower.above.append(upper)
    return chain


def _rows(spots: Sequence[Spot]) -> Ranks:
    """The spots by rank, with the spine in the middle."""
    rows: Ranks = [[] for _ in range(max((spot.rank for spot in spots), default=-1) + 1)]
    for spot in sorted(spots, key=lambda spot: spot.weight):  # the spine last
        rows[spot.rank].append(spot)
    for row in rows:
        if row and row[-1].weight == _STIFF:
            row.insert((len(row) - 1) // 2, row.pop())
    return [row for row in rows if row]


def _order(rows: Ranks) -> None:
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


def _number(rows: Ranks) -> None:
    for row in rows:
        for index, spot in enumerate(row):
            spot.order = index


def _mean(values: Sequence[float], default: float) -> float:
    return sum(values) / len(values) if values else default


def _crossings(rows: Ranks) -> int:
    count = 0
    for row in rows:
        ends = [lower.order for spot in row for lower in sorted(spot.below, key=lambda spot: spot.order)]
        seen: list[float] = []
        for end in ends:
            count += len(seen) - bisect_right(seen, end)
            insort(seen, end)
    return count


def _center(rows: Ranks) -> None:
    """Give every spot the center that is nearest to its neighbours' and leaves room for the others of its rank."""
    for row in rows:
        _settle(row, [0.0] * len(row))
    for sweep in range(_SWEEPS):
        down = sweep % 2 == 0
        for row in rows if down else reversed(rows):
            _settle(row, [_pull(spot.above if down else spot.below, spot) for spot in row])
    for row in rows:
        _settle(row, [_pull(spot.above + spot.below, spot) for spot in row])


def _pull(neighbours: Sequence[Spot], spot: Spot) -> float:
    """Where a spot would be best: the spine under the spine, others at the mean."""
    if spot.weight == _STIFF:
        return 0.0
    return _mean([n.center for n in neighbours], spot.center)


def _settle(row: Sequence[Spot], wanted: Sequence[float]) -> None:
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


def _straighten(rows: Ranks, lanes: Sequence[Sequence[Spot]]) -> None:
    """Move the places of each line that passes ranks to one below the other, as far out as the outermost of them."""
    wanted = {spot: spot.center for row in rows for spot in row}
    for _ in range(_SWEEPS):
        for lane in lanes:
            outermost = max((spot.center for spot in lane), key=abs)
            wanted.update(dict.fromkeys(lane, outermost))
        for row in rows:
            _settle(row, [wanted[spot] for spot in row])
