"""Input types, under DL4J's names."""

from pydl4j.conf.inputs import (
    InputType,
    InputTypeConvolutional,
    InputTypeConvolutionalFlat,
    InputTypeFeedForward,
    InputTypeRecurrent,
)

__all__ = [
    "InputType",
    "InputTypeConvolutional",
    "InputTypeConvolutionalFlat",
    "InputTypeFeedForward",
    "InputTypeRecurrent",
]
