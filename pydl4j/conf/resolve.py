"""Resolution: a network with everything filled in that its layers inherit, infer or get from DL4J's defaults."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, NamedTuple

from pydl4j.conf._kernel import guard, refuse
from pydl4j.conf.initializers import WeightInitIdentity
from pydl4j.conf.inputs import InputType
from pydl4j.conf.layers.base import Layer, ParamShapes
from pydl4j.conf.layers.embedding import EmbeddingLayer
from pydl4j.conf.layers.feedforward import DenseLayer
from pydl4j.conf.layers.output import OutputLayer
from pydl4j.conf.layers.recurrent import BaseRecurrentLayer
from pydl4j.conf.preprocessors import FeedForwardToCnnPreProcessor, InputPreProcessor
from pydl4j.conf.regularization import check_short_forms
from pydl4j.conf.updaters import check_updaters
from pydl4j.errors import ConfigError

if TYPE_CHECKING:
    from pydl4j.conf.network import MultiLayerConfiguration
    from pydl4j.conf.options import NetworkOptions

__all__ = [
    "Resolution",
    "ResolvedLayer",
    "Settled",
    "check_feeding",
    "check_layer",
    "contradictions",
    "inherited",
    "input_type_of",
    "resolve",
    "settle",
]


@dataclass(frozen=True)
class ResolvedLayer:
    """A layer in its place."""

    index: int
    name: str
    path: str
    """Place in the configuration, such as ``layers[3]``."""
    layer: Layer
    """The layer with every option filled in."""
    preprocessor: InputPreProcessor | None
    input_type: InputType | None
    """What goes into the layer, after the preprocessor; ``None`` where it is not known."""
    output_type: InputType | None
    param_shapes: ParamShapes
    """Shapes of the parameters by DL4J's keys, in the order of the flat parameter vector."""

    @property
    def n_params(self) -> int:
        """Number of parameters."""
        return sum(prod(shape) for shape in self.param_shapes.values())


@dataclass(frozen=True)
class Resolution:
    """A network with everything filled in."""

    layers: tuple[ResolvedLayer, ...]
    input_type: InputType | None
    output_type: InputType | None
    data_type: str
    """``float``, ``double`` or ``half``."""

    @property
    def n_params(self) -> int:
        """Number of parameters."""
        return sum(layer.n_params for layer in self.layers)


class Settled(NamedTuple):
    """A layer that has met its input."""

    layer: Layer
    preprocessor: InputPreProcessor | None
    input_type: InputType | None
    """After the preprocessor."""
    output_type: InputType | None


def inherited(network: "NetworkOptions", layer: Layer, name: str, *, path: str) -> Layer:
    """A layer with the network's options where it has none of its own.

    Raises:
        ConfigError: Options of the layer that contradict each other.

    """
    _check_options(layer, path)
    return layer.inherit(network, name)


def _check_options(layer: Layer, path: str) -> None:
    """Refuse options that contradict each other, of a layer and of those inside of it."""
    check_short_forms(layer, path)
    check_updaters(layer, path)
    layer.check(path)
    for option in layer.wraps:
        _check_options(getattr(layer, option), f"{path}.{option}")


def settle(
    network: "NetworkOptions",
    layer: Layer,
    preprocessor: InputPreProcessor | None,
    input_type: InputType | None,
    *,
    path: str,
    preprocessor_path: str,
) -> Settled:
    """A layer that has inherited, with its preprocessor, and sizes and formats taken from its input.

    Raises:
        ConfigError: The input does not fit, or sizes are missing.

    """
    output_type = None
    if input_type is not None:
        preprocessor = preprocessor or layer.preprocessor_for(input_type, path)
        if preprocessor is not None:
            input_type = preprocessor.output_type(input_type, preprocessor_path)
        layer = layer.with_input(input_type, path)
        output_type = layer.output_type(input_type, path)
    layer.check_complete(path)
    layer.check_new(network, path)
    _check_identity(layer, path)
    return Settled(layer.constrained(network), preprocessor, input_type, output_type)


def _check_identity(layer: Layer, path: str) -> None:
    """Refuse the identity as initial weights that cannot be one, with which DL4J fails when it makes the network."""
    for key, option in (("W", "weight_init"), ("RW", "weight_init_recurrent")):
        init = getattr(layer, option, None) or getattr(layer, "weight_init", None)
        shape = layer.param_shapes().get(key) if isinstance(init, WeightInitIdentity) else None
        if shape and not (len(shape) > 1 and shape[0] == shape[1] and all(size % 2 for size in shape[2:])):
            must = f"cannot be the identity: {key} must be square, its kernel odd, and is {list(shape)}"
            raise guard(f"{path}.{option}", must, init)
    for option in layer.wraps:
        _check_identity(getattr(layer, option), f"{path}.{option}")


def settle_as_written(
    layer: Layer, preprocessor: InputPreProcessor | None, input_type: InputType | None, path: str
) -> Settled:
    """A layer that is not changed; its types are known as far as they fit."""
    output_type = None
    try:
        if input_type is not None and preprocessor is not None:
            input_type = preprocessor.output_type(input_type, path)
        if input_type is not None:
            output_type = layer.output_type(input_type, path)
    except ConfigError:  # DL4J takes such a document, too; only the shapes after this layer are not known
        input_type = None
    layer.check_complete(path)
    return Settled(layer, preprocessor, input_type, output_type)


def resolve(conf: "MultiLayerConfiguration") -> Resolution:
    """Fill in what the layers of ``conf`` inherit and infer, and check that they fit together.

    Raises:
        ConfigError: Layers that do not fit their input, contradictory or missing sizes, a loss that its activation does
            not suit, truncated backpropagation through a layer that needs whole sequences.

    """
    layers, first = conf.layers, conf.input_preprocessors.get(0)
    input_type = conf.input_type or (input_type_of(layers[0]) if first is None else None)
    if not conf.as_written:
        places = _build(conf, input_type)
        if input_type is not None:
            return Resolution(tuple(places), input_type, places[-1].output_type, conf.data_type)
        layers = [place.layer for place in places]
    input_type = input_type or _input_type_before(first)
    places = _walk(conf, layers, input_type, as_written=True)
    return Resolution(tuple(places), input_type, places[-1].output_type, conf.data_type)


def _build(conf: "MultiLayerConfiguration", input_type: InputType | None) -> list[ResolvedLayer]:
    """What DL4J's builder makes of the layers."""
    layers = [
        inherited(conf, layer, layer.name or f"layer{i}", path=f"layers[{i}]") for i, layer in enumerate(conf.layers)
    ]
    places = _walk(conf, layers, input_type)
    _check(conf, places)
    return places


def contradictions(places: Iterable[tuple[str, Layer, InputType | None]]) -> dict[str, ConfigError]:
    """Sizes and kinds that do not fit, by path, of layers that are taken as they are: path, layer and type of its input."""
    found = {}
    for path, layer, input_type in places:
        try:
            if input_type is not None:
                layer.with_input(input_type, path)
        except ConfigError as error:
            found[error.path or path] = error
    return found


def input_type_of(layer: Layer) -> InputType | None:
    """The input of a network that does not state it, where DL4J infers it from the first layer."""
    if isinstance(layer, BaseRecurrentLayer) and layer.n_in is not None:
        return InputType.recurrent(layer.n_in, format=layer.data_format or "ncw")
    if isinstance(layer, DenseLayer | EmbeddingLayer | OutputLayer) and layer.n_in is not None:
        return InputType.feed_forward(layer.n_in)
    return None


def _input_type_before(preprocessor: InputPreProcessor | None) -> InputType | None:
    """What a preprocessor takes that tells it. DL4J does not ask it: no layer learns from it."""
    if isinstance(preprocessor, FeedForwardToCnnPreProcessor):
        size = preprocessor.input_height * preprocessor.input_width * preprocessor.num_channels
        return InputType.feed_forward(size) if size else None
    return None


def _walk(
    conf: "MultiLayerConfiguration",
    layers: Sequence[Layer],
    input_type: InputType | None,
    *,
    as_written: bool = False,
) -> list[ResolvedLayer]:
    """Pass the input type through the layers."""
    resolved = []
    for index, layer in enumerate(layers):
        path, preprocessor = f"layers[{index}]", conf.input_preprocessors.get(index)
        if as_written:
            settled = settle_as_written(layer, preprocessor, input_type, path)
        else:
            settled = settle(
                conf, layer, preprocessor, input_type, path=path, preprocessor_path=f"input_preprocessors[{index}]"
            )
        shapes = settled.layer.param_shapes()
        resolved.append(ResolvedLayer(index, layer.name or "", path, *settled, shapes))
        input_type = settled.output_type
    return resolved


def _check(conf: "MultiLayerConfiguration", layers: Sequence[ResolvedLayer]) -> None:
    """What DL4J's builder refuses."""
    beyond = [index for index in conf.input_preprocessors if index >= len(layers)]
    if beyond:
        raise refuse("input_preprocessors", f"must have keys below {len(layers)}, the number of layers", beyond[0])
    for place in layers:
        check_layer(conf, place.layer, place.path)
    for place, written in zip(layers[:-1], conf.layers, strict=False):
        if place.output_type is not None:
            check_feeding(written, place.path)


def check_feeding(layer: Layer, path: str) -> None:
    """Refuse a layer that cannot come before others. Raises `GuardError`."""
    kind = innermost(layer)
    if kind.must_be_last:
        must = f"({type(kind).__name__}) must be the last layer: DL4J tells the next that n_in is 0"
        raise guard(path, must, layer)


def innermost(layer: Layer) -> Layer:
    """The layer inside of all wrappers."""
    return innermost(getattr(layer, layer.wraps[0])) if layer.wraps else layer


def check_layer(conf: "NetworkOptions", layer: Layer, path: str) -> None:
    """What DL4J's builders refuse of a layer in a network.

    Raises:
        ConfigError: A layer that needs whole sequences under truncated backpropagation, or a loss that cannot train.

    """
    if conf.backprop_type == "truncated_bptt" and layer.needs_whole_sequences:
        must = 'cannot be a layer that needs whole sequences with backprop_type="truncated_bptt"'
        raise refuse(path, must, layer)
    if conf.validate_output_layer_config:
        layer.check_output(path)
