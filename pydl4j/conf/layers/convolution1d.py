"""Convolution of sequences."""

from typing import TYPE_CHECKING, ClassVar, Self

from pydl4j.conf.inputs import CNN2DFormat, InputType, RNNFormat
from pydl4j.conf.layers.base import JAVA, ParamShapes
from pydl4j.conf.layers.convolution import Convolution
from pydl4j.conf.layers.kinds import SEQUENCES, Kind, check_time_last, sequences
from pydl4j.conf.layers.windows import Twice, TwiceFromZero, along, check_same, over_sequence

if TYPE_CHECKING:
    from pydl4j.conf.options import NetworkOptions

__all__ = ["Convolution1D", "Convolution1DLayer"]


class Convolution1DLayer(
    Convolution,
    java=JAVA + "Convolution1DLayer",
    keys={"data_format": "rnnDataFormat", "cnn2d_data_format": "cnn2dDataFormat"},
):
    """One-dimensional convolution: ``[minibatch, n_in, time]`` to ``[minibatch, n_out, time]``.

    A kernel or stride that does not fit a known length of time is refused; DL4J leaves that to the first minibatch.
    Sequences in NWC are refused in new networks: DL4J computes their output, and fails in training.
    (A `DenseLayer` after it gets ``n_in`` of this layer's ``n_out``; DL4J writes the number of time steps, which fails.)

    >>> Convolution1DLayer(n_out=8, kernel_size=3, convolution_mode="causal")
    Convolution1DLayer(n_out=8, convolution_mode='causal', kernel_size=3)
    """

    takes: ClassVar[Kind] = SEQUENCES

    kernel_size: Twice
    stride: Twice = 1
    padding: TwiceFromZero = 0
    """Zeros at both ends of time; not used in the modes ``same`` and ``causal``."""
    dilation: Twice = 1
    data_format: RNNFormat | None = "ncw"
    """Taken from the input type where there is one."""
    cnn2d_data_format: CNN2DFormat = "nchw"
    """The same for DL4J's two-dimensional kernels; follows ``data_format`` where there is an input type."""

    def check(self, path: str) -> None:
        check_same(self, path)

    def check_new(self, network: "NetworkOptions", path: str) -> None:
        check_time_last(self.data_format, path)

    def with_input(self, input_type: InputType, path: str = "") -> Self:
        layer = super().with_input(input_type, path)
        return layer._with(cnn2d_data_format="nchw" if layer.data_format == "ncw" else "nhwc")

    def output_type(self, input_type: InputType, path: str = "") -> InputType:
        return over_sequence(self, sequences(self, input_type, path), self.n_out, path)

    def param_shapes(self) -> ParamShapes:
        n_in, n_out = self.fan()
        return self.with_bias(W=(n_out, n_in, along(self.kernel_size, 0), 1))


class Convolution1D(Convolution1DLayer, java=JAVA + "Convolution1D"):
    """`Convolution1DLayer` under another name, whose builder in DL4J makes a `Convolution1DLayer`."""
