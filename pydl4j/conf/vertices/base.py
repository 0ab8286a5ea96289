"""What vertices of a graph share, and the vertex that holds a layer."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

from pydl4j.conf import document
from pydl4j.conf._codecs import Mismatch
from pydl4j.conf._kernel import Conf, guard
from pydl4j.conf._reading import At
from pydl4j.conf.inputs import InputType
from pydl4j.conf.layers.base import Layer, ParamShapes
from pydl4j.conf.nodes import Node
from pydl4j.conf.options import NetworkOptions, NeuralNetConfiguration
from pydl4j.conf.preprocessors import InputPreProcessor
from pydl4j.conf.updaters import IUpdater

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["FrozenVertex", "GraphVertex", "LayerVertex"]

JAVA = "org.deeplearning4j.nn.conf.graph."


class GraphVertex(Conf):
    """A vertex of a graph. Called with nodes, it makes the node that applies it to them."""

    min_inputs: ClassVar[int] = 1
    max_inputs: ClassVar[int | None] = 1
    """``None`` for any number. More than one into a vertex that takes one are merged first, as DL4J does it."""
    needs_whole_sequences: ClassVar[bool] = False
    """The vertex cannot work on segments of sequences, and so not with truncated backpropagation through time."""
    frozen: ClassVar[bool] = False
    """Training leaves the parameters as they are."""

    def __call__(self, *inputs: Node, name: str | None = None) -> Node:
        """The node of a graph that applies this vertex to others.

        Raises:
            ConfigError: No inputs, or something else than nodes.

        """
        return Node.of(self, inputs, name)

    @classmethod
    def convert(cls, value: Any) -> Any:
        """A layer stands for the vertex that holds it."""
        if isinstance(value, Layer):
            return LayerVertex(layer=value)
        raise Mismatch("must be a layer or a GraphVertex")

    def with_inputs(self, inputs: Sequence[InputType], path: str) -> Self:
        """This vertex with what it takes from the types of its inputs.

        Raises:
            ConfigError: The inputs do not fit. ``path`` is this vertex's place.

        """
        return self

    def output_type(self, inputs: Sequence[InputType], path: str) -> InputType | None:
        """The type of the activations for inputs of these types; ``None`` if it is unknown.

        Raises:
            ConfigError: The inputs do not fit. ``path`` is this vertex's place.

        """
        return inputs[0]

    def inherit(self, network: NetworkOptions, name: str) -> Self:
        """This vertex with the network's options where it has none of its own."""
        return self

    def param_shapes(self) -> ParamShapes:
        """Shapes of the parameters by DL4J's keys, in the order of the flat vector; sizes must be known."""
        return {}

    def updater_of(self, key: str) -> IUpdater | None:
        """The updater that DL4J makes for a parameter, by its key in `param_shapes`; ``None`` where it makes none."""
        return None

    def check_complete(self, path: str) -> None:
        """Raise a `ConfigError` where something is missing that only the network's inputs could have told."""

    def takes_one(self) -> bool:
        """Several inputs are merged before this vertex."""
        return self.max_inputs == 1

    def check_count(self, count: int, path: str) -> None:
        """Refuse a number of inputs that this vertex cannot take. Raises `ConfigError`."""
        if count < self.min_inputs or (self.max_inputs is not None and count > self.max_inputs):
            wanted = f"at least {self.min_inputs}" if self.max_inputs is None else str(self.max_inputs)
            raise guard(path, f"({type(self).__name__}) must have {wanted} inputs", count)


class LayerVertex(
    GraphVertex, java=JAVA + "LayerVertex", keys={"layer": "layerConf", "preprocessor": "preProcessor", "state": None}
):
    """A layer in a graph; a bare layer stands for one without a preprocessor of its own."""

    layer: Layer
    preprocessor: InputPreProcessor | None = None
    """What is done to the input first; added automatically where the input types are known."""
    output_vertex: bool = False
    """Not used by DL4J any more."""
    state: NeuralNetConfiguration | None = None
    """What a document says beside the layer, where it is not what the network's options say."""

    def output_type(self, inputs: Sequence[InputType], path: str) -> InputType | None:
        given = inputs[0]
        if self.preprocessor is not None:
            given = self.preprocessor.output_type(given, f"{path}.preprocessor")
        return self.layer.output_type(given, f"{path}.layer")

    def inherit(self, network: NetworkOptions, name: str) -> Self:
        return self._with(layer=self.layer.inherit(network, name))

    def param_shapes(self) -> ParamShapes:
        return self.layer.param_shapes()

    def to_tree(self) -> dict[str, Any]:
        around = self.state or NeuralNetConfiguration()
        preprocessor = self.preprocessor and self.preprocessor.to_tree()
        return {
            "@class": self.java_name,
            "layerConf": document.write_layer(around, self.layer),
            "outputVertex": self.output_vertex,
            "preProcessor": preprocessor,
        }

    @classmethod
    def read_options(cls, members: "Mapping[str, Any]", at: At) -> dict[str, Any]:
        around = document.read_layer(members.get("layerConf"), at.member("layer"))
        others = {key: value for key, value in members.items() if key != "layerConf"}
        bare = around._with(layer=None)
        return {"layer": around.layer, "state": bare, **super().read_options(others, at)}


class FrozenVertex(GraphVertex, java=JAVA + "FrozenVertex"):
    """A vertex whose parameters are not trained, as transfer learning leaves it."""

    frozen: ClassVar[bool] = True

    underlying: GraphVertex

    def with_inputs(self, inputs: Sequence[InputType], path: str) -> Self:
        return self._with(underlying=self.underlying.with_inputs(inputs, f"{path}.underlying"))

    def output_type(self, inputs: Sequence[InputType], path: str) -> InputType | None:
        return self.underlying.output_type(inputs, f"{path}.underlying")

    def inherit(self, network: NetworkOptions, name: str) -> Self:
        return self._with(underlying=self.underlying.inherit(network, name))

    def param_shapes(self) -> ParamShapes:
        return self.underlying.param_shapes()

    def check_complete(self, path: str) -> None:
        self.underlying.check_complete(f"{path}.underlying")

    def takes_one(self) -> bool:
        return self.underlying.takes_one()

    def check_count(self, count: int, path: str) -> None:
        self.underlying.check_count(count, path)
