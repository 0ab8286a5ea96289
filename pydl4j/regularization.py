"""Regularization, under DL4J's names."""

from pydl4j.conf.regularization import (
    L1Regularization,
    L2Regularization,
    Regularization,
    WeightDecay,
)

__all__ = [
    "L1Regularization",
    "L2Regularization",
    "Regularization",
    "WeightDecay",
]
