"""Constraints on parameters, under DL4J's names."""

from pydl4j.conf.constraints import (
    LayerConstraint,
    MaxNormConstraint,
    MinMaxNormConstraint,
    NonNegativeConstraint,
    UnitNormConstraint,
)

__all__ = [
    "LayerConstraint",
    "MaxNormConstraint",
    "MinMaxNormConstraint",
    "NonNegativeConstraint",
    "UnitNormConstraint",
]
