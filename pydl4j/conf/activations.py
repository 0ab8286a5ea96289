"""Activation functions: DL4J's ``IActivation``."""

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

from pydl4j.conf._codecs import AtLeast
from pydl4j.conf._kernel import Conf

__all__ = [
    "ActivationCube",
    "ActivationELU",
    "ActivationGELU",
    "ActivationHardSigmoid",
    "ActivationHardTanH",
    "ActivationIdentity",
    "ActivationLReLU",
    "ActivationMish",
    "ActivationName",
    "ActivationRReLU",
    "ActivationRationalTanh",
    "ActivationReLU",
    "ActivationReLU6",
    "ActivationRectifiedTanh",
    "ActivationSELU",
    "ActivationSigmoid",
    "ActivationSoftPlus",
    "ActivationSoftSign",
    "ActivationSoftmax",
    "ActivationSwish",
    "ActivationTanH",
    "ActivationThresholdedReLU",
    "IActivation",
]

_JAVA = "org.nd4j.linalg.activations.impl."

ActivationName = Literal[
    "cube",
    "elu",
    "gelu",
    "hardsigmoid",
    "hardtanh",
    "identity",
    "leakyrelu",
    "mish",
    "rationaltanh",
    "rectifiedtanh",
    "relu",
    "relu6",
    "rrelu",
    "selu",
    "sigmoid",
    "softmax",
    "softplus",
    "softsign",
    "swish",
    "tanh",
    "thresholdedrelu",
]
"""DL4J's ``Activation`` enum; each name stands for the class below with its default options."""


class IActivation(Conf):
    """An activation function."""

    _unreadable: ClassVar[Mapping[str, str]] = {_JAVA + "ActivationPReLU": "use a PReLULayer, whose slopes are learned"}


class ActivationCube(IActivation, java=_JAVA + "ActivationCube", alias="cube"):
    """``x^3``."""


class ActivationELU(IActivation, java=_JAVA + "ActivationELU", alias="elu"):
    """``x`` if positive, else ``alpha (e^x - 1)``."""

    alpha: float = 1.0


class ActivationGELU(IActivation, java=_JAVA + "ActivationGELU", alias="gelu"):
    """Gaussian error linear unit."""

    precise: bool = False
    """Compute with the error function, not the sigmoid approximation."""


class ActivationHardSigmoid(IActivation, java=_JAVA + "ActivationHardSigmoid", alias="hardsigmoid"):
    """``min(1, max(0, 0.2 x + 0.5))``."""


class ActivationHardTanH(IActivation, java=_JAVA + "ActivationHardTanH", alias="hardtanh"):
    """``min(1, max(-1, x))``."""


class ActivationIdentity(IActivation, java=_JAVA + "ActivationIdentity", alias="identity"):
    """``x``."""


class ActivationLReLU(IActivation, java=_JAVA + "ActivationLReLU", alias="leakyrelu"):
    """``x`` if positive, else ``alpha x``."""

    alpha: float = 0.01


class ActivationMish(IActivation, java=_JAVA + "ActivationMish", alias="mish"):
    """``x tanh(softplus(x))``."""


class ActivationRationalTanh(IActivation, java=_JAVA + "ActivationRationalTanh", alias="rationaltanh"):
    """A rational approximation of ``1.7159 tanh(2x / 3)``."""


class ActivationRectifiedTanh(IActivation, java=_JAVA + "ActivationRectifiedTanh", alias="rectifiedtanh"):
    """``max(0, tanh(x))``."""


class ActivationReLU(IActivation, java=_JAVA + "ActivationReLU", alias="relu"):
    """``max(0, x)``, optionally capped, shifted or leaky."""

    max: float | None = None
    """Upper limit of the output (DL4J: none)."""
    negative_slope: float | None = None
    """Slope below the threshold (DL4J: 0)."""
    threshold: float | None = None
    """Where the output starts to rise (DL4J: 0)."""


class ActivationReLU6(IActivation, java=_JAVA + "ActivationReLU6", alias="relu6"):
    """``min(6, max(0, x))``."""


class ActivationRReLU(IActivation, java=_JAVA + "ActivationRReLU", alias="rrelu"):
    """Leaky ReLU whose slope is drawn from ``[l, u]`` in training."""

    l: Annotated[float, AtLeast(0)] = 1 / 8  # noqa: E741 - DL4J's name
    u: Annotated[float, AtLeast(0)] = 1 / 3


class ActivationSELU(IActivation, java=_JAVA + "ActivationSELU", alias="selu"):
    """Scaled ELU of self-normalizing networks."""


class ActivationSigmoid(IActivation, java=_JAVA + "ActivationSigmoid", alias="sigmoid"):
    """``1 / (1 + e^-x)``."""


class ActivationSoftmax(IActivation, java=_JAVA + "ActivationSoftmax", alias="softmax"):
    """``e^x / sum(e^x)`` over the features of an example."""


class ActivationSoftPlus(IActivation, java=_JAVA + "ActivationSoftPlus", alias="softplus"):
    """``log(1 + e^x)``."""


class ActivationSoftSign(IActivation, java=_JAVA + "ActivationSoftSign", alias="softsign"):
    """``x / (1 + |x|)``."""


class ActivationSwish(IActivation, java=_JAVA + "ActivationSwish", alias="swish"):
    """``x sigmoid(x)``."""


class ActivationTanH(IActivation, java=_JAVA + "ActivationTanH", alias="tanh"):
    """Hyperbolic tangent."""


class ActivationThresholdedReLU(IActivation, java=_JAVA + "ActivationThresholdedReLU", alias="thresholdedrelu"):
    """``x`` above ``theta``, else 0."""

    theta: float = 1.0
