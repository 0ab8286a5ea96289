"""Pooling: windows, or whole sequences, images and volumes, to one number per channel."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, Self

from pydl4j.conf._codecs import AtLeast, JavaNames, Repeat
from pydl4j.conf._kernel import guard, refuse
from pydl4j.conf.inputs import (
    CNN2DFormat,
    CNN3DFormat,
    InputType,
    InputTypeConvolutional,
    InputTypeConvolutional3D,
    InputTypeFeedForward,
    InputTypeRecurrent,
)
from pydl4j.conf.layers.base import JAVA, ConvolutionMode, Layer, NoParamLayer, Positive
from pydl4j.conf.layers.kinds import IMAGES, SEQUENCES, VOLUMES, Kind, check_time_last, images, sequences, volumes
from pydl4j.conf.layers.windows import (
    Pair,
    PairFromZero,
    Triple,
    TripleFromZero,
    Twice,
    TwiceFromZero,
    along,
    check_not_causal,
    check_same,
    over_image,
    over_sequence,
    over_volume,
)
from pydl4j.conf.preprocessors import FeedForwardToRnnPreProcessor, InputPreProcessor, for_images, for_sequences

if TYPE_CHECKING:
    from pydl4j.conf.options import NetworkOptions

__all__ = [
    "GlobalPoolingLayer",
    "Pooling1D",
    "Pooling2D",
    "Subsampling1DLayer",
    "Subsampling3DLayer",
    "SubsamplingLayer",
]

_POOLED: dict[str, tuple[int, ...]] = {
    "ncw": (2,),
    "nwc": (1,),
    "nchw": (2, 3),
    "nhwc": (1, 2),
    "ncdhw": (2, 3, 4),
    "ndhwc": (1, 2, 3),
}
"""Dimensions of space and time by format."""
PoolingType = Literal["max", "avg", "sum", "pnorm"]


class Pooling(
    NoParamLayer,
    keys={"data_format": "cnn2dDataFormat"},
    absent={"convolution_mode": "truncate", "avg_pool_include_pad_in_divisor": True, "eps": 0.0},
):
    """Pooling over windows."""

    inherited: ClassVar[Sequence[str]] = (*Layer.inherited, "convolution_mode")

    pooling_type: PoolingType = "max"
    convolution_mode: ConvolutionMode | None = None
    """What happens at the border: ``strict`` (sizes must divide), ``truncate``, ``same`` (output is input / stride)."""
    pnorm: Annotated[int, AtLeast(0)] = 0
    """The norm of ``pooling_type="pnorm"``."""
    eps: Annotated[float, AtLeast(0)] = 1e-8
    avg_pool_include_pad_in_divisor: bool = False
    """Count padding as elements of an average."""
    cudnn_allow_fallback: bool = True

    def validate(self, path: str) -> None:
        if self.pooling_type == "pnorm" and self.pnorm == 0:
            raise refuse(f"{path}.pnorm", 'must be >= 1 with pooling_type="pnorm"', self.pnorm)


class SubsamplingLayer(Pooling, java=JAVA + "SubsamplingLayer"):
    """Pooling over windows of images: ``[minibatch, channels, height, width]``, with as many channels as the input.

    >>> SubsamplingLayer(pooling_type="avg", kernel_size=2)
    SubsamplingLayer(pooling_type='avg', kernel_size=(2, 2))
    """

    takes: ClassVar[Kind] = IMAGES

    kernel_size: Pair = (1, 1)
    stride: Pair = (2, 2)
    padding: PairFromZero = (0, 0)
    """Rows and columns on each side; not used in mode ``same``."""
    dilation: Pair = (1, 1)
    data_format: CNN2DFormat | None = "nchw"
    """Taken from the input type where there is one."""

    def check(self, path: str) -> None:
        check_same(self, path)

    def check_new(self, network: "NetworkOptions", path: str) -> None:
        check_not_causal(self, path)

    def output_type(self, input_type: InputType, path: str = "") -> InputType:
        image = images(self, input_type, path)
        return over_image(self, image, image.channels, path)


class Pooling2D(SubsamplingLayer, java=JAVA + "Pooling2D"):
    """`SubsamplingLayer` under another name, whose builder in DL4J makes a `SubsamplingLayer`."""


class Subsampling1DLayer(Pooling, java=JAVA + "Subsampling1DLayer"):
    """Pooling over windows of time: ``[minibatch, size, time]``, with as many features as the input.

    Sequences in NWC are refused in new networks: DL4J computes their output, and fails in training.

    Refused is what DL4J takes and fails at with the first minibatch: a kernel or stride that does not fit a known length of
    time, and padding that reaches half of the stride; and the mode ``causal``, which it computes as ``truncate``.
    """

    takes: ClassVar[Kind] = SEQUENCES

    kernel_size: Annotated[int | tuple[int, int], AtLeast(1), Repeat(2, 1)] = 2
    stride: Twice = 1
    padding: TwiceFromZero = 0
    """Time steps at both ends; not used in mode ``same``."""
    dilation: Twice = 1
    """DL4J's builder has no such method."""
    data_format: Annotated[Literal["ncw", "nwc"] | None, JavaNames("NCHW", "NHWC")] = "ncw"
    """Taken from the input type where there is one."""

    def preprocessor_for(self, input_type: InputType, path: str = "") -> InputPreProcessor | None:
        return for_sequences(input_type, "ncw")

    def check(self, path: str) -> None:
        if isinstance(self.kernel_size, tuple):
            raise refuse(f"{path}.kernel_size", "must be one number", self.kernel_size)
        check_same(self, path)

    def check_new(self, network: "NetworkOptions", path: str) -> None:
        check_not_causal(self, path)
        check_time_last(self.data_format, path)

    def with_input(self, input_type: InputType, path: str = "") -> Self:
        series = sequences(self, input_type, path)
        if self.convolution_mode != "same" and 2 * along(self.padding, 0) >= along(self.stride, 0):
            must = "must be less than half of the stride, as DL4J also pads the width of 1 that it adds to sequences"
            raise guard(f"{path}.padding", must, self.padding)
        return self._with(data_format=series.format or "nwc")  # as DL4J has it

    def output_type(self, input_type: InputType, path: str = "") -> InputType:
        series = sequences(self, input_type, path)
        return over_sequence(self, series, series.size, path)


class Pooling1D(Subsampling1DLayer, java=JAVA + "Pooling1D"):
    """`Subsampling1DLayer` under another name, whose builder in DL4J makes a `Subsampling1DLayer`."""


class Subsampling3DLayer(
    NoParamLayer,
    java=JAVA + "Subsampling3DLayer",
    absent={"convolution_mode": "truncate"},
):
    """Pooling over windows of volumes: ``[minibatch, channels, depth, height, width]``, with the input's channels.

    The output keeps its format, and its size takes dilation and each dimension's stride into account. (DL4J forgets the
    format in all modes but ``same``, ignores dilation, and takes the width with the stride of the height.)
    """

    takes: ClassVar[Kind] = VOLUMES

    pooling_type: Literal["max", "avg"] = "max"
    kernel_size: Triple = (1, 1, 1)
    stride: Triple = (2, 2, 2)
    padding: TripleFromZero = (0, 0, 0)
    """Layers on each side; not used in mode ``same``."""
    dilation: Triple = (1, 1, 1)
    convolution_mode: ConvolutionMode | None = "same"
    """What happens at the border: ``strict`` (sizes must divide), ``truncate``, ``same`` (output is input / stride)."""
    data_format: CNN3DFormat = "ncdhw"
    """Must be that of the input; DL4J does not take it from the input type."""
    cudnn_allow_fallback: bool = True

    def check(self, path: str) -> None:
        if self.convolution_mode is None:
            raise refuse(f"{path}.convolution_mode", "must be given: this layer does not take the network's", None)
        check_same(self, path)

    def check_new(self, network: "NetworkOptions", path: str) -> None:
        check_not_causal(self, path)

    def output_type(self, input_type: InputType, path: str = "") -> InputType:
        volume = volumes(self, input_type, path)
        return over_volume(self, volume, volume.channels, path)


class GlobalPoolingLayer(NoParamLayer, java=JAVA + "GlobalPoolingLayer"):
    """Pooling over all time steps of a sequence, or all positions of an image or volume: to ``[minibatch, channels]``.

    Sequences and volumes with channels last need ``pooling_dimensions``, without which DL4J pools over the channels;
    other dimensions than those of time or space are refused, and with channels last ``collapse_dimensions=False``, at
    which DL4J fails or mixes up numbers.
    """

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
        layout = getattr(input_type, "format", None) or "ncw"
        dimensions = _POOLED[layout]
        of_images = isinstance(input_type, InputTypeConvolutional)
        assumed = dimensions if of_images or layout in {"ncw", "ncdhw"} else None
        if (self.pooling_dimensions or assumed) != dimensions:
            must = f"must be {dimensions} for input in the format {layout!r}"
            raise guard(f"{path}.pooling_dimensions", must, self.pooling_dimensions)
        if layout in {"nwc", "nhwc", "ndhwc"} and not self.collapse_dimensions:
            must = f"must be True for input in the format {layout!r}"
            raise guard(f"{path}.collapse_dimensions", must, self.collapse_dimensions)
        return self._with(pooling_dimensions=dimensions) if of_images else self

    def output_type(self, input_type: InputType, path: str = "") -> InputType:
        if isinstance(input_type, InputTypeRecurrent):
            return input_type  # as DL4J has it: the preprocessor that follows passes the vectors through
        space = input_type if isinstance(input_type, InputTypeConvolutional3D) else images(self, input_type, path)
        if self.collapse_dimensions:
            return InputType.feed_forward(space.channels)
        ones = {side: 1 for side in ("depth", "height", "width") if hasattr(space, side)}
        return space.replace(**ones)
