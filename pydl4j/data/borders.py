"""What a network takes and gives: its inputs and outputs, as far as data has to fit them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from pydl4j.conf.activations import ActivationSoftmax
from pydl4j.conf.graph import ComputationGraphConfiguration
from pydl4j.conf.inputs import InputType
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
from pydl4j.conf.resolve import innermost
from pydl4j.errors import ConfigError, suggestion

Shape = tuple[int | None, ...]
Configuration = MultiLayerConfiguration | ComputationGraphConfiguration
_SOFTMAX_LOSSES = LossMCXENT | LossKLD
_DIMENSIONS = {SEQUENCES: 2, TIME_LAST: 2, IMAGES: 3, VOLUMES: 4}
"""Of one example, where that is not a vector."""


@dataclass(frozen=True)
class InputInterface:
    """An input of a network."""

    name: str | None
    """None for the input of a multi-layer network."""
    path: str
    """Place of the layer that it feeds, such as ``layers[0]``."""
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

    @property
    def row_shape(self) -> Shape:
        """Dimensions of the features of one example; None for those that are not known."""
        if self.index_shapes:
            length = getattr(self.input_type, "time_series_length", None)
            return tuple(length if size is None else size for size in self.index_shapes[0])
        return (self.n_in,) if self.input_type is None else self.input_type.shape


@dataclass(frozen=True)
class OutputInterface:
    """An output of a network."""

    name: str | None
    """None for the output of a multi-layer network."""
    index: int
    """Its number among the network's outputs."""
    path: str
    """Place of the layer or vertex whose activations come out."""
    dtype: str
    """numpy dtype of parameters and activations."""
    trainable: bool
    """Whether the layer computes a loss, so that there are labels."""
    n_out: int | None
    """Width of the output; None where the layer takes any."""
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
    def place_shape(self) -> Shape:
        """Those dimensions: (), (time,), (height, width)."""
        return self.label_shape[:-1] if self.class_axis == -1 else self.label_shape[1:]

    @property
    def layer(self) -> str:
        """What messages call the layer."""
        return "the last layer" if self.name is None else f"the output {self.name!r}"


@dataclass(frozen=True)
class Interface:
    """The borders of a network."""

    conf: Configuration = field(repr=False)
    dtype: str
    """numpy dtype of parameters and activations."""
    inputs: tuple[InputInterface, ...]
    """In the order of the configuration's."""
    outputs: tuple[OutputInterface, ...]
    """In the order of the configuration's."""
    lossy: str | None
    """The place of an output layer that is no output, for which DL4J has no labels."""

    @property
    def classifiers(self) -> tuple[OutputInterface, ...]:
        """Outputs whose labels are classes."""
        return tuple(output for output in self.outputs if output.classifier)

    def output(self, name: str | None) -> OutputInterface:
        """The output of that name; for None the only one.

        Raises:
            ConfigError: there is no such output, or None is ambiguous.
        """
        return named(self.outputs, name, "output")


_Border = TypeVar("_Border", InputInterface, OutputInterface)


def named(borders: Sequence[_Border], name: str | None, what: str) -> _Border:
    """The input or output of that name; for None the only one.

    Raises:
        ConfigError: there is none of that name, or None is ambiguous.
    """
    names = [border.name for border in borders if border.name is not None]
    if name is None and len(borders) == 1:
        return borders[0]
    if name is None:
        raise ConfigError(
            f"the graph has several {what}s: name one, as in {what}={names[0]!r}. It has: {', '.join(names)}", path=what
        )
    found = next((border for border in borders if border.name == name), None)
    if found is None:
        has = f"It has: {', '.join(names)}" if names else f"A multi-layer network has one {what}, without a name"
        raise ConfigError(f"the network has no {what} {name!r}{suggestion(name, names)}. {has}", path=what)
    return found


def input_interface(
    name: str | None, path: str, dtype: str, input_type: InputType | None, first: Layer | None
) -> InputInterface:
    """An input of that type which feeds ``first``, the innermost of its wrappers; None where no layer tells anything."""
    return InputInterface(
        name=name,
        path=path,
        dtype=dtype,
        input_type=input_type,
        n_in=getattr(first, "n_in", None),
        features_axis=-1 if str(getattr(first, "data_format", "")).endswith("c") else 1,
        index_shapes=() if first is None else tuple(first.index_shapes()),
    )


def output_interface(
    name: str | None, path: str, dtype: str, layer: Layer | None, output: InputType | None, *, index: int = 0
) -> OutputInterface:
    """The output of ``layer``, or of a vertex without one."""
    last = None if layer is None else innermost(layer)
    loss = _loss(last)
    softmax = isinstance(getattr(last, "activation", None), ActivationSoftmax)
    class_axis = -1 if str(getattr(last, "data_format", None) or getattr(output, "format", "")).endswith("c") else 1
    n_out = _width(output) or getattr(last, "n_out", None)
    return OutputInterface(
        name=name,
        index=index,
        path=path,
        dtype=dtype,
        trainable=last is not None and (last.computes_loss or isinstance(last, CustomLayer)),
        n_out=n_out,
        label_shape=_label_shape(last, output, n_out, loss, class_axis),
        output_shape=_output_shape(last, output, n_out, class_axis),
        class_axis=class_axis,
        classifier=_is_classifier(loss, softmax=softmax, n_out=n_out),
        softmax=isinstance(loss, _SOFTMAX_LOSSES) and softmax,
        sparse_labels=isinstance(loss, LossSparseMCXENT),
        label_range=_label_range(loss),
    )


def computes_loss(layer: Layer) -> bool:
    """Whether a layer computes a loss and is trained."""
    return innermost(layer).computes_loss and not layer.frozen


def _loss(last: Layer | None) -> ILossFunction | None:
    given = getattr(last, "loss", None) if last is not None and last.computes_loss else None
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


def _output_shape(last: Layer | None, output: InputType | None, n_out: int | None, class_axis: int) -> Shape:
    if output is not None:
        return output.shape
    places = (None,) * (_DIMENSIONS.get(_takes(last), 1) - 1)
    return (*places, n_out) if class_axis == -1 else (n_out, *places)


def _takes(last: Layer | None) -> Any:
    return None if last is None else last.takes


def _label_shape(
    last: Layer | None, output: InputType | None, n_out: int | None, loss: ILossFunction | None, class_axis: int
) -> Shape:
    labelled = last.labels_for(output) if last is not None and output is not None else output
    shape = list(_output_shape(last, labelled, n_out, class_axis))
    axis = -1 if class_axis == -1 else 0
    width = shape[axis]
    if loss is not None and width is not None:
        shape[axis] = loss.label_size(width)
    return tuple(shape)


def _width(output: InputType | None) -> int | None:
    """Numbers at each place of the activations."""
    return getattr(output, "size", None) or getattr(output, "channels", None)
