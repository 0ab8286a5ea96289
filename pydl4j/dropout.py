"""Kinds of dropout, under DL4J's names."""

from pydl4j.conf.dropout import (
    AlphaDropout,
    Dropout,
    GaussianDropout,
    GaussianNoise,
    IDropout,
    SpatialDropout,
)

__all__ = [
    "AlphaDropout",
    "Dropout",
    "GaussianDropout",
    "GaussianNoise",
    "IDropout",
    "SpatialDropout",
]
