"""Capsules: groups of activations whose length is the probability of something (Sabour, Frosst and Hinton 2017)."""

from typing import TYPE_CHECKING, Annotated, Self

from pydl4j.conf._codecs import AtLeast
from pydl4j.conf._kernel import guard
from pydl4j.conf.initializers import WeightInitName
from pydl4j.conf.inputs import InputType, InputTypeConvolutional, InputTypeRecurrent
from pydl4j.conf.layers.base import (
    JAVA,
    ConvolutionMode,
    MaybeCount,
    MaybeSize,
    ParamShapes,
    Positive,
    check_inferred,
)
from pydl4j.conf.layers.kinds import images, time_last
from pydl4j.conf.layers.samediff import SameDiffLayer
from pydl4j.conf.layers.windows import Pair, PairFromZero, check_not_causal, each, over_image

if TYPE_CHECKING:
    from pydl4j.conf.options import NetworkOptions

__all__ = ["CapsuleLayer", "CapsuleStrengthLayer", "PrimaryCapsules"]


class PrimaryCapsules(SameDiffLayer, java=JAVA + "PrimaryCapsules", absent={"has_bias": False}):
    """The first layer of capsules, a convolution: ``[minibatch, c, h, w]`` to ``[minibatch, capsules, capsule_dimensions]``.

    There are ``channels * height * width`` capsules, by the convolution's output. Refused is what DL4J takes and then
    fails at: images in NHWC, and another number of capsules.
    """

    bias_params = ("bias",)

    capsule_dimensions: Positive
    """Length of a capsule."""
    channels: Positive
    """Capsules at each position."""
    kernel_size: Pair = (9, 9)
    stride: Pair = (2, 2)
    padding: PairFromZero = (0, 0)
    """Rows and columns of zeros on each side; not used in mode ``same``."""
    dilation: Pair = (1, 1)
    convolution_mode: ConvolutionMode = "truncate"
    """What happens at the border; not inherited."""
    has_bias: bool = True
    use_relu: bool = False
    """Apply ReLU to the convolution."""
    leak: Annotated[float, AtLeast(0)] = 0.0
    """Slope of the ReLU for negative values."""
    input_channels: MaybeCount = None
    """Inferred."""
    capsules: MaybeCount = None
    """Inferred."""

    def check_new(self, network: "NetworkOptions", path: str) -> None:
        super().check_new(network, path)
        check_not_causal(self, path)

    def with_input(self, input_type: InputType, path: str = "") -> Self:
        image = self._image(input_type, path)
        capsules = self._capsules(image, path)
        if self.capsules not in {None, capsules}:
            raise guard(f"{path}.capsules", f"must be {capsules} for this input (or left out)", self.capsules)
        return self._with(input_channels=image.channels, capsules=capsules)

    def output_type(self, input_type: InputType, path: str = "") -> InputType:
        capsules = self._capsules(self._image(input_type, path), path)
        return InputType.recurrent(capsules, time_series_length=self.capsule_dimensions)

    def _image(self, input_type: InputType, path: str) -> InputTypeConvolutional:
        image = images(self, input_type, path)
        if image.format != "nchw":
            raise guard(path, f"({type(self).__name__}) works on images in the format 'nchw' only", input_type)
        return image

    def _capsules(self, image: InputTypeConvolutional, path: str) -> int:
        out = over_image(self, image, self.channels, path)
        return out.channels * out.height * out.width

    def check_complete(self, path: str) -> None:
        if self.input_channels is None:
            must = "follows from the network's input_type, which must be given"
            raise guard(f"{path}.input_channels", must, self.input_channels)

    def param_shapes(self) -> ParamShapes:
        outputs = self.capsule_dimensions * self.channels
        weights: ParamShapes = {"weight": (*each(self.kernel_size, 2), self.input_channels or 0, outputs)}
        return {**weights, "bias": (outputs,)} if self.has_bias else weights


class CapsuleLayer(SameDiffLayer, java=JAVA + "CapsuleLayer"):
    """Capsules that agree by dynamic routing on what the capsules before them say.

    ``[minibatch, input_capsules, input_capsule_dimensions]`` to ``[minibatch, capsules, capsule_dimensions]``. Sizes that
    contradict the input are refused; DL4J keeps them, and fails.
    """

    bias_params = ("bias",)

    capsules: Positive
    """Number of capsules, such as classes."""
    capsule_dimensions: Positive
    """Length of a capsule."""
    routings: Positive = 3
    """Iterations of routing."""
    has_bias: bool = False
    input_capsules: MaybeSize = None
    """Inferred."""
    input_capsule_dimensions: MaybeSize = None
    """Inferred."""

    def with_input(self, input_type: InputType, path: str = "") -> Self:
        capsules = time_last(self, input_type, path)
        sizes = {"input_capsules": capsules.size, "input_capsule_dimensions": capsules.time_series_length}
        for option, size in sizes.items():
            if size is None:
                raise guard(path, f"({type(self).__name__}) needs capsules, or a time_series_length", input_type)
            if getattr(self, option) not in {None, size}:
                raise guard(f"{path}.{option}", f"must be {size} for this input (or left out)", getattr(self, option))
        return self._with(**sizes)

    def output_type(self, input_type: InputType, path: str = "") -> InputType:
        return InputType.recurrent(self.capsules, time_series_length=self.capsule_dimensions)

    def check_complete(self, path: str) -> None:
        check_inferred(self, path, "input_capsules", "input_capsule_dimensions")

    def param_shapes(self) -> ParamShapes:
        outputs, dimensions = self.capsules * self.capsule_dimensions, self.input_capsule_dimensions or 0
        weights: ParamShapes = {"weight": (1, self.input_capsules or 0, outputs, dimensions, 1)}
        return {**weights, "bias": (1, 1, self.capsules, self.capsule_dimensions, 1)} if self.has_bias else weights


class CapsuleStrengthLayer(SameDiffLayer, java=JAVA + "CapsuleStrengthLayer"):
    """The length of each capsule: ``[minibatch, capsules, capsule_dimensions]`` to ``[minibatch, capsules]``."""

    weight_init: WeightInitName | None = None
    """Not used."""

    def output_type(self, input_type: InputType, path: str = "") -> InputType:
        capsules: InputTypeRecurrent = time_last(self, input_type, path)
        return InputType.feed_forward(capsules.size)
