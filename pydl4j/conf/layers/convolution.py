"""Convolution of images, and what all convolutions share."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

from pydl4j.conf._kernel import guard
from pydl4j.conf.constraints import LayerConstraint
from pydl4j.conf.inputs import CNN2DFormat, InputType
from pydl4j.conf.layers.base import (
    CONSTRAIN,
    JAVA,
    AlgoMode,
    BaseLayer,
    ConvolutionMode,
    FeedForwardLayer,
    MaybeSize,
    ParamShapes,
    Positive,
)
from pydl4j.conf.layers.kinds import IMAGES, Kind, images
from pydl4j.conf.layers.windows import Pair, PairFromZero, check_not_causal, check_same, each, over_image, spread_steps

if TYPE_CHECKING:
    from pydl4j.conf.options import NetworkOptions

__all__ = [
    "Convolution2D",
    "ConvolutionLayer",
    "Deconvolution2D",
    "DepthwiseConvolution2D",
    "SeparableConvolution2D",
]

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


class Convolution(FeedForwardLayer, absent={"convolution_mode": "truncate", "cudnn_algo_mode": "prefer_fastest"}):
    """A layer that applies the same weights at every position."""

    inherited: ClassVar[Sequence[str]] = (*BaseLayer.inherited, "convolution_mode", "cudnn_algo_mode")

    convolution_mode: ConvolutionMode | None = None
    """What happens at the border: ``strict`` (sizes must divide), ``truncate``, ``same`` (output is input / stride);
    for sequences also ``causal`` (as ``same``, but no output depends on later time steps)."""
    has_bias: bool = True
    cudnn_algo_mode: AlgoMode | None = None
    cudnn_fwd_algo: FwdAlgo | None = None
    cudnn_bwd_filter_algo: BwdFilterAlgo | None = None
    cudnn_bwd_data_algo: BwdDataAlgo | None = None
    cudnn_allow_fallback: bool = True

    def with_bias(self, **weights: tuple[int, ...]) -> ParamShapes:
        """Shapes of the parameters, biases first."""
        return {"b": (self.fan()[1],), **weights} if self.has_bias else weights


class ConvolutionOfImages(Convolution, keys={"data_format": "cnn2dDataFormat"}):
    """A convolution of images."""

    takes: ClassVar[Kind] = IMAGES
    padded_in_same: ClassVar[bool] = False
    """Padding in mode ``same`` is ignored, not refused, as DL4J's builder does it."""

    kernel_size: Pair = (5, 5)
    stride: Pair = (1, 1)
    padding: PairFromZero = (0, 0)
    """Rows and columns of zeros on each side; not used in mode ``same``."""
    dilation: Pair = (1, 1)
    data_format: CNN2DFormat | None = "nchw"
    """Taken from the input type where there is one."""

    def check(self, path: str) -> None:
        if not self.padded_in_same:
            check_same(self, path)

    def check_new(self, network: "NetworkOptions", path: str) -> None:
        check_not_causal(self, path)

    def output_type(self, input_type: InputType, path: str = "") -> InputType:
        return over_image(self, images(self, input_type, path), self.n_out, path)


class ConvolutionLayer(ConvolutionOfImages, java=JAVA + "ConvolutionLayer"):
    """Two-dimensional convolution: ``[minibatch, n_in, height, width]`` to ``[minibatch, n_out, height, width]``.

    A kernel that does not fit into the input is refused; DL4J notices only where there is padding.

    >>> ConvolutionLayer(n_out=20, kernel_size=5, activation="relu")
    ConvolutionLayer(activation='relu', n_out=20)
    """

    def param_shapes(self) -> ParamShapes:
        n_in, n_out = self.fan()
        return self.with_bias(W=(n_out, n_in, *each(self.kernel_size, 2)))


class Convolution2D(ConvolutionLayer, java=JAVA + "Convolution2D"):
    """`ConvolutionLayer` under another name, whose builder in DL4J makes a `ConvolutionLayer`."""


class Deconvolution2D(ConvolutionOfImages, java=JAVA + "Deconvolution2D"):
    """Transposed convolution: ``[minibatch, n_in, height, width]`` to ``[minibatch, n_out, height, width]``.

    The output is ``stride * (input - 1) + kernel - 2 * padding`` high and wide, in mode ``same`` ``stride * input``.
    An output without pixels is refused; DL4J lets it pass.
    """

    padded_in_same: ClassVar[bool] = True

    def output_type(self, input_type: InputType, path: str = "") -> InputType:
        image = images(self, input_type, path)
        height = spread_steps(self, 0, "height", image.height, path)
        width = spread_steps(self, 1, "width", image.width, path)
        return InputType.convolutional(height=height, width=width, channels=self.n_out, format=image.format)

    def param_shapes(self) -> ParamShapes:
        n_in, n_out = self.fan()
        return self.with_bias(W=(n_in, n_out, *each(self.kernel_size, 2)))


class SeparableConvolution2D(
    ConvolutionOfImages,
    java=JAVA + "SeparableConvolution2D",
    keys={"constrain_point_wise": None},
    absent={"data_format": "nchw", "depth_multiplier": 0},
):
    """A convolution of each channel for itself, then one across channels (Chollet 2017).

    ``[minibatch, n_in, height, width]`` to ``[minibatch, n_out, height, width]``.
    """

    data_format: CNN2DFormat | None = None
    """Taken from the input type where there is one."""
    depth_multiplier: Positive = 1
    """Outputs of the first step for each channel."""
    constrain_point_wise: Sequence[LayerConstraint] | None = None
    """Constraints on the weights of the second step."""

    def param_shapes(self) -> ParamShapes:
        n_in, n_out = self.fan()
        between = n_in * self.depth_multiplier
        return self.with_bias(W=(self.depth_multiplier, n_in, *each(self.kernel_size, 2)), pW=(n_out, between, 1, 1))

    def constrained(self, network: "NetworkOptions") -> Self:
        own = tuple(c._with(params=("pW",)) for c in self.constrain_point_wise or ())
        others = super().constrained(network)._with(constrain_point_wise=None)
        if not own:
            return others
        shared = others.constraints if any(getattr(self, option) for option in CONSTRAIN) else self.constraints
        return others._with(constraints=(*(shared or ()), *own))


class DepthwiseConvolution2D(ConvolutionOfImages, java=JAVA + "DepthwiseConvolution2D", absent={"depth_multiplier": 0}):
    """A convolution of each channel for itself: ``[minibatch, n_in, height, width]`` to ``[minibatch, n_out, height, width]``.

    Another ``n_out`` than ``n_in * depth_multiplier`` is refused; DL4J replaces it silently.
    """

    n_out: MaybeSize = None  # type: ignore[assignment] # follows from the input, unlike other layers'
    """``n_in * depth_multiplier``; inferred if ``None``."""
    depth_multiplier: Positive = 1
    """Outputs for each channel."""

    def _inherit_more(self, network: "NetworkOptions") -> dict[str, Any]:
        return super()._inherit_more(network) | self._outputs(self.n_in, type(self).__name__)

    def with_input(self, input_type: InputType, path: str = "") -> Self:
        layer = super().with_input(input_type, path)
        return layer._with(**self._outputs(layer.n_in, path))

    def _outputs(self, n_in: int | None, path: str) -> dict[str, Any]:
        if n_in is None:
            return {}
        n_out = n_in * self.depth_multiplier
        if self.n_out not in {None, n_out}:
            raise guard(f"{path}.n_out", f"must be {n_out}, n_in * depth_multiplier (or left out)", self.n_out)
        return {"n_out": n_out}

    def output_type(self, input_type: InputType, path: str = "") -> InputType:
        image = images(self, input_type, path)
        return over_image(self, image, image.channels * self.depth_multiplier, path)

    def param_shapes(self) -> ParamShapes:
        n_in, _ = self.fan()
        return self.with_bias(W=(*each(self.kernel_size, 2), n_in, self.depth_multiplier))
