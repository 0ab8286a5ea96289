"""Windows: the arithmetic of what moves over sequences, images and volumes."""

from typing import Annotated, Any, Protocol

from pydl4j.conf._codecs import AtLeast, Repeat
from pydl4j.conf._kernel import guard, refuse
from pydl4j.conf.inputs import InputType, InputTypeConvolutional, InputTypeConvolutional3D, InputTypeRecurrent

Pair = Annotated[int | tuple[int, int], AtLeast(1)]
"""Height and width; one number stands for both."""
PairFromZero = Annotated[int | tuple[int, int], AtLeast(0)]
Triple = Annotated[int | tuple[int, int, int], AtLeast(1)]
"""Depth, height and width; one number stands for all."""
TripleFromZero = Annotated[int | tuple[int, int, int], AtLeast(0)]
Twice = Annotated[int | tuple[int, int], AtLeast(1), Repeat(2)]
"""Time steps. DL4J writes the number twice, and uses the first."""
TwiceFromZero = Annotated[int | tuple[int, int], AtLeast(0), Repeat(2)]

Sizes = int | tuple[int, ...]
"""One number per dimension, or one for all."""


class Bordered(Protocol):
    """A layer to which something happens at the border."""

    @property
    def convolution_mode(self) -> Any: ...


class Windowed(Bordered, Protocol):
    """A layer with a window."""

    @property
    def kernel_size(self) -> Sizes: ...
    @property
    def stride(self) -> Sizes: ...
    @property
    def padding(self) -> Sizes: ...
    @property
    def dilation(self) -> Sizes: ...


def along(sizes: Sizes, axis: int) -> int:
    """The size in one dimension."""
    return sizes if isinstance(sizes, int) else sizes[axis]


def each(sizes: Sizes, dimensions: int) -> tuple[int, ...]:
    """The sizes in all dimensions."""
    return tuple(along(sizes, axis) for axis in range(dimensions))


def over_sequence(layer: Windowed, series: InputTypeRecurrent, size: int, path: str) -> InputTypeRecurrent:
    """The sequences of ``size`` features that come out of a window that moves over ``series``."""
    length = series.time_series_length
    steps = None if length is None else window_steps(layer, 0, "length", length, path)
    return InputType.recurrent(size, time_series_length=steps, format=series.format)


def over_image(layer: Windowed, image: InputTypeConvolutional, channels: int, path: str) -> InputTypeConvolutional:
    """The images that come out of a window that moves over ``image``."""
    height = window_steps(layer, 0, "height", image.height, path)
    width = window_steps(layer, 1, "width", image.width, path)
    return InputType.convolutional(height=height, width=width, channels=channels, format=image.format)


def over_volume(
    layer: Windowed, volume: InputTypeConvolutional3D, channels: int, path: str
) -> InputTypeConvolutional3D:
    """The volumes that come out of a window that moves over ``volume``."""
    if layer.convolution_mode == "strict":
        _check_uniform(layer, path)
    depth = window_steps(layer, 0, "depth", volume.depth, path)
    height = window_steps(layer, 1, "height", volume.height, path)
    width = window_steps(layer, 2, "width", volume.width, path)
    return InputType.convolutional_3d(depth=depth, height=height, width=width, channels=channels, format=volume.format)


def window_steps(layer: Windowed, axis: int, dimension: str, size: int, path: str) -> int:
    """Positions of the window along a dimension of ``size``; ``dimension`` is its name."""
    stride, padding, dilation = (along(sizes, axis) for sizes in (layer.stride, layer.padding, layer.dilation))
    if layer.convolution_mode in {"same", "causal"}:
        return -(-size // stride)
    room = size + 2 * padding - span(layer, axis)
    if room < 0:
        must = f"must fit into the input: {dimension} {size}, padding {padding}, dilation {dilation}"
        raise guard(f"{path}.kernel_size", must, layer.kernel_size)
    if layer.convolution_mode == "strict" and room % stride:
        must = f'must divide {room} ({dimension} + padding - kernel) in mode "strict"; "truncate" and "same" take any'
        error = guard if dimension == "length" else refuse  # DL4J leaves sequences to the first minibatch
        raise error(f"{path}.stride", must, layer.stride)
    return room // stride + 1


def spread_steps(layer: Windowed, axis: int, dimension: str, size: int, path: str) -> int:
    """What a window makes of a dimension of ``size`` when it is spread by its stride, as deconvolution does it."""
    stride = along(layer.stride, axis)
    if layer.convolution_mode == "same":
        return stride * size
    steps = stride * (size - 1) + span(layer, axis) - 2 * along(layer.padding, axis)
    if steps < 1:
        raise guard(f"{path}.padding", f"must leave something of the output's {dimension}, {steps} here", layer.padding)
    return steps


def span(layer: Windowed, axis: int) -> int:
    """The extent of the window with its gaps."""
    return 1 + (along(layer.kernel_size, axis) - 1) * along(layer.dilation, axis)


def _check_uniform(layer: Windowed, path: str) -> None:
    """DL4J checks the strides of volumes against each other's dimensions in mode ``strict``."""
    for option in ("kernel_size", "stride", "padding", "dilation"):
        sizes = getattr(layer, option)
        if len(set(each(sizes, 3))) > 1:
            raise guard(f"{path}.{option}", 'must be the same in all dimensions in mode "strict"', sizes)


def check_same(layer: Windowed, path: str) -> None:
    """Refuse padding beside a layer's own mode ``same``. Where the mode is the network's, DL4J ignores the padding."""
    padding = (layer.padding,) if isinstance(layer.padding, int) else layer.padding
    if layer.convolution_mode == "same" and any(padding):
        raise refuse(f"{path}.padding", 'must be 0 with convolution_mode="same", which pads by itself', layer.padding)


def check_not_causal(layer: Bordered, path: str) -> None:
    """Refuse the mode ``causal``, be it the layer's or inherited."""
    if layer.convolution_mode == "causal":
        must = 'cannot be "causal", which is for Convolution1DLayer: give another to this layer'
        raise guard(f"{path}.convolution_mode", must, layer.convolution_mode)
