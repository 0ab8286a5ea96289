"""Convolution of volumes."""

from typing import TYPE_CHECKING, ClassVar

from pydl4j.conf.inputs import CNN2DFormat, CNN3DFormat, InputType
from pydl4j.conf.layers.base import JAVA, ConvolutionMode, ParamShapes
from pydl4j.conf.layers.convolution import Convolution
from pydl4j.conf.layers.kinds import VOLUMES, Kind, volumes
from pydl4j.conf.layers.windows import (
    Triple,
    TripleFromZero,
    check_not_causal,
    check_same,
    each,
    over_volume,
    spread_steps,
)

if TYPE_CHECKING:
    from pydl4j.conf.options import NetworkOptions

__all__ = ["Convolution3D", "Deconvolution3D"]


class ConvolutionOfVolumes(Convolution, keys={"cnn2d_data_format": "cnn2dDataFormat"}):
    """A convolution of volumes."""

    takes: ClassVar[Kind] = VOLUMES

    kernel_size: Triple = (2, 2, 2)
    stride: Triple = (1, 1, 1)
    padding: TripleFromZero = (0, 0, 0)
    """Layers of zeros on each side; not used in mode ``same``."""
    dilation: Triple = (1, 1, 1)
    data_format: CNN3DFormat = "ncdhw"
    """Must be that of the input; DL4J does not take it from the input type."""
    cnn2d_data_format: CNN2DFormat = "nchw"
    """Not used; DL4J writes it."""

    def check_new(self, network: "NetworkOptions", path: str) -> None:
        check_not_causal(self, path)


class Convolution3D(ConvolutionOfVolumes, java=JAVA + "Convolution3D"):
    """Three-dimensional convolution: ``[minibatch, n_in, depth, height, width]`` to ``[minibatch, n_out, ...]``.

    The output keeps its format, and its width is that of its own stride. (After most volumes, DL4J takes the format for
    NDHWC, and takes the width with the stride of the height: a `DenseLayer` that follows then fails.)
    """

    mode: ConvolutionMode = "same"
    """Not used; DL4J writes it."""

    def check(self, path: str) -> None:
        check_same(self, path)

    def output_type(self, input_type: InputType, path: str = "") -> InputType:
        return over_volume(self, volumes(self, input_type, path), self.n_out, path)

    def param_shapes(self) -> ParamShapes:
        n_in, n_out = self.fan()
        return self.with_bias(W=(n_out, n_in, *each(self.kernel_size, 3)))


class Deconvolution3D(ConvolutionOfVolumes, java=JAVA + "Deconvolution3D"):
    """Transposed convolution: ``[minibatch, n_in, depth, height, width]`` to ``[minibatch, n_out, ...]``.

    Each dimension becomes ``stride * (input - 1) + kernel - 2 * padding``, in mode ``same`` ``stride * input``. (DL4J
    infers the height from the kernel's depth and the depth from its width, though it computes as is written here.)
    """

    def output_type(self, input_type: InputType, path: str = "") -> InputType:
        volume = volumes(self, input_type, path)
        return InputType.convolutional_3d(
            depth=spread_steps(self, 0, "depth", volume.depth, path),
            height=spread_steps(self, 1, "height", volume.height, path),
            width=spread_steps(self, 2, "width", volume.width, path),
            channels=self.n_out,
            format=volume.format,
        )

    def param_shapes(self) -> ParamShapes:
        n_in, n_out = self.fan()
        return self.with_bias(W=(*each(self.kernel_size, 3), n_out, n_in))
