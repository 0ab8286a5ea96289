"""Resolution: a network with everything filled in that its layers inherit, infer or get from DL4J's defaults."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

from pydl4j.conf._kernel import refuse
from pydl4j.conf.inputs import InputType
from pydl4j.conf.layers.base import BaseLayer, Layer, ParamShapes
from pydl4j.conf.layers.convolution import GlobalPoolingLayer
from pydl4j.conf.layers.feedforward import DenseLayer
from pydl4j.conf.layers.output import BaseOutputLayer, LossLayer, OutputLayer
from pydl4j.conf.layers.recurrent import BaseRecurrentLayer
from pydl4j.conf.preprocessors import FeedForwardToCnnPreProcessor, InputPreProcessor
from pydl4j.conf.regularization import L1Regularization, L2Regularization, Regularization, WeightDecay
from pydl4j.errors import ConfigError

if TYPE_CHECKING:
    from pydl4j.conf.network import MultiLayerConfiguration

__all__ = ["Resolution", "ResolvedLayer", "resolve"]


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


def resolve(conf: "MultiLayerConfiguration") -> Resolution:
    """Fill in what the layers of ``conf`` inherit and infer, and check that they fit together.

    Raises:
        ConfigError: Layers that do not fit their input, contradictory or missing sizes, a loss that its activation does
            not suit, truncated backpropagation through a layer that needs whole sequences.

    """
    layers = list(conf.layers) if conf.as_written else [_inherit(conf, i, layer) for i, layer in enumerate(conf.layers)]
    input_type = conf.input_type or _input_type_of(layers[0], conf.input_preprocessors.get(0))
    resolved = _walk(conf, layers, input_type)
    if not conf.as_written:
        _check(conf, resolved)
    return Resolution(tuple(resolved), input_type, resolved[-1].output_type, conf.data_type)


def _inherit(conf: "MultiLayerConfiguration", index: int, layer: Layer) -> Layer:
    """``layer`` with the network's options where it has none of its own."""
    missing = {name: getattr(conf, name) for name in layer.inherited if getattr(layer, name) is None}
    changes = {name: value for name, value in missing.items() if value is not None}
    if layer.name is None:
        changes["name"] = f"layer{index}"
    if (changes.get("dropout") or layer.dropout) == 0.0:
        changes["dropout"] = None
    if isinstance(layer, BaseLayer):
        changes |= {
            "regularization": _merge(_penalties(layer, bias=False), _penalties(conf, bias=False)),
            "regularization_bias": _merge(_penalties(layer, bias=True), _penalties(conf, bias=True)),
        }
        changes |= dict.fromkeys(("l1", "l2", "weight_decay", "l1_bias", "l2_bias", "weight_decay_bias"))
    return layer.replace(**changes)


def _penalties(owner: "BaseLayer | MultiLayerConfiguration", *, bias: bool) -> list[Regularization]:
    """What ``owner`` itself says about regularization."""
    if bias:
        l1, l2, decay, more = owner.l1_bias, owner.l2_bias, owner.weight_decay_bias, owner.regularization_bias
    else:
        l1, l2, decay, more = owner.l1, owner.l2, owner.weight_decay, owner.regularization
    own: list[Regularization] = []
    own += [L1Regularization(l1=l1)] if l1 else []
    own += [L2Regularization(l2=l2)] if l2 else []
    own += [WeightDecay(coeff=decay)] if decay else []
    return own + list(more or ())


def _merge(own: Sequence[Regularization], inherited: Sequence[Regularization]) -> tuple[Regularization, ...]:
    """A layer's penalties, and those of the network of which it has no kind."""
    kinds = {type(penalty) for penalty in own}
    return (*own, *(penalty for penalty in inherited if type(penalty) not in kinds))


def _input_type_of(layer: Layer, preprocessor: InputPreProcessor | None) -> InputType | None:
    """The input of a network that does not state it, where its first layer tells."""
    if isinstance(preprocessor, FeedForwardToCnnPreProcessor):
        return InputType.feed_forward(preprocessor.input_height * preprocessor.input_width * preprocessor.num_channels)
    if preprocessor is not None:
        return None
    if isinstance(layer, BaseRecurrentLayer) and layer.n_in is not None:
        return InputType.recurrent(layer.n_in, format=layer.data_format or "ncw")
    if isinstance(layer, DenseLayer | OutputLayer) and layer.n_in is not None:
        return InputType.feed_forward(layer.n_in)
    return None


def _walk(
    conf: "MultiLayerConfiguration", layers: Sequence[Layer], input_type: InputType | None
) -> list[ResolvedLayer]:
    """Pass the input type through the layers."""
    resolved = []
    for index, layer in enumerate(layers):
        step = _as_written if conf.as_written else _place
        place = step(index, layer, conf.input_preprocessors.get(index), input_type)
        resolved.append(place)
        input_type = place.output_type
    return resolved


def _place(
    index: int, layer: Layer, preprocessor: InputPreProcessor | None, input_type: InputType | None
) -> ResolvedLayer:
    """A layer with its preprocessor, sizes and formats taken from its input."""
    path = f"layers[{index}]"
    output_type = None
    if input_type is not None:
        preprocessor = preprocessor or layer.preprocessor_for(input_type)
        if preprocessor is not None:
            input_type = preprocessor.output_type(input_type, f"input_preprocessors[{index}]")
        layer = layer.with_input(input_type, path)
        output_type = layer.output_type(input_type, path)
    layer.check_complete(path)
    return ResolvedLayer(
        index, layer.name or "", path, layer, preprocessor, input_type, output_type, layer.param_shapes()
    )


def _as_written(
    index: int, layer: Layer, preprocessor: InputPreProcessor | None, input_type: InputType | None
) -> ResolvedLayer:
    """A layer that is not changed; its types are known as far as they fit."""
    path = f"layers[{index}]"
    output_type = None
    try:
        if input_type is not None and preprocessor is not None:
            input_type = preprocessor.output_type(input_type, path)
        if input_type is not None:
            output_type = layer.output_type(input_type, path)
    except ConfigError:  # DL4J takes such a document, too; only the shapes after this layer are not known
        input_type = None
    layer.check_complete(path)
    return ResolvedLayer(
        index, layer.name or "", path, layer, preprocessor, input_type, output_type, layer.param_shapes()
    )


def _check(conf: "MultiLayerConfiguration", layers: Sequence[ResolvedLayer]) -> None:
    """What DL4J's builder refuses."""
    beyond = [index for index in conf.input_preprocessors if index >= len(layers)]
    if beyond:
        raise refuse("input_preprocessors", f"must have keys below {len(layers)}, the number of layers", beyond[0])
    for place in layers:
        if conf.backprop_type == "truncated_bptt" and isinstance(place.layer, GlobalPoolingLayer):
            raise refuse(
                place.path, 'cannot be a layer that pools over time with backprop_type="truncated_bptt"', place.layer
            )
        if conf.validate_output_layer_config and isinstance(place.layer, BaseOutputLayer | LossLayer):
            place.layer.check_output(place.path)
