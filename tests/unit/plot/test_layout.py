"""Where boxes and lines go."""

from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pydl4j.plot.layout import Box, lay_out

EPS = 1e-6


def overlap(x0, x1, y0, y1, box: Box) -> bool:
    return x0 < box.x + box.width - EPS and x1 > box.x + EPS and y0 < box.bottom - EPS and y1 > box.y + EPS


def check(layout, edges) -> None:
    """What holds for every diagram."""
    for a, b in combinations(layout.boxes.values(), 2):
        assert not overlap(a.x, a.x + a.width, a.y, a.bottom, b)
    for box in layout.boxes.values():
        assert box.x >= -EPS
        assert box.y >= -EPS
        assert box.x + box.width <= layout.width + EPS
        assert box.bottom <= layout.height + EPS
    assert [(line.source, line.target) for line in layout.lines] == list(edges)
    for line in layout.lines:
        first, last = line.points[0], line.points[-1]
        source, target = layout.boxes[line.source], layout.boxes[line.target]
        assert first.y == pytest.approx(source.bottom)
        assert last.y == pytest.approx(target.y)
        assert source.x < first.x < source.x + source.width
        assert target.x < last.x < target.x + target.width
        assert all(-EPS <= x <= layout.width + EPS and -EPS <= y <= layout.height + EPS for x, y in line.points)
        for (x0, y0), (x1, y1) in pairwise(line.points):
            # a curve stays within the rectangle of its ends
            crossed = [b for b in layout.boxes.values() if overlap(*sorted((x0, x1)), *sorted((y0, y1)), b)]
            assert not crossed


def goes_down(layout) -> bool:
    return all(upper.y <= lower.y + EPS for line in layout.lines for upper, lower in pairwise(line.points))


@st.composite
def graphs(draw):
    """Boxes of any size, each fed by some of those before it."""
    count = draw(st.integers(1, 25))
    size = st.floats(0.2, 3)
    sizes = {f"v{i}": (draw(size), draw(size)) for i in range(count)}
    edges = []
    for i in range(1, count):
        sources = draw(st.sets(st.integers(0, i - 1), max_size=3))
        edges += [(f"v{source}", f"v{i}") for source in sorted(sources)]
    return sizes, edges


@given(graphs())
@settings(max_examples=150, deadline=None)
def test_boxes_keep_apart_and_no_line_runs_through_one(graph):
    sizes, edges = graph
    layout = lay_out(sizes, edges)
    assert {name: (box.width, box.height) for name, box in layout.boxes.items()} == sizes
    check(layout, edges)


def chain(count, height=0.5):
    names = [f"v{i}" for i in range(count)]
    return dict.fromkeys(names, (2.0, height)), list(pairwise(names))


def test_a_chain_is_a_column():
    sizes, edges = chain(8)
    layout = lay_out(sizes, edges)
    check(layout, edges)
    assert goes_down(layout)
    assert {box.x for box in layout.boxes.values()} == {0.0}
    tops = [box.y for box in layout.boxes.values()]
    assert tops == sorted(tops)
    assert all(len({point.x for point in line.points}) == 1 for line in layout.lines)


def test_a_long_chain_is_folded_into_columns_of_one_height():
    sizes, edges = chain(100)
    layout = lay_out(sizes, edges)
    check(layout, edges)
    columns = sorted({round(box.x, 6) for box in layout.boxes.values()})
    heights = [max(b.bottom for b in layout.boxes.values() if round(b.x, 6) == x) for x in columns]
    assert len(columns) >= 3
    assert max(heights) - min(heights) <= 1.0
    assert 1 < layout.width / layout.height < 2
    assert not goes_down(layout)  # a line to the next column goes up beside it


def test_blocks_with_branches_are_folded_between_the_blocks():
    sizes, edges, before = {"in": (2.0, 0.5)}, [], "in"
    for i in range(30):
        names = [f"{part}{i}" for part in ("left", "right", "below", "add")]
        sizes |= dict.fromkeys(names, (2.0, 0.5))
        left, right, below, add = names
        edges += [(before, left), (before, right), (right, below), (left, add), (below, add), (before, add)]
        before = add
    layout = lay_out(sizes, edges)
    check(layout, edges)
    assert 0.7 < layout.width / layout.height < 2.5
    columns = {round(layout.boxes[f"add{i}"].x, 3) for i in range(30)}
    assert len(columns) >= 3
    for i in range(30):  # a block stays together
        assert layout.boxes[f"below{i}"].y < layout.boxes[f"add{i}"].y


def test_a_skip_is_a_straight_line_beside_the_chain():
    sizes, edges = chain(8)
    edges.append(("v1", "v6"))
    layout = lay_out(sizes, edges)
    check(layout, edges)
    assert goes_down(layout)
    skip = layout.lines[-1]
    beside = [point.x for point in skip.points[2:-2]]
    assert max(beside) - min(beside) < EPS
    assert not 0.0 < beside[0] - layout.boxes["v0"].x < 2.0
    assert len({round(box.x, 6) for box in layout.boxes.values()}) == 1


def test_skips_are_nested_without_crossing():
    sizes, edges = chain(12)
    skips = [("v1", "v10"), ("v2", "v9"), ("v3", "v8"), ("v4", "v7")]
    layout = lay_out(sizes, [*edges, *skips])
    check(layout, [*edges, *skips])
    lanes = [abs(line.points[len(line.points) // 2].x - layout.boxes["v0"].center) for line in layout.lines[-4:]]
    sides = {line.points[len(line.points) // 2].x > layout.boxes["v0"].center for line in layout.lines[-4:]}
    assert len(sides) == 2 or lanes == sorted(lanes, reverse=True)


def test_branches_are_side_by_side():
    sizes = dict.fromkeys(("in", "a", "b", "c", "out"), (1.0, 0.5))
    edges = [("in", "a"), ("in", "b"), ("in", "c"), ("a", "out"), ("b", "out"), ("c", "out")]
    layout = lay_out(sizes, edges)
    check(layout, edges)
    assert layout.boxes["a"].y == layout.boxes["b"].y == layout.boxes["c"].y
    assert goes_down(layout)


def test_an_input_is_right_above_what_it_feeds():
    sizes, edges = chain(6)
    layout = lay_out({"late": (1.0, 0.5), **sizes}, [*edges, ("late", "v5")])
    assert layout.boxes["late"].y == layout.boxes["v4"].y


def test_one_box_is_a_diagram():
    layout = lay_out({"only": (2.0, 1.0)}, [])
    assert layout.boxes == {"only": Box(0.0, 0.0, 2.0, 1.0)}
    assert (layout.width, layout.height, layout.lines) == (2.0, 1.0, ())
