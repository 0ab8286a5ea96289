"""Regularization of weights or biases; each coefficient is a number or a schedule."""

from pydl4j.conf._kernel import Conf
from pydl4j.conf.schedules import ISchedule

_JAVA = "org.nd4j.linalg.learning.regularization."


class Regularization(Conf):
    """A penalty on parameters."""


class L1Regularization(Regularization, java=_JAVA + "L1Regularization"):
    """Adds ``l1 sign(w)`` to the gradient, before the updater."""

    l1: float | ISchedule


class L2Regularization(Regularization, java=_JAVA + "L2Regularization"):
    """Adds ``l2 w`` to the gradient, before the updater."""

    l2: float | ISchedule


class WeightDecay(Regularization, java=_JAVA + "WeightDecay", keys={"apply_lr": "applyLR"}):
    """Subtracts ``coeff w`` from the weights, after the updater."""

    coeff: float | ISchedule
    apply_lr: bool = True
    """Multiply by the learning rate, too."""
