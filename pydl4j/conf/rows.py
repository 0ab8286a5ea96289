"""What summaries and pictures show of a network: a row for each input and each layer or vertex."""

import re
from dataclasses import dataclass
from math import prod

from pydl4j.conf._kernel import Conf
from pydl4j.conf.inputs import InputType, InputTypeRecurrent
from pydl4j.conf.layers.base import Layer, ParamShapes
from pydl4j.conf.resolve import Resolution, ResolvedLayer
from pydl4j.conf.resolve_graph import GraphResolution, ResolvedVertex
from pydl4j.conf.vertices.base import GraphVertex, LayerVertex

__all__ = ["INPUT", "VERTEX", "Row", "rows", "shape"]

INPUT = "input"
"""The kind of a row that is an input of the network."""
VERTEX = "vertex"
"""The kind of a vertex without a layer; other kinds are the modules that layers are defined in."""


@dataclass(frozen=True)
class Row:
    """An input, a layer or a vertex in its place."""

    label: str
    """Name, with the index where layers have one."""
    name: str
    inputs: tuple[str, ...]
    """Labels of the rows that feed this one."""
    what: Conf | None
    """The layer or vertex, with everything filled in; ``None`` for an input."""
    preprocessor: Conf | None
    input_type: InputType | None
    """After the preprocessor."""
    output_type: InputType | None
    param_shapes: ParamShapes

    @property
    def _chain(self) -> list[Conf]:
        """The wrappers, from the outermost, and what they wrap."""
        chain, inner = [], self.what
        while isinstance(inner, Conf):
            chain.append(inner)
            names = [*getattr(inner, "wraps", ()), "layer", "underlying"]
            inner = next((getattr(inner, name) for name in names if hasattr(inner, name)), None)
        return chain

    @property
    def core(self) -> Conf | None:
        """The layer or vertex, inside of its wrappers; ``None`` for an input."""
        return self._chain[-1] if self._chain else None

    @property
    def type(self) -> str:
        """Its class; those of its wrappers before that of a wrapped layer."""
        return " ".join(type(inner).__name__ for inner in self._chain if not isinstance(inner, LayerVertex))

    @property
    def kind(self) -> str:
        """What the class is about, such as ``convolution``: the name of its module, without kinds of data."""
        if self.core is None:
            return INPUT
        if isinstance(self.core, GraphVertex):
            return VERTEX
        module = type(self.core).__module__.rpartition(".")[2]
        return re.sub(r"^cnn_|\dd$", "", module).replace("_", " ")

    @property
    def n_params(self) -> int:
        """Number of parameters."""
        return sum(prod(size) for size in self.param_shapes.values())

    @property
    def n_frozen(self) -> int:
        """Number of parameters that stay as they are, whatever the network learns."""
        return self.n_params if any(getattr(inner, "frozen", False) for inner in self._chain) else 0

    @property
    def updater_state(self) -> int:
        """Length of what the updaters keep for the parameters."""
        assert isinstance(self.what, Layer | GraphVertex | None)
        updaters = {key: self.what.updater_of(key) for key in self.param_shapes} if self.what else {}
        return sum(prod(self.param_shapes[key]) * updater.state_arrays for key, updater in updaters.items() if updater)


def rows(resolution: Resolution | GraphResolution) -> list[Row]:
    """The rows of a network, each after those that feed it."""
    if isinstance(resolution, GraphResolution):
        inputs = [_input(name, input_type) for name, input_type in resolution.inputs.items()]
        return inputs + [_vertex_row(place) for place in resolution.vertices]
    found = [_input(INPUT, resolution.input_type)]
    for place in resolution.layers:
        found.append(_layer_row(place, found[-1].label))
    return found


def _input(name: str, input_type: InputType | None) -> Row:
    return Row(name, name, (), None, None, None, input_type, {})


def _vertex_row(place: ResolvedVertex) -> Row:
    input_type = place.input_types[0] if place.input_types else None
    return Row(
        place.name,
        place.name,
        place.inputs,
        place.layer or place.vertex,
        place.preprocessor,
        input_type,
        place.output_type,
        place.param_shapes,
    )


def _layer_row(place: ResolvedLayer, before: str) -> Row:
    return Row(
        f"{place.index} {place.name}",
        place.name,
        (before,),
        place.layer,
        place.preprocessor,
        place.input_type,
        place.output_type,
        place.param_shapes,
    )


def shape(input_type: InputType | None) -> str:
    """The shape of activations, with the minibatch and time series of unknown length as ``?``."""
    if input_type is None:
        return "?"
    sizes = ", ".join("?" if size is None else str(size) for size in input_type.shape)
    last = " nwc" if isinstance(input_type, InputTypeRecurrent) and input_type.format == "nwc" else ""
    return f"[?, {sizes}]{last}"
