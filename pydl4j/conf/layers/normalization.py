"""Normalization layers."""

from collections.abc import Sequence
from typing import Annotated, ClassVar, Self

from pydl4j.conf._codecs import AtLeast, Between
from pydl4j.conf._kernel import guard, refuse
from pydl4j.conf.inputs import (
    CNN2DFormat,
    InputType,
    InputTypeConvolutional,
    InputTypeConvolutional3D,
    InputTypeConvolutionalFlat,
    InputTypeFeedForward,
    InputTypeRecurrent,
)
from pydl4j.conf.layers.base import JAVA, MaybeSize, NoParamLayer, ParamShapes, SizedLayer, check_inferred
from pydl4j.conf.layers.kinds import IMAGES, Kind, images
from pydl4j.conf.preprocessors import InputPreProcessor, for_images

__all__ = ["BatchNormalization", "LocalResponseNormalization"]

NonNegative = Annotated[float, AtLeast(0)]


class BatchNormalization(
    SizedLayer,
    java=JAVA + "BatchNormalization",
    keys={"data_format": "cnn2DFormat"},
    absent={
        "bias_init": None,
        "gain_init": None,
        "gradient_normalization": None,
        "gradient_normalization_threshold": None,
        "regularization": (),
        "regularization_bias": (),
    },
):
    """Normalizes each feature or channel over the minibatch, then scales and shifts it.

    Input ``[minibatch, n, ...]`` of any shape, which stays (Ioffe and Szegedy, arXiv:1502.03167).
    """

    bias_params: ClassVar[Sequence[str]] = ()
    weight_params: ClassVar[Sequence[str]] = ()
    untrained_params: ClassVar[Sequence[str]] = ("mean", "var", "log10stdev")

    n_out: MaybeSize = None
    """The same as ``n_in``; inferred with it."""
    decay: Annotated[float, Between(0, 1, closed=True)] = 0.9
    """Weight of the old value in the running mean and variance."""
    eps: NonNegative = 1e-5
    """Added to the variance."""
    minibatch: bool = True
    """Statistics come from minibatches, not from the whole data set."""
    gamma: float = 1.0
    """Initial scale."""
    beta: float = 0.0
    """Initial shift."""
    lock_gamma_beta: bool = False
    """Do not learn scale and shift."""
    use_log_std: bool = True
    """Keep the running variance as ``log10(standard deviation)``, which is safer in distributed training.

    DL4J reads ``False`` back only for layers that list their parameters, so these are listed in the JSON.
    """
    data_format: CNN2DFormat = "nchw"
    """Taken from the input type where there is one."""
    cudnn_allow_fallback: bool = True

    def preprocessor_for(self, input_type: InputType, path: str = "") -> InputPreProcessor | None:
        return for_images(input_type)

    def with_input(self, input_type: InputType, path: str = "") -> Self:
        size = _features(input_type)
        if self.n_out not in {None, size}:
            raise guard(f"{path}.n_out", f"must be {size}, the size of the layer's input (or left out)", self.n_out)
        of_images = {"data_format": input_type.format} if isinstance(input_type, InputTypeConvolutional) else {}
        return self._learn({"n_in": size, "n_out": size, **of_images}, path)

    def param_shapes(self) -> ParamShapes:
        size = self.n_out
        if size is None:
            raise refuse(f"{type(self).__name__}.n_out", "must be known", size)
        keys = () if self.lock_gamma_beta else ("gamma", "beta")
        return dict.fromkeys((*keys, "mean", "log10stdev" if self.use_log_std else "var"), (size,))

    def check_complete(self, path: str) -> None:
        check_inferred(self, path, "n_out")


def _features(input_type: InputType) -> int:
    if isinstance(input_type, InputTypeFeedForward | InputTypeRecurrent):
        return input_type.size
    assert isinstance(input_type, InputTypeConvolutional | InputTypeConvolutional3D | InputTypeConvolutionalFlat)
    return input_type.channels


class LocalResponseNormalization(NoParamLayer, java=JAVA + "LocalResponseNormalization"):
    """Divides each channel by ``(k + alpha * sum(x^2))^beta`` over ``n`` neighbouring channels.

    Input: images ``[minibatch, channels, height, width]``, whose shape stays (Krizhevsky et al. 2012). Fewer channels than
    neighbours on one side, ``n / 2``, are refused: DL4J fails with the first minibatch.
    """

    takes: ClassVar[Kind] = IMAGES

    k: float = 2.0
    n: NonNegative = 5.0
    """Number of neighbouring channels."""
    alpha: float = 1e-4
    beta: float = 0.75
    data_format: CNN2DFormat = "nchw"
    """Taken from the input type where there is one."""
    cudnn_allow_fallback: bool = True

    def output_type(self, input_type: InputType, path: str = "") -> InputType:
        image = images(self, input_type, path)
        if image.channels <= int(self.n) // 2:
            raise guard(
                f"{path}.n", f"must be less than twice the number of channels, which is {image.channels}", self.n
            )
        return image
