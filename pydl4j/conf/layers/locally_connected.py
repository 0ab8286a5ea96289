"""Locally connected layers: convolutions with other weights at each position."""

from math import prod
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Self

from pydl4j.conf._codecs import AtLeast
from pydl4j.conf._kernel import guard, refuse
from pydl4j.conf.activations import ActivationName
from pydl4j.conf.inputs import CNN2DFormat, InputType
from pydl4j.conf.layers.base import JAVA, ConvolutionMode, MaybeCount, MaybeSize, ParamShapes, Positive, Size
from pydl4j.conf.layers.kinds import IMAGES, TIME_LAST, Kind, images, time_last
from pydl4j.conf.layers.samediff import SameDiffLayer, inherited_activation
from pydl4j.conf.layers.windows import (
    Pair,
    PairFromZero,
    Windowed,
    along,
    check_not_causal,
    check_same,
    each,
    over_image,
    over_sequence,
    span,
    window_steps,
)

if TYPE_CHECKING:
    from pydl4j.conf.options import NetworkOptions

__all__ = ["LocallyConnected1D", "LocallyConnected2D"]

FromZero = Annotated[int, AtLeast(0)]
Size2D = tuple[int, int]


class LocallyConnected(
    SameDiffLayer,
    keys={"n_in": "nin", "n_out": "nout", "kernel_size": "kernel", "convolution_mode": "cm"},
    absent={"activation": None, "convolution_mode": None, "has_bias": False},
):
    """A convolution with other weights at each position."""

    n_in: MaybeSize = None
    """Number of input channels. Inferred if ``None``."""
    n_out: Size
    """Number of output channels."""
    activation: ActivationName | None = "tanh"
    convolution_mode: ConvolutionMode | None = "same"
    """What happens at the border: ``strict`` (sizes must divide), ``truncate``, ``same`` (output is input / stride)."""
    has_bias: bool = True
    feature_dim: MaybeCount = None
    """Weights of one output channel at one position; inferred."""

    def inferred(self, path: str, **sizes: Any) -> Self:
        """This layer with what follows from its input, in whose place DL4J puts it silently."""
        for option in ("feature_dim", "input_size", "output_size"):
            if getattr(self, option) not in {None, sizes[option]}:
                must = f"must be {sizes[option]}, which follows from the layer's input (or left out)"
                raise guard(f"{path}.{option}", must, getattr(self, option))
        return self._learn(sizes, path)

    def _inherit_more(self, network: "NetworkOptions") -> dict[str, Any]:
        return super()._inherit_more(network) | {
            "activation": self.activation or inherited_activation(self, network),
            "convolution_mode": self.convolution_mode or network.convolution_mode,
        }

    def check_new(self, network: "NetworkOptions", path: str) -> None:
        super().check_new(network, path)
        check_not_causal(self, path)

    def weights(self, positions: int) -> ParamShapes:
        """Shapes of the parameters; what is not known is 0."""
        weights: ParamShapes = {"W": (positions, self.feature_dim or 0, self.n_out)}
        return {**weights, "b": (self.n_out,)} if self.has_bias else weights


class LocallyConnected1D(LocallyConnected, java=JAVA + "LocallyConnected1D"):
    """Time steps with weights of their own: ``[minibatch, n_in, time]`` to ``[minibatch, n_out, steps]``.

    Needs a known length of time. Refused is what DL4J takes and then computes otherwise: sequences in NWC, and dilation.
    """

    takes: ClassVar[Kind] = TIME_LAST

    kernel_size: Positive = 2
    stride: Positive = 1
    padding: FromZero = 0
    """Time steps of zeros at both ends; in mode ``same`` inferred, those at the beginning."""
    padding_r: FromZero = 0
    """Time steps of zeros at the end in mode ``same``; inferred."""
    dilation: Positive = 1
    input_size: MaybeCount = None
    """Time steps of the input; inferred."""
    output_size: MaybeCount = None
    """Time steps of the output; inferred."""

    def check(self, path: str) -> None:
        check_same(self, path)

    def with_input(self, input_type: InputType, path: str = "") -> Self:
        series = time_last(self, input_type, path)
        length = series.time_series_length
        if length is None:
            raise refuse(path, f"({type(self).__name__}) needs sequences with a time_series_length", input_type)
        check_dilation(self, path)
        steps = window_steps(self, 0, "length", length, path)
        padded = {}
        if self.convolution_mode == "same":
            padded["padding"], padded["padding_r"] = same_padding(self, 0, length, steps, path, least=0)
        sizes = {"n_in": series.size, "feature_dim": self.kernel_size * series.size}
        return self.inferred(path, **sizes, input_size=length, output_size=steps, **padded)

    def output_type(self, input_type: InputType, path: str = "") -> InputType:
        return over_sequence(self, time_last(self, input_type, path), self.n_out, path)

    def check_complete(self, path: str) -> None:
        check_known(self, self.output_size, path)

    def param_shapes(self) -> ParamShapes:
        return self.weights(self.output_size or 0)


class LocallyConnected2D(LocallyConnected, java=JAVA + "LocallyConnected2D", keys={"data_format": "format"}):
    """Pixels with weights of their own: ``[minibatch, n_in, height, width]`` to ``[minibatch, n_out, height, width]``.

    Dilation is refused, which DL4J takes and then ignores.
    """

    takes: ClassVar[Kind] = IMAGES

    kernel_size: Pair = (2, 2)
    stride: Pair = (1, 1)
    padding: PairFromZero = (0, 0)
    """Rows and columns of zeros on each side; in mode ``same`` inferred, those at the top and left."""
    padding_br: Annotated[Size2D, AtLeast(0)] | None = None
    """Rows and columns of zeros at the bottom and right in mode ``same``; inferred."""
    dilation: Pair = (1, 1)
    input_size: Annotated[Size2D, AtLeast(1)] | None = None
    """Height and width of the input; inferred."""
    output_size: Annotated[Size2D, AtLeast(1)] | None = None
    """Height and width of the output; inferred."""
    data_format: CNN2DFormat = "nchw"
    """Taken from the input type where there is one."""

    def check(self, path: str) -> None:
        check_same(self, path)

    def with_input(self, input_type: InputType, path: str = "") -> Self:
        image = images(self, input_type, path)
        check_dilation(self, path)
        out = over_image(self, image, self.n_out, path)
        padded: dict[str, Any] = {}
        if self.convolution_mode == "same":
            rows = same_padding(self, 0, image.height, out.height, path, least=-1)
            columns = same_padding(self, 1, image.width, out.width, path, least=-1)
            padded["padding"], padded["padding_br"] = zip(rows, columns, strict=True)
        sizes = {"n_in": image.channels, "feature_dim": prod(each(self.kernel_size, 2)) * image.channels}
        outer = {"input_size": (image.height, image.width), "output_size": (out.height, out.width)}
        return self.inferred(path, **sizes, **outer, **padded, data_format=image.format)

    def output_type(self, input_type: InputType, path: str = "") -> InputType:
        return over_image(self, images(self, input_type, path), self.n_out, path)

    def check_complete(self, path: str) -> None:
        check_known(self, self.output_size, path)

    def param_shapes(self) -> ParamShapes:
        return self.weights(prod(self.output_size or (0,)))


def check_dilation(layer: Windowed, path: str) -> None:
    """Refuse gaps in the window. Raises `ConfigError`."""
    if any(gap != 1 for gap in each(layer.dilation, 2)):
        raise guard(f"{path}.dilation", "must be 1: DL4J computes without it", layer.dilation)


def check_known(layer: LocallyConnected, output_size: object, path: str) -> None:
    """Refuse a layer that has not met its input. Raises `ConfigError`."""
    if output_size is None or layer.feature_dim is None:
        raise guard(f"{path}.n_in", "follows from the network's input_type, which must be given", layer.n_in)


def same_padding(layer: Windowed, axis: int, size: int, steps: int, path: str, *, least: int) -> tuple[int, int]:
    """Zeros before and after a dimension of ``size`` from which ``steps`` come out in mode ``same``.

    ``least`` is how many zeros, before and after together, DL4J takes; it then adds none.
    """
    zeros = (steps - 1) * along(layer.stride, axis) + span(layer, axis) - size
    if zeros < least:
        must = 'must not be larger than the kernel in mode "same", which would leave out some of the input'
        raise refuse(f"{path}.stride", must, layer.stride)
    return max(zeros, 0) // 2, (max(zeros, 0) + 1) // 2
