"""Kinds of input: what a layer takes, what DL4J puts before it, and what the layer learns from its input."""

from typing import TYPE_CHECKING, Any

from pydl4j.conf._kernel import guard, refuse
from pydl4j.conf.inputs import (
    InputType,
    InputTypeConvolutional,
    InputTypeConvolutional3D,
    InputTypeConvolutionalFlat,
    InputTypeFeedForward,
    InputTypeRecurrent,
)
from pydl4j.conf.preprocessors import InputPreProcessor, for_images, for_sequences, for_vectors

if TYPE_CHECKING:
    from pydl4j.conf.layers.base import Layer

__all__ = [
    "ANYTHING",
    "IMAGES",
    "SEQUENCES",
    "TIME_LAST",
    "VECTORS",
    "VOLUMES",
    "Kind",
    "check_time_last",
    "images",
    "sequences",
    "time_last",
    "vectors",
    "volumes",
]


class Kind:
    """Any input: it is taken as it comes, and tells the layer nothing."""

    def preprocessor(self, layer: "Layer", input_type: InputType, path: str) -> InputPreProcessor | None:
        """What DL4J puts between such an input and the layer.

        Raises:
            ConfigError: Nothing would make this input fit.

        """
        return None

    def learned(self, layer: "Layer", input_type: InputType, path: str) -> dict[str, Any]:
        """The options that the layer takes from its input (after the preprocessor).

        Raises:
            ConfigError: The input is of another kind.

        """
        return {}


class _Vectors(Kind):
    def preprocessor(self, layer: "Layer", input_type: InputType, path: str) -> InputPreProcessor | None:
        return for_vectors(input_type)

    def learned(self, layer: "Layer", input_type: InputType, path: str) -> dict[str, Any]:
        given = vectors(layer, input_type, path)
        return {"n_in": given.size, "time_distributed_format": given.time_distributed_format}


class _Sequences(Kind):
    def preprocessor(self, layer: "Layer", input_type: InputType, path: str) -> InputPreProcessor | None:
        if isinstance(input_type, InputTypeConvolutional3D):
            raise _needs(layer, "sequences", input_type, path)
        return for_sequences(input_type, getattr(layer, "data_format", None))

    def learned(self, layer: "Layer", input_type: InputType, path: str) -> dict[str, Any]:
        given = sequences(layer, input_type, path)
        return {"n_in": given.size, "data_format": given.format}


class _TimeLast(_Sequences):
    """Sequences for a layer that works on NCW only; DL4J takes any, and confuses time with features."""

    def preprocessor(self, layer: "Layer", input_type: InputType, path: str) -> InputPreProcessor | None:
        if isinstance(input_type, InputTypeConvolutional3D):
            raise _needs(layer, "sequences", input_type, path)
        return for_sequences(input_type, "ncw")

    def learned(self, layer: "Layer", input_type: InputType, path: str) -> dict[str, Any]:
        return {"n_in": time_last(layer, input_type, path).size}


class _Images(Kind):
    def preprocessor(self, layer: "Layer", input_type: InputType, path: str) -> InputPreProcessor | None:
        return for_images(input_type)

    def learned(self, layer: "Layer", input_type: InputType, path: str) -> dict[str, Any]:
        given = images(layer, input_type, path)
        return {"n_in": given.channels, "data_format": given.format}


class _Volumes(Kind):
    """Volumes in the layer's own format, which DL4J neither learns nor checks."""

    def learned(self, layer: "Layer", input_type: InputType, path: str) -> dict[str, Any]:
        given = volumes(layer, input_type, path)
        works_on = getattr(layer, "data_format", "ncdhw")
        if given.format != works_on and "data_format" in type(layer).options():
            raise guard(f"{path}.data_format", f"must be {given.format!r}, the format of the layer's input", works_on)
        if given.format != works_on:
            raise guard(path, f"({type(layer).__name__}) works on volumes in the format {works_on!r} only", input_type)
        return {"n_in": given.channels}


ANYTHING = Kind()
VECTORS = _Vectors()
SEQUENCES = _Sequences()
TIME_LAST = _TimeLast()
IMAGES = _Images()
VOLUMES = _Volumes()


def vectors(layer: "Layer", input_type: InputType, path: str) -> InputTypeFeedForward:
    """``input_type``, which must be vectors."""
    if isinstance(input_type, InputTypeFeedForward):
        return input_type
    if isinstance(input_type, InputTypeConvolutionalFlat):
        return InputType.feed_forward(input_type.flattened_size)
    raise refuse(path, f"({type(layer).__name__}) needs vectors as input", input_type)


def sequences(layer: "Layer", input_type: InputType, path: str) -> InputTypeRecurrent:
    """``input_type``, which must be sequences."""
    if isinstance(input_type, InputTypeRecurrent):
        return input_type
    raise _needs(layer, "sequences", input_type, path, "InputType.recurrent, or a preprocessor")


def time_last(layer: "Layer", input_type: InputType, path: str) -> InputTypeRecurrent:
    """``input_type``, which must be sequences in NCW."""
    series = sequences(layer, input_type, path)
    if series.format == "nwc":
        raise guard(path, f"({type(layer).__name__}) works on sequences in the format 'ncw' only", input_type)
    return series


def check_time_last(data_format: str | None, path: str) -> None:
    """Refuse NWC in a new layer that DL4J can train in NCW only."""
    if data_format == "nwc":
        raise guard(f"{path}.data_format", "must be 'ncw', in which DL4J can train the layer", data_format)


def images(layer: "Layer", input_type: InputType, path: str) -> InputTypeConvolutional:
    """``input_type``, which must be images."""
    if isinstance(input_type, InputTypeConvolutional):
        return input_type
    raise _needs(layer, "images", input_type, path, "InputType.convolutional, or a preprocessor")


def volumes(layer: "Layer", input_type: InputType, path: str) -> InputTypeConvolutional3D:
    """``input_type``, which must be volumes."""
    if isinstance(input_type, InputTypeConvolutional3D):
        return input_type
    raise _needs(layer, "volumes", input_type, path, "InputType.convolutional_3d, or a preprocessor")


def _needs(layer: "Layer", what: str, received: InputType, path: str, hint: str = "") -> Exception:
    return refuse(path, f"({type(layer).__name__}) needs {what} as input{f' ({hint})' if hint else ''}", received)
