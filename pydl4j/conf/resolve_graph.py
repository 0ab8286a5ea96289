"""Resolution of a graph: the order of its vertices, and everything filled in that they inherit, infer or get."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

from pydl4j.conf._hash_order import hash_set_order
from pydl4j.conf._kernel import refuse
from pydl4j.conf.inputs import InputType
from pydl4j.conf.layers.base import Layer, ParamShapes
from pydl4j.conf.preprocessors import InputPreProcessor
from pydl4j.conf.resolve import check_feeding, check_layer, inherited, input_type_of, settle, settle_as_written
from pydl4j.conf.vertices.base import GraphVertex, LayerVertex
from pydl4j.conf.vertices.combine import MergeVertex
from pydl4j.errors import ConfigError, GuardError, suggestion

if TYPE_CHECKING:
    from pydl4j.conf.graph import ComputationGraphConfiguration, Parts

__all__ = ["GraphResolution", "ResolvedVertex", "resolve_graph", "topological_order"]


@dataclass(frozen=True)
class ResolvedVertex:
    """A vertex in its place."""

    index: int
    """Number in topological order, the inputs of the network counted."""
    name: str
    path: str
    """Place in the configuration, such as ``vertices["fc"]``."""
    vertex: GraphVertex
    """The vertex with every option filled in."""
    inputs: tuple[str, ...]
    """Names of the vertices and inputs that feed it."""
    input_types: tuple[InputType, ...] | None
    """Types of these, after the preprocessor; ``None`` where they are not known."""
    output_type: InputType | None
    param_shapes: ParamShapes
    """Shapes of the parameters by DL4J's keys, in the order of the flat parameter vector."""

    @property
    def layer(self) -> Layer | None:
        """The layer of a vertex that holds one."""
        return self.vertex.layer if isinstance(self.vertex, LayerVertex) else None

    @property
    def preprocessor(self) -> InputPreProcessor | None:
        """The preprocessor of a vertex that holds a layer."""
        return self.vertex.preprocessor if isinstance(self.vertex, LayerVertex) else None

    @property
    def n_params(self) -> int:
        """Number of parameters."""
        return sum(prod(shape) for shape in self.param_shapes.values())


@dataclass(frozen=True)
class GraphResolution:
    """A graph with everything filled in."""

    vertices: tuple[ResolvedVertex, ...]
    """In topological order: the order of computation, and of the flat parameter vector."""
    order: tuple[str, ...]
    """Names of inputs and vertices in DL4J's topological order."""
    inputs: Mapping[str, InputType | None]
    outputs: Mapping[str, InputType | None]
    data_type: str
    """``float``, ``double`` or ``half``."""

    @property
    def n_params(self) -> int:
        """Number of parameters."""
        return sum(vertex.n_params for vertex in self.vertices)

    def __getitem__(self, name: str) -> ResolvedVertex:
        return next(vertex for vertex in self.vertices if vertex.name == name)


def merged_inputs(
    vertices: Mapping[str, GraphVertex], vertex_inputs: Mapping[str, Sequence[str]]
) -> tuple[dict[str, GraphVertex], dict[str, tuple[str, ...]]]:
    """Vertices and their inputs, with a merge before each vertex that takes one input and is given several.

    The merge comes after its vertex among the vertices and before it among the inputs, as DL4J's builder has it.

    Raises:
        ConfigError: The name of the merge is taken.

    """
    all_vertices: dict[str, GraphVertex] = {}
    all_inputs: dict[str, tuple[str, ...]] = {}
    for name, vertex in vertices.items():
        inputs = tuple(vertex_inputs.get(name, ()))
        all_vertices[name] = vertex
        if vertex.takes_one() and len(inputs) > 1:
            merge = f"{name}-merge"
            if merge in vertices:
                must = f"cannot be there: {name!r} has several inputs, which DL4J merges in a vertex of this name"
                raise refuse(_path(merge), must, vertices[merge])
            all_vertices[merge] = MergeVertex()
            all_inputs[merge] = inputs
            inputs = (merge,)
        all_inputs[name] = inputs
    return all_vertices, all_inputs


def topological_order(
    inputs: Sequence[str],
    vertices: Sequence[str],
    vertex_inputs: Mapping[str, Sequence[str]],
    *,
    error: type[ConfigError],
) -> list[str]:
    """Names of inputs and vertices, each after all that feed it, in the order of DL4J's ``ComputationGraph``.

    It decides where the parameters of a vertex are in the flat vector. Kahn's algorithm, with Java's hash tables.

    Raises:
        ConfigError: A cycle; of the class ``error``.

    """
    names = [*inputs, *vertices]
    numbers = {name: number for number, name in enumerate(names)}
    before = {number: {numbers[i] for i in vertex_inputs.get(name, ())} for name, number in numbers.items()}
    after: dict[int, list[int]] = {number: [] for number in range(len(names))}
    for number in range(len(names)):
        for source in before[number]:
            after[source].append(number)
    ready = [number for number in range(len(names)) if not before[number]]
    order = []
    while ready:
        number = ready.pop(0)
        order.append(names[number])
        for target in hash_set_order(after[number]):
            before[target].discard(number)
            if not before[target]:
                ready.append(target)
    stuck = next((number for number in range(len(names)) if before[number]), None)
    if stuck is not None:
        around = _cycle(names[stuck], vertex_inputs, order)
        raise error(f"{_path(around[0])} is part of a cycle: {' <- '.join(around)}", path=_path(around[0]))
    return order


def _cycle(start: str, vertex_inputs: Mapping[str, Sequence[str]], done: Sequence[str]) -> list[str]:
    """Names around a cycle; ``start`` is in it or after it."""
    walked = [start]
    while True:
        source = next(name for name in vertex_inputs[walked[-1]] if name not in done)
        if source in walked:
            return [*walked[walked.index(source) :], source]
        walked.append(source)


def resolve_graph(conf: "ComputationGraphConfiguration") -> GraphResolution:
    """Fill in what the vertices of ``conf`` inherit and infer, and check that they fit together.

    Raises:
        ConfigError: Names that do not exist, cycles, vertices that do not fit their inputs, and what `resolve` refuses.

    """
    parts = conf.parts
    if not conf.as_written:
        vertices, vertex_inputs = merged_inputs(parts.vertices, parts.vertex_inputs)
        given = [name for name in parts.vertex_inputs if name not in parts.vertices]  # kept for the error
        parts = parts._replace(vertices=vertices, vertex_inputs=vertex_inputs | dict.fromkeys(given, ()))
    _check_names(parts)
    if not conf.as_written:
        _check_connected(conf, parts)
    # DL4J looks for cycles where it infers types, else when the network is initialized
    error = ConfigError if conf.input_types else GuardError
    order = topological_order(parts.inputs, list(parts.vertices), parts.vertex_inputs, error=error)
    inputs: dict[str, InputType | None] = dict.fromkeys(parts.inputs)
    if conf.input_types:
        inputs |= dict(zip(parts.inputs, conf.input_types, strict=True))
    elif conf.as_written:
        inputs |= {name: _told_by_layers(parts, name) for name in parts.inputs}
    known = dict(inputs)
    resolved = []
    for index, name in enumerate(order):
        if name in inputs:
            continue
        place = _place(conf, index, name, parts.vertices[name], parts.vertex_inputs.get(name, ()), known=known)
        known[name] = place.output_type
        resolved.append(place)
    if not conf.as_written:
        _check_feeding(parts, known)
    outputs = {name: known.get(name) for name in parts.outputs}
    return GraphResolution(tuple(resolved), tuple(order), inputs, outputs, conf.data_type)


def _place(
    conf: "ComputationGraphConfiguration",
    index: int,
    name: str,
    vertex: GraphVertex,
    inputs: Sequence[str],
    *,
    known: Mapping[str, InputType | None],
) -> ResolvedVertex:
    path = _path(name)
    types = [known[source] for source in inputs]
    given = [item for item in types if item is not None] if None not in types else None
    if isinstance(vertex, LayerVertex):
        vertex, taken, output_type = _place_layer(conf, name, vertex, given[0] if given else None)
        given = [taken] if taken else None
    elif conf.as_written:
        output_type = _type_as_written(vertex, given, path)
    else:
        vertex.check_count(len(inputs), path)
        vertex, output_type = _settled(conf, vertex.inherit(conf, name), given, path)
    types_after = tuple(given) if given else None
    return ResolvedVertex(index, name, path, vertex, tuple(inputs), types_after, output_type, vertex.param_shapes())


def _settled(
    conf: "ComputationGraphConfiguration", vertex: GraphVertex, given: list[InputType] | None, path: str
) -> tuple[GraphVertex, InputType | None]:
    """A vertex without a layer that has met its inputs, and its output type."""
    vertex = vertex.with_inputs(given, path) if given else vertex
    output_type = vertex.output_type(given, path) if given else None
    vertex.check_complete(path)
    if conf.backprop_type == "truncated_bptt" and vertex.needs_whole_sequences:
        must = 'cannot be a vertex that needs whole sequences with backprop_type="truncated_bptt"'
        raise refuse(path, must, vertex)
    return vertex, output_type


def _told_by_layers(parts: "Parts", name: str) -> InputType | None:
    """The type of an input of which a document says nothing, where a layer that it feeds tells it."""
    for vertex, inputs in parts.vertex_inputs.items():
        fed = parts.vertices[vertex] if name in inputs else None
        told = input_type_of(fed.layer) if isinstance(fed, LayerVertex) and fed.preprocessor is None else None
        if told is not None:
            return told
    return None


def _type_as_written(vertex: GraphVertex, given: list[InputType] | None, path: str) -> InputType | None:
    try:
        return vertex.output_type(given, path) if given else None
    except ConfigError:  # DL4J takes such a document, too; only the shapes after this vertex are not known
        return None


def _place_layer(
    conf: "ComputationGraphConfiguration", name: str, vertex: LayerVertex, given: InputType | None
) -> tuple[LayerVertex, InputType | None, InputType | None]:
    """The vertex with its layer settled, the type after the preprocessor, and the output type."""
    path = f"{_path(name)}.layer"
    if conf.as_written:
        settled = settle_as_written(vertex.layer, vertex.preprocessor, given, path)
        return vertex, settled.input_type, settled.output_type
    layer = inherited(conf, vertex.layer, name, path=path)
    before = f"{_path(name)}.preprocessor"
    settled = settle(conf, layer, vertex.preprocessor, given, path=path, preprocessor_path=before)
    check_layer(conf, settled.layer, path)
    filled = vertex._with(layer=settled.layer, preprocessor=settled.preprocessor)
    return filled, settled.input_type, settled.output_type


def _check_feeding(parts: "Parts", known: Mapping[str, InputType | None]) -> None:
    """Refuse layers that cannot come before others."""
    for source in dict.fromkeys(source for inputs in parts.vertex_inputs.values() for source in inputs):
        vertex = parts.vertices.get(source)
        if isinstance(vertex, LayerVertex) and known[source] is not None:
            check_feeding(vertex.layer, f"{_path(source)}.layer")


def _check_names(parts: "Parts") -> None:
    """Refuse names of nothing."""
    names = {*parts.inputs, *parts.vertices}
    for name, inputs in parts.vertex_inputs.items():
        missing = next((source for source in inputs if source not in names), None)
        if missing is not None:
            must = f"must name vertices or inputs{suggestion(missing, names)}"
            raise refuse(f'vertex_inputs["{name}"]', must, missing)
    extra = next((name for name in parts.vertex_inputs if name not in parts.vertices), None)
    if extra is not None:
        raise refuse(f'vertex_inputs["{extra}"]', f"must be a vertex{suggestion(extra, parts.vertices)}", extra)
    wrong = next((name for name in parts.outputs if name not in parts.vertices), None)
    if wrong is not None:
        raise refuse("outputs", f"must name vertices{suggestion(wrong, parts.vertices)}", wrong)


def _check_connected(conf: "ComputationGraphConfiguration", parts: "Parts") -> None:
    """Refuse vertices without inputs, and those whose activations go nowhere, as DL4J's ``validate`` does."""
    for name in parts.vertices:
        if not parts.vertex_inputs.get(name):
            must = "must name at least one vertex or input of the network"
            raise refuse(f'vertex_inputs["{name}"]', must, parts.vertex_inputs.get(name))
    if conf.allow_disconnected or conf.allow_no_output:
        return
    used = {*parts.outputs, *(source for inputs in parts.vertex_inputs.values() for source in inputs)}
    lost = next((name for name in [*parts.inputs, *parts.vertices] if name not in used), None)
    if lost is not None:
        must = "must feed a vertex or be one of the outputs (or give allow_disconnected=True)"
        raise refuse("inputs" if lost in parts.inputs else _path(lost), must, lost)


def _path(name: str) -> str:
    return f'vertices["{name}"]'
