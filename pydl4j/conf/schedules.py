"""Schedules: a value that changes with the iteration or the epoch, DL4J's ``ISchedule``. ``i`` below is that count."""

import math
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydl4j.conf._codecs import AtLeast, MoreThan, number_of
from pydl4j.conf._kernel import _SCHEDULE, Conf, refuse

__all__ = [
    "CycleSchedule",
    "ExponentialSchedule",
    "FixedSchedule",
    "ISchedule",
    "InverseSchedule",
    "MapSchedule",
    "PolySchedule",
    "SigmoidSchedule",
    "StepSchedule",
]

_JAVA = "org.nd4j.linalg.schedule."

ScheduleType = Literal["iteration", "epoch"]


class ISchedule(Conf):
    """A value over time."""

    _unreadable: ClassVar[Mapping[str, str]] = {_JAVA + "RampSchedule": "use a MapSchedule that starts with low values"}

    @classmethod
    def convert(cls, value: Any) -> Any:
        """A number stands for a fixed schedule."""
        number = number_of(value)
        return super().convert(value) if number is None else FixedSchedule(value=number)


_SCHEDULE.append(ISchedule)


class FixedSchedule(ISchedule, java=_JAVA + "FixedSchedule"):
    """Always ``value``: a number where DL4J wants a schedule."""

    value: float


class ExponentialSchedule(ISchedule, java=_JAVA + "ExponentialSchedule"):
    """Exponential decay: ``initial_value * gamma^i``."""

    schedule_type: ScheduleType
    initial_value: float
    gamma: float


class InverseSchedule(ISchedule, java=_JAVA + "InverseSchedule"):
    """``initial_value / (1 + gamma i)^power``."""

    schedule_type: ScheduleType
    initial_value: float
    gamma: float
    power: float


class PolySchedule(ISchedule, java=_JAVA + "PolySchedule"):
    """``initial_value * (1 + i / max_iter)^power``, 0 from ``max_iter`` on (a plus, where the usual formula has a minus)."""

    schedule_type: ScheduleType
    initial_value: float
    power: float
    max_iter: Annotated[int, AtLeast(1)]


class SigmoidSchedule(ISchedule, java=_JAVA + "SigmoidSchedule"):
    """``initial_value / (1 + e^(-gamma (i - step_size)))``."""

    schedule_type: ScheduleType
    initial_value: float
    gamma: float
    step_size: int


class StepSchedule(ISchedule, java=_JAVA + "StepSchedule"):
    """``initial_value * decay_rate^floor(i / step)``."""

    schedule_type: ScheduleType
    initial_value: float
    decay_rate: float
    step: Annotated[float, MoreThan(0)]


class MapSchedule(ISchedule, java=_JAVA + "MapSchedule"):
    """The value at the largest key that is not above ``i``; there must be a key 0."""

    schedule_type: ScheduleType
    values: Mapping[int, float]

    def validate(self, path: str) -> None:
        if 0 not in self.values:
            raise refuse(f"{path}.values", "must have a value at 0", dict(self.values))


class CycleSchedule(
    ISchedule,
    java=_JAVA + "CycleSchedule",
    first=(
        "annealingDecay",
        "annealingLength",
        "cycleLength",
        "initialLearningRate",
        "maxLearningRate",
        "scheduleType",
    ),
    absent={"annealing_decay": 0.0},
):
    """Up from ``initial_learning_rate`` to the maximum, down again, then an annealing tail (Smith, arXiv:1803.09820)."""

    schedule_type: ScheduleType
    initial_learning_rate: float
    max_learning_rate: float
    cycle_length: Annotated[int, AtLeast(1)]
    annealing_length: Annotated[int, AtLeast(0)]
    annealing_decay: float = 0.1

    def derived(self) -> dict[str, Any]:
        """Length and height of a step, as DL4J computes them: without a step, the height is not finite."""
        step_size = int((self.cycle_length - self.annealing_length) / 2)
        rise = self.max_learning_rate - self.initial_learning_rate
        return {"increment": rise / step_size if step_size else rise * math.inf, "stepSize": step_size}
