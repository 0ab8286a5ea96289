"""Random networks for hypothesis: mostly such as Python accepts, some that it refuses."""

from typing import Any

from hypothesis import strategies as st
from recipes import ONLY_PYTHON, PLACED, Network
from reference import KEPT, draft, settings
from values import APART, INPUTS, LAYERS, VERTICES, candidates, given, set_by_users

from pydl4j import ComputationGraphConfiguration, MultiLayerConfiguration
from pydl4j.conf._kernel import Conf
from pydl4j.conf.vertices import GraphVertex
from pydl4j.errors import ConfigError
from pydl4j.layers import DenseLayer, FrozenLayerWithBackprop, Layer, OutputLayer

MOST_LAYERS = 12
MOST_VERTICES = 15
_TRIES = 3


def parts(classes: list[type[Conf]]) -> st.SearchStrategy[Any]:
    """Layers or vertices of these classes with up to three options set."""
    return st.sampled_from(classes).flatmap(_part)


@st.composite
def some(draw: st.DrawFn, names: list[str]) -> list[str]:
    """Up to three names of options that go together."""
    chosen = draw(st.lists(st.sampled_from(names), max_size=3, unique=True)) if names else []
    return chosen[:1] if APART.intersection(chosen) else chosen


@st.composite
def _part(draw: st.DrawFn, cls: type[Conf]) -> Conf:
    options = given(cls)
    for name in draw(some(set_by_users(cls))):
        changed = {**options, name: draw(st.sampled_from(candidates(cls, name)))}
        try:
            made = cls(**changed)
        except ConfigError:
            continue
        if KEPT.keys().isdisjoint(settings(made)):
            options = changed
    return cls(**options)


@st.composite
def options_of(draw: st.DrawFn, kind: type[Network]) -> dict[str, Any]:
    """Up to three options of a network, such as DL4J's builders keep."""
    names = [name for name in kind.options() if name not in PLACED | ONLY_PYTHON]
    options: dict[str, Any] = {}
    for name in draw(some(names)):
        value = draw(st.sampled_from(candidates(kind, name)))
        try:
            made = draft(layers=[DenseLayer(n_out=1)], **{name: value})
        except ConfigError:
            continue
        if value is not None and KEPT.keys().isdisjoint(settings(made)):
            options[name] = value
    return options


def forgotten(options: dict[str, Any], part: Conf) -> bool:
    """What DL4J forgets when it reads a document: constraints of a layer inside a FrozenLayerWithBackprop."""
    constrained = any(options.get(name) for name in ("constrain_weights", "constrain_bias", "constrain_all"))
    return constrained and isinstance(part, FrozenLayerWithBackprop)


def grows(draw: st.DrawFn, **options: Any) -> bool:
    """The network with a new part is to be gone on with: where it is accepted, or now and then where it is not."""
    try:
        draft(**options).replace()
    except ConfigError:
        return draw(st.integers(0, 29)) == 29
    return True


@st.composite
def stacks(draw: st.DrawFn) -> Network:
    """A network of layers."""
    options = draw(options_of(MultiLayerConfiguration)) | {
        "input_type": draw(st.sampled_from([*INPUTS.values(), None]))
    }
    layers: list[Layer] = []
    for _ in range(draw(st.integers(1, MOST_LAYERS))):
        for _ in range(_TRIES):
            layer = draw(parts(list(LAYERS.values())))
            if not forgotten(options, layer) and grows(draw, layers=[*layers, layer], **options):
                layers.append(layer)
                break
    return draft(layers=layers or [DenseLayer(n_out=2)], **options)


NAMES = st.text(alphabet="abcXYZ_-019é", min_size=1, max_size=9)
"""Names decide the order of DL4J's hash tables."""


@st.composite
def graphs(draw: st.DrawFn) -> Network:
    """A graph; every vertex that feeds no other is an output."""
    names = draw(st.lists(NAMES, min_size=MOST_VERTICES + 3, max_size=MOST_VERTICES + 3, unique=True))
    inputs = {name: draw(st.sampled_from(list(INPUTS.values()))) for name in names[: draw(st.integers(1, 3))]}
    if draw(st.integers(0, 9)) == 9:
        inputs = dict.fromkeys(inputs)
    options = draw(options_of(ComputationGraphConfiguration)) | {"inputs": inputs}
    vertices: dict[str, tuple[Any, ...]] = {}
    for name in names[len(inputs) : len(inputs) + draw(st.integers(1, MOST_VERTICES))]:
        for _ in range(_TRIES):
            part = draw(parts(list((LAYERS if draw(st.booleans()) else VERTICES).values())))
            known = [*inputs, *vertices]
            sources = draw(st.lists(st.sampled_from(known), min_size=least(part), max_size=3))
            grown = vertices | {name: (part, *sources)}
            wrong = forgotten(options, part)
            if not wrong and grows(draw, vertices=grown, outputs=[name], **options | {"allow_disconnected": True}):
                vertices = grown
                break
    vertices = vertices or {"out": (OutputLayer(n_out=2), *inputs)}
    return draft(vertices=_now_and_then_wrong(draw, vertices), outputs=sinks(vertices), **options)


def least(part: Conf) -> int:
    return part.min_inputs if isinstance(part, GraphVertex) else 1


def sinks(vertices: dict[str, tuple[Any, ...]]) -> list[str]:
    used = {source for item in vertices.values() for source in item[1:]}
    return [name for name in vertices if name not in used]


def _now_and_then_wrong(draw: st.DrawFn, vertices: dict[str, tuple[Any, ...]]) -> dict[str, tuple[Any, ...]]:
    """``vertices``, or with a cycle or a name of nothing."""
    if draw(st.integers(0, 19)) < 19:
        return vertices
    name, source = draw(st.sampled_from(list(vertices))), draw(st.sampled_from([*vertices, "nothing"]))
    return vertices | {name: (*vertices[name], source)}
