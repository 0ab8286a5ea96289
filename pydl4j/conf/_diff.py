"""`diff`: what differs between two configurations."""

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import Any, Final, NamedTuple, TypeGuard

from pydl4j.conf._kernel import Conf
from pydl4j.conf._paths import join
from pydl4j.conf._reading import At
from pydl4j.conf.layers.base import Layer

__all__ = ["ABSENT", "Difference", "Differences", "diff"]

_WIDEST = 60  # characters of a value in the table
_BY_LAYER = ("input_preprocessors", "layer_states")
"""Options of a network that have an item for a layer, by its index."""


class _Nothing(Enum):
    ABSENT = 0

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT: Final = _Nothing.ABSENT
"""The side of a difference where there is nothing: a layer or key that only the other side has."""


class Difference(NamedTuple):
    """One place where two configurations differ."""

    path: str
    """The place on the left, such as ``layers[2].n_out``; on the right for what only the right has."""
    left: Any
    right: Any

    @property
    def added(self) -> bool:
        """Only the right has it."""
        return self.left is ABSENT

    @property
    def removed(self) -> bool:
        """Only the left has it."""
        return self.right is ABSENT


class Differences(tuple[Difference, ...]):
    """What differs: a tuple of `Difference`, empty for equal configurations, shown as a table."""

    __slots__ = ()

    def __str__(self) -> str:
        if not self:
            return "no differences"
        rows = [("", "left", "right"), *((path, _cell(left), _cell(right)) for path, left, right in self)]
        widths = [max(len(row[column]) for row in rows) for column in (0, 1)]
        return "\n".join(f"{path:<{widths[0]}}  {left:<{widths[1]}}  {right}".rstrip() for path, left, right in rows)

    __repr__ = __str__


def diff(left: Conf, right: Conf) -> Differences:
    """What differs between two configurations, by path.

    Layers are matched before they are compared, equal ones first and then those of one class and name, so that an
    inserted layer is one difference and not a change of all that follow. A configuration that was read from a document
    lists what another inherits; if only one of the two was read, the other is compared as its document.

    >>> from pydl4j.conf.layers import DenseLayer, DropoutLayer
    >>> print(diff(DenseLayer(n_out=5), DenseLayer(n_out=6, updater="adam")))
             left  right
    updater  None  'adam'
    n_out    5     6
    """
    left, right = map(_without_given_names, _alike(left, right))
    return Differences(_compare(left, right, ""))


def _alike(left: Any, right: Any) -> tuple[Any, Any]:
    """Both sides as they are, or both as documents."""
    was_read = {getattr(side, "as_written", None) for side in (left, right)}
    if type(left) is not type(right) or was_read != {True, False}:
        return left, right
    document = type(left).read
    return (left, document(right.to_tree(), At(""))) if left.as_written else (document(left.to_tree(), At("")), right)


def _without_given_names(conf: Any) -> Any:
    """A document without the names that DL4J gives to layers by their place."""
    if not getattr(conf, "as_written", False) or not hasattr(conf, "layers"):
        return conf
    return conf.replace(layers=[_without_name(layer, f"layer{i}") for i, layer in enumerate(conf.layers)])


def _without_name(layer: Layer, name: str) -> Layer:
    inside = {option: _without_name(getattr(layer, option), name) for option in layer.wraps}
    return layer.replace(**inside, **({"name": None} if layer.name == name else {}))


def _compare(left: Any, right: Any, path: str) -> Iterator[Difference]:
    if _same(left, right):
        return
    if isinstance(left, Conf) and type(left) is type(right):
        yield from _compare_options(left, right, path)
    elif isinstance(left, Mapping) and isinstance(right, Mapping):
        keys = [(key, key) for key in dict.fromkeys((*left, *right))]
        yield from _compare_items(left, right, keys, path)
    elif _is_objects(left) and _is_objects(right):
        yield from _compare_items(dict(enumerate(left)), dict(enumerate(right)), _matched(left, right), path)
    else:
        yield Difference(path, left, right)


def _same(left: Any, right: Any) -> bool:
    return bool(left == right or (left != left and right != right))  # noqa: PLR0124 - NaN


def _is_objects(value: Any) -> TypeGuard[tuple[Conf, ...]]:
    return isinstance(value, tuple) and all(isinstance(item, Conf) for item in value)


def _compare_options(left: Any, right: Any, path: str) -> Iterator[Difference]:
    for name in type(left).options():
        ours, theirs, place = getattr(left, name), getattr(right, name), join(path, name, item=False)
        if name in _BY_LAYER and ours and theirs:
            matched = _matched(left.layers, right.layers)
            yield from _compare_items(_by_index(ours), _by_index(theirs), matched, place)
        else:
            yield from _compare(ours, theirs, place)


def _by_index(items: Any) -> Mapping[int, Any]:
    return items if isinstance(items, Mapping) else dict(enumerate(items))


def _compare_items(
    left: Mapping[Any, Any], right: Mapping[Any, Any], keys: Sequence[tuple[Any, Any]], path: str
) -> Iterator[Difference]:
    """The differences of items that belong together, by their keys left and right."""
    for ours, theirs in keys:
        key = ours if ours in left else theirs
        yield from _compare(left.get(ours, ABSENT), right.get(theirs, ABSENT), join(path, key, item=True))


Pairs = list[tuple[int | None, int | None]]


def _matched(left: Sequence[Conf], right: Sequence[Conf]) -> Pairs:
    """Which item of the left is which of the right, by index, in order; ``None`` where there is none."""
    head = _common(left, right)
    tail = _common(left[head:][::-1], right[head:][::-1])
    ours, theirs = range(head, len(left) - tail), range(head, len(right) - tail)
    ends = zip(range(len(left) - tail, len(left)), range(len(right) - tail, len(right)), strict=True)
    return [*((i, i) for i in range(head)), *_match(ours, theirs, left, right, exact=True), *ends]


def _common(left: Sequence[Conf], right: Sequence[Conf]) -> int:
    """How many items both start with. What follows is matched in a time that grows with its square."""
    pairs = enumerate(zip(left, right, strict=False))
    return next((i for i, (ours, theirs) in pairs if ours != theirs), min(len(left), len(right)))


def _match(ours: range, theirs: range, left: Sequence[Conf], right: Sequence[Conf], *, exact: bool) -> Pairs:
    """Pairs of equal items; between them, if ``exact``, pairs of items of one class and name."""
    from difflib import SequenceMatcher

    key = (lambda item: item) if exact else (lambda item: (type(item), getattr(item, "name", None)))
    a, b = [key(left[i]) for i in ours], [key(right[j]) for j in theirs]
    pairs: Pairs = []
    for kind, a0, a1, b0, b1 in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if kind == "equal" or (kind == "replace" and not exact and a1 - a0 == b1 - b0):
            pairs += zip(ours[a0:a1], theirs[b0:b1], strict=True)
        elif kind == "replace" and exact:
            pairs += _match(ours[a0:a1], theirs[b0:b1], left, right, exact=False)
        else:
            pairs += [(i, None) for i in ours[a0:a1]] + [(None, j) for j in theirs[b0:b1]]
    return pairs


def _cell(value: Any) -> str:
    if value is ABSENT:
        return "-"
    text = value.shown() if isinstance(value, Conf) else repr(value)
    return text if len(text) <= _WIDEST else f"{text[: _WIDEST - 3]}..."
