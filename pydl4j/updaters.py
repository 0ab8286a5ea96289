"""Gradient updaters, under DL4J's names."""

from pydl4j.conf.updaters import (
    AdaBelief,
    AdaDelta,
    AdaGrad,
    Adam,
    AdaMax,
    AMSGrad,
    IUpdater,
    Nadam,
    Nesterovs,
    NoOp,
    RmsProp,
    Sgd,
    UpdaterName,
)

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
