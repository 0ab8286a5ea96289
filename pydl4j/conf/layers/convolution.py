"""Convolution and pooling."""

from collections.abc import Sequence
from typing import Annotated, ClassVar, Literal, Self

from pydl4j.conf._codecs import AtLeast
from pydl4j.conf._kernel import guard, refuse
from pydl4j.conf.inputs import (
    CNN2DFormat,
    InputType,
    InputTypeConvolutional,
    InputTypeConvolutional3D,
    InputTypeFeedForward,
    InputTypeRecurrent,
)
from pydl4j.conf.layers.base import (
    JAVA,
    AlgoMode,
    BaseLayer,
    ConvolutionMode,
    FeedForwardLayer,
    Layer,
    NoParamLayer,
    ParamShapes,
    Positive,
)
from pydl4j.conf.layers.kinds import IMAGES, Kind, images
from pydl4j.conf.preprocessors import FeedForwardToRnnPreProcessor, InputPreProcessor, for_images

__all__ = ["ConvolutionLayer", "GlobalPoolingLayer", "SubsamplingLayer"]

Pair = Annotated[int | tuple[int, int], AtLeast(1)]
"""Height and width; one number stands for both."""
PairFromZero = Annotated[int | tuple[int, int], AtLeast(0)]
PoolingType = Literal["max", "avg", "sum", "pnorm"]
FwdAlgo = Literal[
    "implicit_gemm",
    "implicit_precomp_gemm",
    "gemm",
    "direct",
    "fft",
    "fft_tiling",
    "winograd",
    "winograd_nonfused",
    "count",
]
BwdFilterAlgo = Literal["algo_0", "algo_1", "fft", "algo_3", "winograd", "winograd_nonfused", "fft_tiling", "count"]
BwdDataAlgo = Literal["algo_0", "algo_1", "fft", "fft_tiling", "winograd", "winograd_nonfused", "count"]


class ConvolutionLayer(
    FeedForwardLayer,
    java=JAVA + "ConvolutionLayer",
    keys={"data_format": "cnn2dDataFormat"},
    absent={"convolution_mode": "truncate", "cudnn_algo_mode": "prefer_fastest"},
):
    """Two-dimensional convolution: ``[minibatch, n_in, height, width]`` to ``[minibatch, n_out, height, width]``.

    >>> ConvolutionLayer(n_out=20, kernel_size=5, activation="relu")
    ConvolutionLayer(activation='relu', n_out=20)
    """

    takes: ClassVar[Kind] = IMAGES
    inherited: ClassVar[Sequence[str]] = (*BaseLayer.inherited, "convolution_mode", "cudnn_algo_mode")

    kernel_size: Pair = (5, 5)
    stride: Pair = (1, 1)
    padding: PairFromZero = (0, 0)
    """Rows and columns of zeros on each side; not used in mode ``same``."""
    dilation: Pair = (1, 1)
    convolution_mode: ConvolutionMode | None = None
    """What happens at the border: ``strict`` (sizes must divide), ``truncate``, ``same`` (output is input / stride)."""
    data_format: CNN2DFormat | None = "nchw"
    """Taken from the input type where there is one."""
    has_bias: bool = True
    cudnn_algo_mode: AlgoMode | None = None
    cudnn_fwd_algo: FwdAlgo | None = None
    cudnn_bwd_filter_algo: BwdFilterAlgo | None = None
    cudnn_bwd_data_algo: BwdDataAlgo | None = None
    cudnn_allow_fallback: bool = True

    def check(self, path: str) -> None:
        check_window(self, path)

    def output_type(self, input_type: InputType, path: str = "") -> InputType:
        return window_output(self, images(self, input_type, path), self.n_out, path)

    def param_shapes(self) -> ParamShapes:
        n_in, n_out = self.fan()
        weights: ParamShapes = {"W": (n_out, n_in, *pair(self.kernel_size))}
        return {"b": (n_out,), **weights} if self.has_bias else weights


class SubsamplingLayer(
    NoParamLayer,
    java=JAVA + "SubsamplingLayer",
    keys={"data_format": "cnn2dDataFormat"},
    absent={"avg_pool_include_pad_in_divisor": True, "convolution_mode": "truncate", "eps": 0.0},
):
    """Pooling over windows of an image.

    >>> SubsamplingLayer(pooling_type="avg", kernel_size=2)
    SubsamplingLayer(pooling_type='avg', kernel_size=(2, 2))
    """

    takes: ClassVar[Kind] = IMAGES
    inherited: ClassVar[Sequence[str]] = (*Layer.inherited, "convolution_mode")

    pooling_type: PoolingType = "max"
    kernel_size: Pair = (1, 1)
    stride: Pair = (2, 2)
    padding: PairFromZero = (0, 0)
    dilation: Pair = (1, 1)
    convolution_mode: ConvolutionMode | None = None
    data_format: CNN2DFormat | None = "nchw"
    """Taken from the input type where there is one."""
    pnorm: Annotated[int, AtLeast(0)] = 0
    """The norm of ``pooling_type="pnorm"``."""
    eps: Annotated[float, AtLeast(0)] = 1e-8
    avg_pool_include_pad_in_divisor: bool = False
    """Count padding as elements of an average."""
    cudnn_allow_fallback: bool = True

    def validate(self, path: str) -> None:
        if self.pooling_type == "pnorm" and self.pnorm == 0:
            raise refuse(f"{path}.pnorm", 'must be >= 1 with pooling_type="pnorm"', self.pnorm)

    def check(self, path: str) -> None:
        check_window(self, path)

    def output_type(self, input_type: InputType, path: str = "") -> InputType:
        image = images(self, input_type, path)
        return window_output(self, image, image.channels, path)


class GlobalPoolingLayer(NoParamLayer, java=JAVA + "GlobalPoolingLayer"):
    """Pooling over all positions of an image or all time steps of a sequence."""

    needs_whole_sequences: ClassVar[bool] = True

    pooling_type: PoolingType = "max"
    pooling_dimensions: Sequence[int] | None = None
    """Dimensions to pool over; taken from the input type for images."""
    pnorm: Positive = 2
    """The norm of ``pooling_type="pnorm"``."""
    collapse_dimensions: bool = True
    """Drop the pooled dimensions from the output."""

    def preprocessor_for(self, input_type: InputType, path: str = "") -> InputPreProcessor | None:
        if isinstance(input_type, InputTypeFeedForward):
            by_image: dict[str | None, Literal["ncw", "nwc"]] = {"nhwc": "nwc", "nwc": "nwc"}
            return FeedForwardToRnnPreProcessor(data_format=by_image.get(input_type.time_distributed_format, "ncw"))
        return for_images(input_type)

    def with_input(self, input_type: InputType, path: str = "") -> Self:
        if isinstance(input_type, InputTypeConvolutional):
            return self.replace(pooling_dimensions=(2, 3) if input_type.format == "nchw" else (1, 2))
        return self

    def output_type(self, input_type: InputType, path: str = "") -> InputType:
        if isinstance(input_type, InputTypeRecurrent):
            return input_type  # as DL4J has it: the preprocessor that follows passes the vectors through
        if isinstance(input_type, InputTypeConvolutional3D):
            channels = input_type.channels
            of_volumes = InputType.convolutional_3d(depth=1, height=1, width=1, channels=channels, format="ndhwc")
            return InputType.feed_forward(channels) if self.collapse_dimensions else of_volumes
        image = images(self, input_type, path)
        if self.collapse_dimensions:
            return InputType.feed_forward(image.channels)
        return InputType.convolutional(height=1, width=1, channels=image.channels, format=image.format)


def pair(value: int | tuple[int, int]) -> tuple[int, int]:
    """Height and width of an option that takes one number for both."""
    return (value, value) if isinstance(value, int) else value


def check_window(layer: ConvolutionLayer | SubsamplingLayer, path: str) -> None:
    """Refuse padding beside a layer's own mode ``same``; where the mode is the network's, DL4J ignores the padding."""
    if layer.convolution_mode == "causal":
        raise refuse(f"{path}.convolution_mode", 'cannot be "causal" for images, only for sequences', "causal")
    if layer.convolution_mode == "same" and any(pair(layer.padding)):
        raise refuse(f"{path}.padding", 'must be 0 with convolution_mode="same", which pads by itself', layer.padding)


def window_output(
    layer: ConvolutionLayer | SubsamplingLayer, image: InputTypeConvolutional, channels: int, path: str
) -> InputType:
    """The images that come out of a window that moves over ``image``."""
    if layer.convolution_mode == "causal":
        raise guard(f"{path}.convolution_mode", 'cannot be "causal" for images, only for sequences', "causal")
    height = _window_steps(layer, 0, image.height, path)
    width = _window_steps(layer, 1, image.width, path)
    return InputType.convolutional(height=height, width=width, channels=channels, format=image.format)


def _window_steps(layer: ConvolutionLayer | SubsamplingLayer, axis: int, size: int, path: str) -> int:
    """Positions of the window along the height (0) or width (1) of an image of ``size``."""
    stride = pair(layer.stride)[axis]
    if layer.convolution_mode == "same":
        return -(-size // stride)
    kernel = 1 + (pair(layer.kernel_size)[axis] - 1) * pair(layer.dilation)[axis]
    room = size + 2 * pair(layer.padding)[axis] - kernel
    dimension = ("height", "width")[axis]
    if room < 0:
        window = f"padding {pair(layer.padding)[axis]}, dilation {pair(layer.dilation)[axis]}"
        must = f"must fit into the input: {dimension} {size}, {window}"
        raise guard(f"{path}.kernel_size", must, pair(layer.kernel_size))
    if layer.convolution_mode == "strict" and room % stride:
        must = f'must divide {room} ({dimension} + padding - kernel) in mode "strict"; "truncate" and "same" take any'
        raise refuse(f"{path}.stride", must, pair(layer.stride))
    return room // stride + 1
