"""Dropout: what is done to the input of a layer in training, DL4J's ``IDropout``.

DL4J's ``p`` is the probability to *retain* an activation: ``Dropout(p=0.8)`` drops a fifth.
"""

from collections.abc import Collection
from typing import Annotated, Any, ClassVar

from pydl4j.conf._codecs import AtLeast, Between, Mismatch, number_of
from pydl4j.conf._kernel import Conf
from pydl4j.conf.schedules import ISchedule

__all__ = [
    "AlphaDropout",
    "Dropout",
    "GaussianDropout",
    "GaussianNoise",
    "IDropout",
    "SpatialDropout",
]

_JAVA = "org.deeplearning4j.nn.conf.dropout."

Probability = Annotated[float, Between(0, 1)]


class IDropout(Conf):
    """A kind of dropout."""

    @classmethod
    def convert(cls, value: Any) -> Any:
        """A number is the probability to retain an activation; 0 means no dropout, as in DL4J."""
        if isinstance(value, ISchedule):
            raise Mismatch("must be an IDropout or a number: a schedule goes into one, such as Dropout(p=...)")
        number = number_of(value)
        if number is None:
            return super().convert(value)
        if not 0 <= number <= 1:
            raise Mismatch("must be a probability to retain an activation (0: no dropout), from 0 to 1")
        return Dropout(p=number) if number else 0.0


class Dropout(IDropout, java=_JAVA + "Dropout", first=("p",), schedules={"p": "pschedule"}):
    """Sets activations to 0, and divides the others by ``p`` (Srivastava et al. 2014)."""

    _ignored: ClassVar[Collection[str]] = ("initializedHelper",)  # until 1.0.0-beta7

    p: Probability | ISchedule
    """Probability to retain an activation."""
    helper_allow_fallback: bool = True


class AlphaDropout(
    IDropout, java=_JAVA + "AlphaDropout", keys={"lambda_": "lambda"}, absent={"alpha": 0.0, "lambda_": 0.0}
):
    """Dropout that keeps mean and variance, for SELU networks (Klambauer et al. 2017).

    ``p`` is a number only: DL4J writes a schedule and does not read it back, which leaves NaN.
    """

    p: Probability
    """Probability to retain an activation."""
    alpha: float = 1.6732632423543772
    lambda_: float = 1.0507009873554805

    def derived(self) -> dict[str, Any]:
        return {"pschedule": None}


class GaussianDropout(IDropout, java=_JAVA + "GaussianDropout", schedules={"rate": "rateSchedule"}):
    """Multiplies by noise of mean 1 and standard deviation ``sqrt(rate / (1 - rate))``."""

    rate: Annotated[float, Between(0, 1, closed=True)] | ISchedule


class GaussianNoise(IDropout, java=_JAVA + "GaussianNoise", schedules={"stddev": "stddevSchedule"}):
    """Adds noise of mean 0 and standard deviation ``stddev``."""

    stddev: Annotated[float, AtLeast(0)] | ISchedule


class SpatialDropout(IDropout, java=_JAVA + "SpatialDropout", schedules={"p": "pschedule"}):
    """Drops whole channels of images or features of sequences (Tompson et al. 2014)."""

    p: Probability | ISchedule
    """Probability to retain a channel."""
