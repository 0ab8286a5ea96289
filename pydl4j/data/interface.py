"""What a network takes and gives, read from its configuration."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from numpy.typing import NDArray

from pydl4j.conf.activations import ActivationSoftmax
from pydl4j.conf.inputs import InputType, InputTypeRecurrent
from pydl4j.conf.layers.base import Layer
from pydl4j.conf.layers.custom import CustomLayer
from pydl4j.conf.layers.kinds import IMAGES, SEQUENCES, TIME_LAST, VOLUMES
from pydl4j.conf.losses import (
    ILossFunction,
    LossBinaryXENT,
    LossKLD,
    LossMCXENT,
    LossSparseMCXENT,
)
from pydl4j.conf.network import MultiLayerConfiguration
from pydl4j.conf.resolve import ResolvedLayer, innermost
from pydl4j.errors import ConfigError, ShapeError

Shape = tuple[int | None, ...]
_SOFTMAX_LOSSES = LossMCXENT | LossKLD
_DTYPES = {"float": "f4", "double": "f8", "half": "f2"}
_DIMENSIONS = {SEQUENCES: 2, TIME_LAST: 2, IMAGES: 3, VOLUMES: 4}
"""Of one example, where that is not a vector."""


@dataclass(frozen=True)
class Interface:
    """The borders of a network, as far as data has to fit them."""

    conf: MultiLayerConfiguration = field(repr=False)
    dtype: str
    """numpy dtype of parameters and activations."""
    input_type: InputType | None
    """What the network was told of its input; None where only ``n_in`` is known."""
    n_in: int | None
    """Width of the input, for a first layer that has one."""
    features_axis: int
    """The axis of features that is ``n_in`` wide: 1, or -1 where channels come last."""
    index_shapes: tuple[Shape, ...]
    """Shapes of one example, where features are indices: whole numbers from 0 to ``n_in - 1``."""
    trainable: bool
    """Whether the last layer computes a loss, so that there are labels."""
    lossy: int | None
    """The index of an output layer before the last, for which DL4J has no labels."""
    n_out: int | None
    """Width of the output; None where the last layer takes any."""
    label_shape: Shape
    """Dimensions of the labels of one example; None for those that the features decide on."""
    output_shape: Shape
    """Dimensions of the output of one example, as the labels'."""
    class_axis: int
    """The axis of labels and output that has a number per class: 1, or -1 where it is the last (NWC, NHWC, NDHWC)."""
    classifier: bool
    """Whether labels are classes."""
    softmax: bool
    """Whether each row of labels is a distribution over exclusive classes."""
    sparse_labels: bool
    """Whether the loss takes class indices themselves (LossSparseMCXENT)."""
    label_range: tuple[float, float] | None
    """Least and greatest number that the loss has a meaning for in labels; None where that is any."""

    @property
    def classes(self) -> int | None:
        """How many classes there are; one sigmoid unit tells two apart. None for no classifier."""
        if not self.classifier or self.n_out is None:
            return None
        return 2 if self.n_out == 1 else self.n_out

    @property
    def places(self) -> int:
        """Dimensions of an example over which there is an output for each place: 1 for sequences, 2 for images; else 0."""
        return len(self.label_shape) - 1

    @property
    def row_shape(self) -> Shape:
        """Dimensions of the features of one example; None for those that are not known."""
        if self.index_shapes:
            length = getattr(self.input_type, "time_series_length", None)
            return tuple(length if size is None else size for size in self.index_shapes[0])
        return (self.n_in,) if self.input_type is None else self.input_type.shape

    def seen(self, features: NDArray[Any]) -> "Interface":
        """These borders for certain features, which tell sizes that the network leaves open.

        Raises:
            ShapeError: sequences that are too short for the network, or images that are too small.
        """
        layers = self.conf.layers
        infers_length = getattr(innermost(layers[0]), "infer_input_length", False)
        if None not in (*self.label_shape, self.n_out) and not infers_length:
            return self
        given = self.input_type or _type_of(features, innermost(layers[0]), self.n_in if self.index_shapes else None)
        if isinstance(given, InputTypeRecurrent) and given.time_series_length is None:
            axis = 1 if given.format == "nwc" and not self.index_shapes else -1
            given = given.replace(time_series_length=features.shape[axis])
        try:
            first = _of_length(layers[0], features.shape[-1])
            known = interface(self.conf.replace(input_type=given, layers=[first, *layers[1:]]))
        except ConfigError as error:
            raise ShapeError(
                f"expected features that fit the network. Received: {list(features.shape)}, with which {error.message}",
                path=error.path,
            ) from error
        return replace(self, n_out=known.n_out, label_shape=known.label_shape, output_shape=known.output_shape)


def interface(conf: MultiLayerConfiguration) -> Interface:
    """Read the borders of a network from its configuration."""
    resolution = conf.resolve()
    first, last = innermost(resolution.layers[0].layer), innermost(resolution.layers[-1].layer)
    output = resolution.output_type
    loss = _loss(last)
    softmax = isinstance(getattr(last, "activation", None), ActivationSoftmax)
    class_axis = -1 if str(getattr(last, "data_format", None) or getattr(output, "format", "")).endswith("c") else 1
    n_out = _width(output) or getattr(last, "n_out", None)
    return Interface(
        conf=conf,
        dtype=_DTYPES[resolution.data_type],
        input_type=resolution.input_type,
        n_in=getattr(first, "n_in", None),
        features_axis=-1 if str(getattr(first, "data_format", "")).endswith("c") else 1,
        index_shapes=tuple(first.index_shapes()),
        trainable=last.computes_loss or isinstance(last, CustomLayer),
        lossy=_first_loss(resolution.layers[:-1]),
        n_out=n_out,
        label_shape=_label_shape(last, output, n_out, loss, class_axis),
        output_shape=_output_shape(last, output, n_out, class_axis),
        class_axis=class_axis,
        classifier=_is_classifier(loss, softmax=softmax, n_out=n_out),
        softmax=isinstance(loss, _SOFTMAX_LOSSES) and softmax,
        sparse_labels=isinstance(loss, LossSparseMCXENT),
        label_range=_label_range(loss),
    )


def _first_loss(places: Sequence[ResolvedLayer]) -> int | None:
    """The first of these layers that computes a loss and is trained."""
    lossy = (place.index for place in places if innermost(place.layer).computes_loss and not place.layer.frozen)
    return next(lossy, None)


def _loss(last: Layer) -> ILossFunction | None:
    given = getattr(last, "loss", None) if last.computes_loss else None
    return given if isinstance(given, ILossFunction) else None


def _is_classifier(loss: ILossFunction | None, *, softmax: bool, n_out: int | None) -> bool:
    if isinstance(loss, _SOFTMAX_LOSSES):
        return True
    # several sigmoid units are several yes-no answers, not one class
    return isinstance(loss, LossBinaryXENT) and (n_out == 1 or softmax)


def _label_range(loss: ILossFunction | None) -> tuple[float, float] | None:
    if isinstance(loss, LossBinaryXENT):
        return (0.0, 1.0)
    return (0.0, math.inf) if isinstance(loss, _SOFTMAX_LOSSES) and not isinstance(loss, LossSparseMCXENT) else None


def _output_shape(last: Layer, output: InputType | None, n_out: int | None, class_axis: int) -> Shape:
    if output is not None:
        return output.shape
    places = (None,) * (_DIMENSIONS.get(last.takes, 1) - 1)
    return (*places, n_out) if class_axis == -1 else (n_out, *places)


def _label_shape(
    last: Layer, output: InputType | None, n_out: int | None, loss: ILossFunction | None, class_axis: int
) -> Shape:
    shape = list(_output_shape(last, output and last.labels_for(output), n_out, class_axis))
    axis = -1 if class_axis == -1 else 0
    width = shape[axis]
    if loss is not None and width is not None:
        shape[axis] = loss.label_size(width)
    return tuple(shape)


def _width(output: InputType | None) -> int | None:
    """Numbers at each place of the activations."""
    return getattr(output, "size", None) or getattr(output, "channels", None)


def _type_of(features: NDArray[Any], first: Layer, words: int | None) -> InputType | None:
    """The type of features of a network that was not told of it."""
    data_format, sizes = getattr(first, "data_format", None), features.shape[1:]
    if words is not None or len(sizes) == 1:
        return InputType.feed_forward(words or sizes[0])
    last = str(data_format).endswith("c")
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
