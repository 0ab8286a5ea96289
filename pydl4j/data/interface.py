"""What a network takes and gives, read from its configuration."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from numpy.typing import NDArray

from pydl4j.conf.graph import ComputationGraphConfiguration
from pydl4j.conf.inputs import InputType, InputTypeRecurrent
from pydl4j.conf.layers.base import Layer
from pydl4j.conf.network import MultiLayerConfiguration
from pydl4j.conf.resolve import innermost
from pydl4j.conf.resolve_graph import GraphResolution, ResolvedVertex
from pydl4j.conf.vertices.base import LayerVertex
from pydl4j.data.borders import (
    Configuration,
    InputInterface,
    Interface,
    OutputInterface,
    computes_loss,
    input_interface,
    output_interface,
)
from pydl4j.errors import ConfigError, ShapeError

__all__ = ["InputInterface", "Interface", "OutputInterface", "interface", "seen"]

_DTYPES = {"float": "f4", "double": "f8", "half": "f2"}


def interface(conf: Configuration) -> Interface:
    """Read the borders of a network from its configuration."""
    return _of_layers(conf) if isinstance(conf, MultiLayerConfiguration) else _of_graph(conf)


def _of_layers(conf: MultiLayerConfiguration) -> Interface:
    resolution = conf.resolve()
    dtype = _DTYPES[resolution.data_type]
    first, last = resolution.layers[0], resolution.layers[-1]
    before_last = (place.path for place in resolution.layers[:-1] if computes_loss(place.layer))
    return Interface(
        conf=conf,
        dtype=dtype,
        inputs=(input_interface(None, first.path, dtype, resolution.input_type, innermost(first.layer)),),
        outputs=(output_interface(None, last.path, dtype, last.layer, resolution.output_type),),
        lossy=next(before_last, None),
    )


def _of_graph(conf: ComputationGraphConfiguration) -> Interface:
    resolution = conf.resolve()
    dtype = _DTYPES[resolution.data_type]
    outputs = enumerate(resolution.outputs.items())
    lossy = (
        place.path
        for place in resolution.vertices
        if place.layer is not None and place.name not in resolution.outputs and computes_loss(place.layer)
    )
    return Interface(
        conf=conf,
        dtype=dtype,
        inputs=tuple(_graph_input(name, given, resolution, dtype) for name, given in resolution.inputs.items()),
        outputs=tuple(
            output_interface(name, resolution[name].path, dtype, resolution[name].layer, given, index=i)
            for i, (name, given) in outputs
        ),
        lossy=next(lossy, None),
    )


def _graph_input(name: str, given: InputType | None, resolution: GraphResolution, dtype: str) -> InputInterface:
    fed = _fed(name, resolution)
    path = f"{fed.path}.layer" if fed is not None else f'inputs["{name}"]'
    layer = None if fed is None or fed.layer is None else innermost(fed.layer)
    return input_interface(name, path, dtype, given, layer)


def _fed(name: str, resolution: GraphResolution) -> ResolvedVertex | None:
    """The vertex that says most of an input that feeds it: an embedding, or else the first layer without a preprocessor."""
    fed = [place for place in resolution.vertices if place.inputs == (name,) and place.layer is not None]
    embeddings = [place for place in fed if place.layer is not None and innermost(place.layer).index_shapes()]
    plain = [place for place in fed if place.preprocessor is None]
    return next(iter([*embeddings, *plain]), None)


def seen(net: Interface, features: Sequence[NDArray[Any]]) -> Interface:
    """The borders of a network for certain features, which tell sizes that the network leaves open.

    Args:
        net: The borders as the configuration tells them.
        features: An array for each input.

    Raises:
        ShapeError: sequences that are too short for the network, or images that are too small.
    """
    is_known = all(None not in (*output.label_shape, output.n_out) for output in net.outputs)
    if is_known and not _infers_length(net.conf):
        return net
    try:
        known = interface(_told(net, features))
    except ConfigError as error:
        received = [list(array.shape) for array in features]
        raise ShapeError(
            f"expected features that fit the network. Received: {', '.join(map(str, received))}, with which {error.message}",
            path=error.path,
        ) from error
    outputs = (
        replace(old, n_out=new.n_out, label_shape=new.label_shape, output_shape=new.output_shape)
        for old, new in zip(net.outputs, known.outputs, strict=True)
    )
    return replace(net, outputs=tuple(outputs))


def _told(net: Interface, features: Sequence[NDArray[Any]]) -> Configuration:
    """The configuration with the sizes of these features."""
    conf = net.conf
    if isinstance(conf, MultiLayerConfiguration):
        first = _of_length(conf.layers[0], features[0].shape[-1])
        given = _type_seen(net.inputs[0], features[0])
        return conf.replace(input_type=given, layers=[first, *conf.layers[1:]])
    types = []
    vertices = dict(conf.parts.vertices)
    for border, array in zip(net.inputs, features, strict=True):
        types.append(_type_seen(border, array))
        for name, inputs in conf.vertex_inputs.items():
            vertex = vertices[name]
            if tuple(inputs) == (border.name,) and isinstance(vertex, LayerVertex):
                vertices[name] = vertex.replace(layer=_of_length(vertex.layer, array.shape[-1]))
    return conf.replace(input_types=types, vertices=vertices)


def _infers_length(conf: Configuration) -> bool:
    if isinstance(conf, MultiLayerConfiguration):
        layers = list(conf.layers[:1])
    else:
        layers = [vertex.layer for vertex in conf.parts.vertices.values() if isinstance(vertex, LayerVertex)]
    return any(getattr(innermost(layer), "infer_input_length", False) for layer in layers)


def _type_seen(border: InputInterface, features: NDArray[Any]) -> InputType:
    given = border.input_type or _type_of(border, features)
    if isinstance(given, InputTypeRecurrent) and given.time_series_length is None:
        axis = 1 if given.format == "nwc" and not border.index_shapes else -1
        return given.replace(time_series_length=features.shape[axis])
    return given


def _type_of(border: InputInterface, features: NDArray[Any]) -> InputType:
    """The type of features of a network that was not told of it."""
    sizes, words = features.shape[1:], border.n_in if border.index_shapes else None
    if words is not None or len(sizes) == 1:
        return InputType.feed_forward(words or sizes[0])
    last = border.features_axis == -1
    channels, places = (sizes[-1], sizes[:-1]) if last else (sizes[0], sizes[1:])
    if len(sizes) == 2:
        return InputType.recurrent(channels, time_series_length=places[0], format="nwc" if last else "ncw")
    named = dict(zip(("depth", "height", "width")[-len(places) :], places, strict=True))
    if len(sizes) == 3:
        return InputType.convolutional(**named, channels=channels, format="nhwc" if last else "nchw")
    return InputType.convolutional_3d(**named, channels=channels, format="ndhwc" if last else "ncdhw")


def _of_length(layer: Layer, length: int) -> Layer:
    """A first layer that infers the length of sequences from data, with that of the data."""
    inside = {option: _of_length(getattr(layer, option), length) for option in layer.wraps}
    own = {"input_length": length} if getattr(layer, "infer_input_length", False) else {}
    return layer.replace(**inside, **own) if inside or own else layer
