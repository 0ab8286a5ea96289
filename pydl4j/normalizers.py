"""Normalizers of features and labels; give one to a network and it travels inside the model file."""

from pydl4j import _public
from pydl4j.data.normalizers import (
    ImagePreProcessingScaler,
    Normalizer,
    NormalizerMinMaxScaler,
    NormalizerStandardize,
    read_normalizer,
    write_normalizer,
)

__all__ = [
    "ImagePreProcessingScaler",
    "Normalizer",
    "NormalizerMinMaxScaler",
    "NormalizerStandardize",
    "read_normalizer",
    "write_normalizer",
]

__dir__ = _public.public(globals())
