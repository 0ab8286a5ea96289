"""Constraints on parameters, applied after each update: DL4J's ``LayerConstraint``."""

from collections.abc import Sequence
from typing import Annotated

from pydl4j.conf._codecs import AtLeast
from pydl4j.conf._kernel import Conf, refuse

__all__ = [
    "LayerConstraint",
    "MaxNormConstraint",
    "MinMaxNormConstraint",
    "NonNegativeConstraint",
    "UnitNormConstraint",
]

_JAVA = "org.deeplearning4j.nn.conf.constraint."

NonNegative = Annotated[float, AtLeast(0)]


class LayerConstraint(Conf):
    """A constraint on some parameters of a layer."""

    params: Sequence[str] = ()
    """Keys of the parameters that it applies to, such as ``W``; none if empty."""
    dimensions: Sequence[int] | None = None
    """Dimensions over which a norm is taken: ``[1]`` for dense layers, ``[1, 2, 3]`` for convolutions."""
    epsilon: NonNegative = 1e-6
    """Added to norms before division."""


class MaxNormConstraint(LayerConstraint, java=_JAVA + "MaxNormConstraint"):
    """Scales weights down whose norm is above ``max_norm``."""

    max_norm: NonNegative


class MinMaxNormConstraint(LayerConstraint, java=_JAVA + "MinMaxNormConstraint", absent={"rate": 0.0}):
    """Scales weights towards a norm between ``min`` and ``max``."""

    min: NonNegative
    max: NonNegative
    rate: NonNegative = 1.0
    """Share of the way that one update goes."""

    def validate(self, path: str) -> None:
        if self.rate > 1:
            raise refuse(f"{path}.rate", "must be at most 1", self.rate)
        if self.min > self.max:
            raise refuse(f"{path}.min", f"must be at most max = {self.max}", self.min)


class NonNegativeConstraint(LayerConstraint, java=_JAVA + "NonNegativeConstraint"):
    """Sets negative weights to 0 after each update."""


class UnitNormConstraint(LayerConstraint, java=_JAVA + "UnitNormConstraint"):
    """Scales weights to norm 1 over ``dimensions`` after each update."""
