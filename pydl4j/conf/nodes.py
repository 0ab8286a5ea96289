"""The functional form of graphs: ``x = DenseLayer(n_out=10)(x)``."""

from collections.abc import Sequence
from itertools import count
from typing import TYPE_CHECKING, Any

from pydl4j.errors import ConfigError

if TYPE_CHECKING:
    from pydl4j.conf.inputs import InputType

__all__ = ["Input", "Node"]

_made = count()


class Node:
    """The activations of an input, a layer or a vertex of a graph that is being described.

    Made by `Input`, and by calling a layer or a vertex with nodes; a `ComputationGraphConfiguration` takes the nodes that
    are its ``inputs`` and ``outputs``, and finds the others through them.
    """

    __slots__ = ("inputs", "name", "number", "vertex")

    def __init__(self, vertex: Any, inputs: Sequence["Node"], name: str | None) -> None:
        self.vertex = vertex
        """The layer or vertex; for an input, its type."""
        self.inputs = tuple(inputs)
        self.name = name
        """``None`` for a name made of the class: ``dense``, ``dense_1``, ..."""
        self.number = next(_made)
        """Nodes are written in the order in which they were made."""

    @classmethod
    def of(cls, vertex: Any, inputs: Sequence["Node"], name: str | None) -> "Node":
        """The node of a layer or vertex that is applied to others.

        Raises:
            ConfigError: No inputs, or something else than nodes.

        """
        wrong = next((item for item in inputs if not isinstance(item, Node)), None)
        if wrong is not None or not inputs:
            kind = type(vertex).__name__
            must = f"{kind}(...)(x) must be called with nodes: Input(...), or what a layer or vertex returned"
            raise ConfigError(f"{must}. Received: {wrong!r}" if inputs else f"{must}. Received: nothing", path=kind)
        return cls(vertex, inputs, name)

    def __repr__(self) -> str:
        return f"<node {self.name or type(self.vertex).__name__}>"


def Input(input_type: "InputType | None" = None, *, name: str | None = None) -> Node:  # noqa: N802 - reads like a layer
    """An input of a graph, for the functional form.

    Args:
        input_type: Shape of one example; ``None`` where every ``n_in`` is given.
        name: Name of the input; ``None`` for ``input``, ``input_1``, ...

    >>> from pydl4j.conf.layers import DenseLayer
    >>> DenseLayer(n_out=3, name="fc")(Input())
    <node fc>
    """
    return Node(input_type, (), name)
