"""Noise on the weights in training: DL4J's ``IWeightNoise``."""

from pydl4j.conf._kernel import Conf
from pydl4j.conf.dropout import Probability
from pydl4j.conf.initializers import Distribution
from pydl4j.conf.schedules import ISchedule

__all__ = [
    "DropConnect",
    "IWeightNoise",
    "WeightNoise",
]

_JAVA = "org.deeplearning4j.nn.conf.weightnoise."


class IWeightNoise(Conf):
    """A kind of weight noise."""


class DropConnect(
    IWeightNoise,
    java=_JAVA + "DropConnect",
    first=("applyToBiases", "weightRetainProbSchedule"),
    schedules={"weight_retain_prob": "weightRetainProbSchedule"},
):
    """Sets weights to 0 at random in training, as dropout does it with activations (Wan et al. 2013)."""

    weight_retain_prob: Probability | ISchedule
    """Probability to retain a weight."""
    apply_to_biases: bool = False


class WeightNoise(IWeightNoise, java=_JAVA + "WeightNoise", absent={"additive": False}):
    """Adds noise from ``distribution`` to the weights, or multiplies by it."""

    distribution: Distribution
    apply_to_bias: bool = False
    additive: bool = True
