"""Schedules of rates and other numbers, under DL4J's names."""

from pydl4j.conf.schedules import (
    CycleSchedule,
    ExponentialSchedule,
    FixedSchedule,
    InverseSchedule,
    ISchedule,
    MapSchedule,
    PolySchedule,
    SigmoidSchedule,
    StepSchedule,
)

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
