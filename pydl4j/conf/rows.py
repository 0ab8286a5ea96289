"""What summaries and pictures show of a network: a row for each input and each layer."""

from dataclasses import dataclass
from math import prod

from pydl4j.conf._kernel import Conf
from pydl4j.conf.inputs import InputType, InputTypeRecurrent
from pydl4j.conf.layers.base import Layer, ParamShapes
from pydl4j.conf.resolve import Resolution, ResolvedLayer

__all__ = ["INPUT", "Row", "rows", "shape"]

INPUT = "input"
"""The kind of a row that is an input of the network; other kinds are the modules that layers are defined in."""


@dataclass(frozen=True)
class Row:
    """An input or a layer in its place."""

    label: str
    """Name, with the index where layers have one."""
    name: str
    inputs: tuple[str, ...]
    """Labels of the rows that feed this one."""
    what: Conf | None
    """The layer, with everything filled in; ``None`` for an input."""
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
            inner = getattr(inner, next(iter(getattr(inner, "wraps", ())), "layer"), None)
        return chain

    @property
    def layer(self) -> Layer | None:
        """The layer, inside of its wrappers."""
        return next((inner for inner in reversed(self._chain) if isinstance(inner, Layer)), None)

    @property
    def owner(self) -> Layer | None:
        """The layer with its wrappers, which knows its parameters."""
        return next((outer for outer in self._chain if isinstance(outer, Layer)), None)

    @property
    def type(self) -> str:
        """Its class; those of its wrappers before that of a wrapped layer."""
        return " ".join(type(inner).__name__ for inner in self._chain)

    @property
    def kind(self) -> str:
        """What the class is about, such as ``convolution``: the name of its module."""
        about = self.layer or self.what
        return INPUT if about is None else type(about).__module__.rpartition(".")[2]

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
        updaters = {key: self.owner.updater_of(key) for key in self.param_shapes} if self.owner else {}
        return sum(prod(self.param_shapes[key]) * updater.state_arrays for key, updater in updaters.items() if updater)


def rows(resolution: Resolution) -> list[Row]:
    """The rows of a network, each after those that feed it."""
    found = [Row(INPUT, INPUT, (), None, None, None, resolution.input_type, {})]
    for place in resolution.layers:
        found.append(_row(place, found[-1].label))
    return found


def _row(place: ResolvedLayer, before: str) -> Row:
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
