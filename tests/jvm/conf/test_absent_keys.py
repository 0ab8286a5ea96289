"""Documents that lack keys, as older releases wrote them: Python writes them back as DL4J itself does, or both refuse."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from recipes import document
from reference import Made, difference, made_by_dl4j

from pydl4j import MultiLayerConfiguration
from pydl4j.conf import _java
from pydl4j.errors import ConfigError

GOLDEN = Path(__file__).parents[2] / "golden" / "conf"
DOCUMENTS = {
    path.stem: path.read_text() for name in ("m21", "vectors") for path in sorted((GOLDEN / name).glob("*.json"))
}

Place = tuple[str | int, ...]


def by_python(text: str) -> Made:
    try:
        return Made(json=MultiLayerConfiguration.from_json(text).to_json())
    except ConfigError as error:
        return Made(refused=f"{type(error).__name__}: {error}")


MULTILAYER = {name: text for name, text in DOCUMENTS.items() if by_python(text).json}


def places(tree: Any, at: Place = ()) -> list[Place]:
    """Where the keys of a document are."""
    if isinstance(tree, dict):
        return [place for key in tree for place in ((*at, key), *places(tree[key], (*at, key)))]
    if isinstance(tree, list):
        return [place for i, item in enumerate(tree) for place in places(item, (*at, i))]
    return []


def at(tree: Any, place: Place) -> Any:
    """What is at a place; ``None`` if it is not there."""
    for step in place:
        tree = tree.get(step) if isinstance(tree, dict) else tree[step] if tree else None
    return tree


def without(text: str, removed: list[Place]) -> str:
    tree = _java.loads(text)
    for place in sorted(removed, key=len, reverse=True):
        at(tree, place[:-1]).pop(place[-1], None)
    return _java.dumps(tree)


def disagreements(texts: dict[str, list[Place]]) -> list[str]:
    """Where Python and DL4J differ on documents that lack something at some places.

    Where DL4J has nothing then, and could not use the network, Python may refuse the document or have its default.
    """
    python, dl4j = [by_python(text) for text in texts], made_by_dl4j([document(text) for text in texts])
    return [
        f"without {removed}: {difference(*both)}"
        for removed, *both in zip(texts.values(), python, dl4j, strict=True)
        if difference(*both) and not excused(*both, removed)
    ]


def excused(python: Made, dl4j: Made, removed: list[Place]) -> bool:
    """DL4J has nothing where something was removed, and Python refuses the document or only differs there."""
    if dl4j.refused:
        return False
    tree = json.loads(dl4j.json)
    empty = [place for place in removed if at(tree, place) in (None, 0, "NaN")]
    if python.refused:
        return bool(empty)
    ours = json.loads(python.json)
    empty += [place for place in removed if of_other_length(at(ours, place), at(tree, place))]
    return without(python.json, empty) == without(dl4j.json, empty)


def of_other_length(one: Any, other: Any) -> bool:
    """DL4J has two numbers for the dilation of volumes, with which it fails."""
    return isinstance(one, list) and isinstance(other, list) and len(one) != len(other)


def one_of_each() -> dict[str, list[Place]]:
    """A document without a key, for each key of each class."""
    found = {}
    for text in MULTILAYER.values():
        tree = _java.loads(text)
        for place in places(tree):
            owner = at(tree, place[:-1])
            name = owner.get("@class", owner.get("type", "conf" if "confs" in place[-2:] else place[-2:-1]))
            found.setdefault(f"{str(name).rpartition('.')[2]}.{place[-1]}", (text, place))
    return {without(text, [place]): [place] for text, place in found.values() if place[-1] != "@class"}


def test_each_key_may_be_absent_as_in_dl4j():
    assert disagreements(one_of_each()) == []


@st.composite
def lacking(draw: st.DrawFn) -> dict[str, list[Place]]:
    text = MULTILAYER[draw(st.sampled_from(sorted(MULTILAYER)))]
    removed = draw(st.lists(st.sampled_from(places(_java.loads(text))), min_size=1, max_size=5, unique=True))
    removed = [place for place in removed if not any(place[: len(each)] == each != place for each in removed)]
    return {without(text, removed): removed}


@settings(max_examples=100, derandomize=True, deadline=None)
@given(lacking())
def test_random_keys_may_be_absent_as_in_dl4j(text):
    assert disagreements(text) == []


@pytest.mark.nightly
@settings(max_examples=2000, deadline=None, print_blob=True)
@given(lacking())
def test_many_random_keys_may_be_absent_as_in_dl4j(text):
    assert disagreements(text) == []
