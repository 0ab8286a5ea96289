"""`ComputationGraphConfiguration`: a network of any shape, with several inputs and outputs."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Annotated, Any, NamedTuple, Self

from pydl4j.conf import document
from pydl4j.conf._codecs import FrozenMap, Stored
from pydl4j.conf._documents import DocumentMethods
from pydl4j.conf._kernel import refuse
from pydl4j.conf._reading import At
from pydl4j.conf._summary import SummaryMethods
from pydl4j.conf.inputs import InputType
from pydl4j.conf.layers.base import Layer
from pydl4j.conf.nodes import Node
from pydl4j.conf.older import modern
from pydl4j.conf.options import NetworkOptions, NeuralNetConfiguration, shared_options
from pydl4j.conf.resolve import contradictions
from pydl4j.conf.resolve_graph import GraphResolution, merged_inputs, resolve_graph
from pydl4j.conf.trace import trace
from pydl4j.conf.vertices.base import GraphVertex, LayerVertex
from pydl4j.errors import ConfigError


class Parts(NamedTuple):
    """The shape of a graph, by name."""

    inputs: Sequence[str]
    outputs: Sequence[str]
    vertices: Mapping[str, GraphVertex]
    vertex_inputs: Mapping[str, Sequence[str]]


Vertex = GraphVertex | Layer | tuple[GraphVertex | Layer, *tuple[str, ...]]


class ComputationGraphConfiguration(
    DocumentMethods, SummaryMethods, NetworkOptions, keys={"inputs": "networkInputs", "outputs": "networkOutputs"}
):
    """A network of named vertices, each fed by others or by inputs of the network.

    Options that a layer leaves ``None`` are inherited from here. ``to_json()`` is what DL4J's builders would write, byte for
    byte, with the exceptions of `MultiLayerConfiguration`.

    >>> from pydl4j.conf.layers import DenseLayer, OutputLayer
    >>> conf = ComputationGraphConfiguration(
    ...     inputs={"in": InputType.feed_forward(4)},
    ...     vertices={"a": (DenseLayer(n_out=3), "in"), "b": (DenseLayer(n_out=5), "in"), "out": (OutputLayer(n_out=2), "a", "b")},
    ...     outputs=["out"])
    >>> conf.resolve()["out"].layer.n_in
    8

    The same in functional form:

    >>> from pydl4j.conf.nodes import Input
    >>> x = Input(InputType.feed_forward(4))
    >>> y = OutputLayer(n_out=2)(DenseLayer(n_out=3)(x), DenseLayer(n_out=5)(x))
    >>> ComputationGraphConfiguration(inputs=[x], outputs=[y]).resolve().n_params
    58
    """

    inputs: Annotated[Sequence[str | Node] | Node | Mapping[str, InputType], Stored(Sequence[str])]
    """Names of the network's inputs, with their types where sizes and preprocessors are to be inferred; or nodes."""
    outputs: Annotated[Sequence[str | Node] | Node, Stored(Sequence[str])]
    """Names of the vertices whose activations come out; or nodes."""
    vertices: Annotated[Mapping[str, Vertex], Stored(Mapping[str, GraphVertex])] = FrozenMap()
    """Vertices by name, each in a tuple with the names of its inputs: ``{"fc": (DenseLayer(n_out=10), "in")}``."""
    vertex_inputs: Mapping[str, Sequence[str]] = FrozenMap()
    """Inputs of each vertex by name; the tuples of ``vertices`` end up here."""
    input_types: Sequence[InputType] | None = None
    """Types of the inputs, in their order; the types of ``inputs`` end up here."""
    allow_disconnected: bool = False
    """Allow vertices whose activations go nowhere."""
    allow_no_output: bool = False
    """Allow a network without outputs."""
    topological_order: Sequence[int] | None = None
    """Order of computation that an initialized network wrote; computed anew if ``None``."""
    topological_order_str: Sequence[str] | None = None
    default_configuration: NeuralNetConfiguration | None = None
    """What a document says of the whole network, where it is not what the options say."""

    @classmethod
    def _prepare(cls, given: Mapping[str, Any]) -> Mapping[str, Any]:
        """Nodes, types beside inputs, and inputs beside vertices, in the form that documents have."""
        options = trace(dict(given))
        inputs = options.get("inputs")
        if isinstance(inputs, Mapping):
            types = [kind for kind in inputs.values() if kind is not None]
            if types and len(types) < len(inputs):
                raise refuse(f"{cls.__name__}.inputs", "must have a type for each input, or for none", dict(inputs))
            options |= {"inputs": list(inputs)} | ({"input_types": types} if types else {})
        vertices = options.get("vertices")
        if isinstance(vertices, Mapping):
            tuples = {name: item for name, item in vertices.items() if isinstance(item, tuple | list) and item}
            options["vertices"] = {name: item[0] if name in tuples else item for name, item in vertices.items()}
            beside = {name: item[1:] for name, item in tuples.items() if item[1:]}
            separate = options.get("vertex_inputs") or {}
            options["vertex_inputs"] = {**separate, **beside} if isinstance(separate, Mapping) else separate
        return options

    @property
    def parts(self) -> Parts:
        """Inputs, outputs and vertices as they are kept, whatever form they were given in."""
        kept: Any = self
        return Parts(kept.inputs, kept.outputs, kept.vertices, self.vertex_inputs)

    def validate(self, path: str) -> None:
        inputs = self.parts.inputs
        if not inputs:
            raise refuse(f"{path}.inputs", "must name an input", inputs)
        if not self.outputs and not self.allow_no_output and not self.as_written:
            raise refuse(f"{path}.outputs", "must name an output (or give allow_no_output=True)", self.outputs)
        if self.input_types is not None and len(self.input_types) != len(inputs):
            raise refuse(f"{path}.input_types", f"must have {len(inputs)} items, one per input", self.input_types)
        twice = next((name for name in inputs if name in self.vertices), None)
        if twice is not None:
            raise refuse(f'vertices["{twice}"]', "must have another name than the inputs of the network", twice)
        if not self.as_written:
            self.check_options(path)
            self.resolve()  # vertices that do not fit together are refused here already

    def resolve(self) -> GraphResolution:
        """Every vertex with its inherited options, inferred sizes, preprocessors and parameter shapes.

        Raises:
            ConfigError: Vertices that do not fit together, in a document that was read; `path` says where, such as
                ``vertices["fc"].layer.n_in``. Other networks are refused when they are made.
        """
        return self._resolution

    def contradictions(self) -> Mapping[str, ConfigError]:
        return contradictions(
            (f"{place.path}.layer", place.layer, place.input_types[0] if place.input_types else None)
            for place in self.resolve().vertices
            if place.layer is not None
        )

    @cached_property
    def _resolution(self) -> GraphResolution:
        return resolve_graph(self)

    def to_tree(self) -> dict[str, Any]:
        fresh = NeuralNetConfiguration.of(self)
        vertices, vertex_inputs = self._written()
        tree = document.write_top(self)
        tree["defaultConfiguration"] = (self.default_configuration or fresh).to_tree()
        tree["networkInputs"], tree["networkOutputs"] = list(self.parts.inputs), list(self.parts.outputs)
        tree["topologicalOrder"] = self.topological_order and list(self.topological_order)
        tree["topologicalOrderStr"] = self.topological_order_str and list(self.topological_order_str)
        tree["vertexInputs"] = {name: list(inputs) for name, inputs in vertex_inputs.items()}
        tree["vertices"] = {name: _write_vertex(vertex, fresh) for name, vertex in vertices.items()}
        return dict(sorted(tree.items()))

    def _written(self) -> tuple[Mapping[str, GraphVertex], Mapping[str, Sequence[str]]]:
        """Vertices and their inputs, each in the order of the document."""
        if self.as_written:
            return self.parts.vertices, self.vertex_inputs
        vertices, vertex_inputs = merged_inputs(self.parts.vertices, self.vertex_inputs)
        settled = {place.name: place.vertex for place in self.resolve().vertices}
        return {name: settled[name] for name in vertices}, vertex_inputs

    @classmethod
    def read(cls, tree: Any, at: At) -> Self:
        if not isinstance(tree, Mapping) or not isinstance(tree.get("vertices"), Mapping):
            kind = "of a multi-layer network" if isinstance(tree, Mapping) and "confs" in tree else "another one"
            raise ConfigError(
                f'{at.path}: expected DL4J\'s document of a graph, with its vertices under "vertices"; this is {kind}'
            )
        tree = modern(tree)
        values = document.read_top(cls, tree, at, _OWN)
        default = tree.get("defaultConfiguration")
        if default is None:
            raise ConfigError(f"{at.path}.default_configuration is required, as DL4J's graphs do not load without it")
        around = document.read_layer(default, At("default_configuration", at.rules))
        values |= shared_options(around) | {"default_configuration": around}
        for key, name in _READ.items():
            if tree.get(key) is not None:
                values[name] = cls.options()[name].codec.read(tree[key], At(name, at.rules))
        conf = cls(**values, as_written=True)
        return conf._with(**conf._simplified())

    def _simplified(self) -> dict[str, Any]:
        """What a document repeats beside layers, left out where it is what the options say."""
        fresh = NeuralNetConfiguration.of(self)
        vertices = FrozenMap({name: _without_state(vertex, fresh) for name, vertex in self.parts.vertices.items()})
        return {"vertices": vertices} | ({"default_configuration": None} if self.default_configuration == fresh else {})


_READ = {
    "networkInputs": "inputs",
    "networkOutputs": "outputs",
    "topologicalOrder": "topological_order",
    "topologicalOrderStr": "topological_order_str",
    "vertexInputs": "vertex_inputs",
    "vertices": "vertices",
}
_OWN = [*_READ, "defaultConfiguration"]


def _write_vertex(vertex: GraphVertex, fresh: NeuralNetConfiguration) -> dict[str, Any]:
    if isinstance(vertex, LayerVertex) and vertex.state is None:
        vertex = vertex._with(state=fresh)
    return vertex.to_tree()


def _without_state(vertex: GraphVertex, fresh: NeuralNetConfiguration) -> GraphVertex:
    if isinstance(vertex, LayerVertex) and vertex.state == fresh:
        return vertex._with(state=None)
    return vertex
