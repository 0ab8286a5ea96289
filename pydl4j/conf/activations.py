"""Activation functions: DL4J's ``IActivation``."""

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

from pydl4j.conf._codecs import AtLeast
from pydl4j.conf._kernel import Conf, refuse

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
    """Cube: ``x^3``, any number."""


class ActivationELU(IActivation, java=_JAVA + "ActivationELU", alias="elu"):
    """Exponential linear unit: ``x`` if positive, else ``alpha (e^x - 1)``; above ``-alpha`` (Clevert et al., arXiv:1511.07289)."""

    alpha: float = 1.0


class ActivationGELU(IActivation, java=_JAVA + "ActivationGELU", alias="gelu"):
    """Gaussian error linear unit: ``x`` times the probability that a normal number is below it (Hendrycks and Gimpel, arXiv:1606.08415)."""

    precise: bool = False
    """Compute with the error function, not the sigmoid approximation."""


class ActivationHardSigmoid(IActivation, java=_JAVA + "ActivationHardSigmoid", alias="hardsigmoid"):
    """A sigmoid of three straight lines: ``min(1, max(0, 0.2 x + 0.5))``, 0 to 1."""


class ActivationHardTanH(IActivation, java=_JAVA + "ActivationHardTanH", alias="hardtanh"):
    """A hyperbolic tangent of three straight lines: ``min(1, max(-1, x))``, -1 to 1."""


class ActivationIdentity(IActivation, java=_JAVA + "ActivationIdentity", alias="identity"):
    """Identity: ``x``, any number."""


class ActivationLReLU(IActivation, java=_JAVA + "ActivationLReLU", alias="leakyrelu"):
    """Leaky rectified linear unit: ``x`` if positive, else ``alpha x`` (Maas et al. 2013)."""

    alpha: float = 0.01


class ActivationMish(IActivation, java=_JAVA + "ActivationMish", alias="mish"):
    """Mish: ``x tanh(softplus(x))`` (Misra, arXiv:1908.08681)."""


class ActivationRationalTanh(IActivation, java=_JAVA + "ActivationRationalTanh", alias="rationaltanh"):
    """A rational approximation of ``1.7159 tanh(2 x / 3)``, -1.7159 to 1.7159."""


class ActivationRectifiedTanh(IActivation, java=_JAVA + "ActivationRectifiedTanh", alias="rectifiedtanh"):
    """Rectified hyperbolic tangent: ``max(0, tanh(x))``, 0 to 1."""


class ActivationReLU(IActivation, java=_JAVA + "ActivationReLU", alias="relu"):
    """``max(0, x)``, optionally capped, shifted or leaky."""

    max: float | None = None
    """Upper limit of the output (DL4J: none)."""
    negative_slope: float | None = None
    """Slope below the threshold (DL4J: 0)."""
    threshold: float | None = None
    """Where the output starts to rise (DL4J: 0)."""


class ActivationReLU6(IActivation, java=_JAVA + "ActivationReLU6", alias="relu6"):
    """Rectified linear unit that ends at 6: ``min(6, max(0, x))``."""


class ActivationRReLU(IActivation, java=_JAVA + "ActivationRReLU", alias="rrelu"):
    """Leaky ReLU whose slope is drawn from ``[l, u]`` in training."""

    l: Annotated[float, AtLeast(0)] = 1 / 8  # noqa: E741 - DL4J's name
    u: Annotated[float, AtLeast(0)] = 1 / 3

    def validate(self, path: str) -> None:
        if self.l > self.u:
            raise refuse(f"{path}.l", f"must be at most u = {self.u}", self.l)


class ActivationSELU(IActivation, java=_JAVA + "ActivationSELU", alias="selu"):
    """Scaled exponential linear unit, which keeps mean 0 and variance 1 from layer to layer (Klambauer et al., arXiv:1706.02515)."""


class ActivationSigmoid(IActivation, java=_JAVA + "ActivationSigmoid", alias="sigmoid"):
    """Sigmoid: ``1 / (1 + e^-x)``, 0 to 1."""


class ActivationSoftmax(IActivation, java=_JAVA + "ActivationSoftmax", alias="softmax"):
    """Softmax: ``e^x / sum(e^x)`` over the features of an example: probabilities that sum to 1."""


class ActivationSoftPlus(IActivation, java=_JAVA + "ActivationSoftPlus", alias="softplus"):
    """Softplus: ``log(1 + e^x)``, above 0."""


class ActivationSoftSign(IActivation, java=_JAVA + "ActivationSoftSign", alias="softsign"):
    """Softsign: ``x / (1 + |x|)``, -1 to 1."""


class ActivationSwish(IActivation, java=_JAVA + "ActivationSwish", alias="swish"):
    """Swish, also called SiLU: ``x sigmoid(x)`` (Ramachandran et al., arXiv:1710.05941)."""


class ActivationTanH(IActivation, java=_JAVA + "ActivationTanH", alias="tanh"):
    """Hyperbolic tangent, -1 to 1."""


class ActivationThresholdedReLU(IActivation, java=_JAVA + "ActivationThresholdedReLU", alias="thresholdedrelu"):
    """Thresholded rectified linear unit: ``x`` above ``theta``, else 0 (Konda et al., arXiv:1402.3337)."""

    theta: float = 1.0
