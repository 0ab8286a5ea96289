"""Updaters: how a gradient becomes a step, DL4J's ``IUpdater``. Rates and momentum are numbers or schedules."""

from typing import Annotated, ClassVar, Literal

from pydl4j.conf._codecs import AtLeast, Between, LessThan
from pydl4j.conf._kernel import Conf, guard
from pydl4j.conf.schedules import ISchedule

__all__ = [
    "AMSGrad",
    "AdaBelief",
    "AdaDelta",
    "AdaGrad",
    "AdaMax",
    "Adam",
    "IUpdater",
    "Nadam",
    "Nesterovs",
    "NoOp",
    "RmsProp",
    "Sgd",
    "UpdaterName",
]

_JAVA = "org.nd4j.linalg.learning.config."

Rate = Annotated[float, AtLeast(0)] | ISchedule
NonNegative = Annotated[float, AtLeast(0)]
Decay = Annotated[float, Between(0, 1, closed=True)]
Beta = Annotated[float, AtLeast(0), LessThan(1)]
"""The decay of a moment that is divided by 1 minus a power of it."""


UpdaterName = Literal[
    "adabelief", "adadelta", "adagrad", "adam", "adamax", "amsgrad", "nadam", "nesterovs", "none", "rmsprop", "sgd"
]
"""Each name stands for the class below with its default options; ``none`` is `NoOp`."""


class IUpdater(Conf):
    """A gradient updater."""

    state_arrays: ClassVar[int] = 0
    """Numbers that the updater keeps for each parameter (DL4J: ``IUpdater.stateSize``), such as its moments."""

    _omit_null: ClassVar[bool] = True

    def why_not(self) -> str:
        """Why DL4J cannot train with it; empty if it can."""
        return ""


class _Learning(IUpdater, schedules={"learning_rate": "learningRateSchedule"}, absent={"learning_rate": 0.0}):
    """An updater with a learning rate."""


class _AdamLike(_Learning, absent={"beta1": 0.0, "beta2": 0.0, "epsilon": 0.0}):
    """An updater with two moment estimates."""

    state_arrays: ClassVar[int] = 2

    learning_rate: Rate = 1e-3
    beta1: Beta = 0.9
    """Decay of the mean of gradients."""
    beta2: Beta = 0.999
    """Decay of the second moment."""
    epsilon: NonNegative = 1e-8


class Adam(_AdamLike, java=_JAVA + "Adam", alias="adam"):
    """Adam: steps of ``learning_rate m / (sqrt(v) + epsilon)``.

    ``m`` and ``v`` are running means of the gradient and of its square, both corrected for their start at 0 (Kingma and Ba,
    arXiv:1412.6980).
    """


class AdaMax(_AdamLike, java=_JAVA + "AdaMax", alias="adamax"):
    """Adam whose second moment is the largest recent gradient, its infinity norm (Kingma and Ba, arXiv:1412.6980, section 7)."""


class Nadam(_AdamLike, java=_JAVA + "Nadam", alias="nadam"):
    """Adam with Nesterov's look ahead in its first moment (Dozat 2016)."""


class AMSGrad(_AdamLike, java=_JAVA + "AMSGrad", alias="amsgrad"):
    """Adam whose second moment never falls, so that steps never grow back (Reddi, Kale and Kumar 2018)."""

    state_arrays: ClassVar[int] = 3


class AdaBelief(_AdamLike, java=_JAVA + "AdaBelief", alias="adabelief"):
    """Adam whose second moment is that of the gradient about its running mean.

    Steps are long where gradients are as expected (Zhuang et al., arXiv:2010.07468). Documents may have it; new networks are
    refused, since DL4J 1.0.0-M2.1 fails in the first step.
    """

    epsilon: NonNegative = 1e-14

    def why_not(self) -> str:
        return ", which DL4J 1.0.0-M2.1 fails to start (it reads the width of its state, which is a vector)"


class AdaGrad(_Learning, java=_JAVA + "AdaGrad", alias="adagrad", absent={"epsilon": 0.0}):
    """Steps divided by the root of the sum of all squared gradients so far: they only become shorter (Duchi, Hazan and Singer 2011).

    Documents may have a schedule; new networks with one are refused, since DL4J loses it when it copies the updater.
    """

    state_arrays: ClassVar[int] = 1

    learning_rate: Rate = 0.1
    epsilon: NonNegative = 1e-6

    def why_not(self) -> str:
        lost = isinstance(self.learning_rate, ISchedule)
        return " with a schedule, which DL4J loses when it copies it, and trains with NaN: use RmsProp" if lost else ""


class AdaDelta(IUpdater, java=_JAVA + "AdaDelta", alias="adadelta"):
    """AdaGrad over a running window, with steps scaled by recent steps: there is no learning rate (Zeiler, arXiv:1212.5701)."""

    state_arrays: ClassVar[int] = 2

    rho: Decay = 0.95
    epsilon: NonNegative = 1e-6


class Nesterovs(
    _Learning,
    java=_JAVA + "Nesterovs",
    alias="nesterovs",
    schedules={"momentum": "momentumISchedule"},
    absent={"momentum": 0.0},
):
    """Stochastic gradient descent with momentum that looks ahead (Nesterov 1983; Sutskever et al. 2013)."""

    state_arrays: ClassVar[int] = 1

    learning_rate: Rate = 0.1
    momentum: Rate = 0.9


class NoOp(IUpdater, java=_JAVA + "NoOp", alias="none"):
    """No step at all: the gradient is not scaled."""


class RmsProp(_Learning, java=_JAVA + "RmsProp", alias="rmsprop", absent={"rms_decay": 0.0, "epsilon": 0.0}):
    """Steps divided by the root of a running mean of squared gradients (Hinton, lecture 6e of 2012)."""

    state_arrays: ClassVar[int] = 1

    learning_rate: Rate = 0.1
    rms_decay: Decay = 0.95
    epsilon: NonNegative = 1e-8


class Sgd(_Learning, java=_JAVA + "Sgd", alias="sgd"):
    """Stochastic gradient descent: steps of ``learning_rate`` times the gradient; it keeps no state."""

    learning_rate: Rate = 1e-3


def check_updaters(owner: object, path: str) -> None:
    """Refuse updaters of a layer or network with which DL4J cannot train. Raises `ConfigError`."""
    for option in ("updater", "bias_updater"):
        updater = getattr(owner, option, None)
        if isinstance(updater, IUpdater) and updater.why_not():
            raise guard(f"{path}.{option}", f"cannot be {type(updater).__name__}{updater.why_not()}", updater)
