"""From the functional form of a graph to named vertices."""

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from pydl4j.conf.nodes import Node
from pydl4j.errors import ConfigError

if TYPE_CHECKING:
    from pydl4j.conf.inputs import InputType

__all__ = ["trace"]

_BETWEEN_WORDS = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[0-9])(?=[A-Z][a-z])|(?<=[A-Z0-9][A-Z])(?=[A-Z][a-z])")


def trace(options: dict[str, Any]) -> dict[str, Any]:
    """Options of a graph in which nodes are replaced by names, and the vertices they lead to are listed.

    Vertices are listed in the order in which their nodes were made.

    Raises:
        ConfigError: An input that is not listed, two nodes of one name, nodes beside names.

    """
    inputs, outputs = (_listed(options.get(option)) for option in ("inputs", "outputs"))
    if not _has_nodes(inputs) and not _has_nodes(outputs):
        return options
    starts, ends = _only_nodes("inputs", inputs), _only_nodes("outputs", outputs)
    if options.get("vertices"):
        raise ConfigError("vertices: give nodes as inputs and outputs, or named vertices, not both", path="vertices")
    reached = _reached(ends)
    lost = next((node for node in reached if not node.inputs and node not in starts), None)
    if lost is not None:
        raise ConfigError(f"inputs must list every Input that the outputs come from. Missing: {lost!r}", path="inputs")
    names = _names([*starts, *(node for node in reached if node.inputs)])
    inner = [node for node in reached if node.inputs]
    types: list[InputType | None] = [node.vertex for node in starts]
    return options | {
        "inputs": {names[node]: kind for node, kind in zip(starts, types, strict=True)},
        "outputs": [names[node] for node in ends],
        "vertices": {names[node]: (node.vertex, *(names[source] for source in node.inputs)) for node in inner},
    }


def _listed(value: Any) -> Any:
    """The only input or output need not be in a list."""
    return [value] if isinstance(value, Node) else value


def _has_nodes(value: object) -> bool:
    return isinstance(value, Iterable) and not isinstance(value, Mapping) and any(isinstance(n, Node) for n in value)


def _only_nodes(option: str, value: Any) -> list[Node]:
    nodes = list(value) if isinstance(value, Iterable) else []
    if not nodes or not all(isinstance(item, Node) for item in nodes):
        raise ConfigError(f"{option} must be nodes, as the network's other end is. Received: {value!r}", path=option)
    return nodes


def _reached(ends: Iterable[Node]) -> list[Node]:
    """All nodes that lead to these, in the order in which they were made."""
    found: set[Node] = set()
    waiting = list(ends)
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            waiting += node.inputs
    return sorted(found, key=lambda node: node.number)


def _names(nodes: Iterable[Node]) -> dict[Node, str]:
    """A name for each node: its own, or one made of its class: ``dense``, ``dense_1``, ..."""
    given = [node for node in nodes if node.name is not None]
    names = {node: str(node.name) for node in given}
    taken = set(names.values())
    if len(taken) < len(names):
        twice = next(name for name in taken if list(names.values()).count(name) > 1)
        raise ConfigError(
            f'vertices["{twice}"]: two nodes have this name. A layer that is applied twice makes two vertices, each with '
            "weights of its own: name them, as in layer(x, name=...)",
            path=f'vertices["{twice}"]',
        )
    for node in nodes:
        if node not in names:
            names[node] = _free(_word(node), taken)
            taken.add(names[node])
    return names


def _word(node: Node) -> str:
    if not node.inputs:
        return "input"
    kind = type(node.vertex).__name__.removesuffix("Layer").removesuffix("Vertex")
    return _BETWEEN_WORDS.sub("_", kind).lower()


def _free(word: str, taken: set[str]) -> str:
    number = 0
    while (name := f"{word}_{number}" if number else word) in taken:
        number += 1
    return name
