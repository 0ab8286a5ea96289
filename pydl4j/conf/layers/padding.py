"""Zeros around sequences, images and volumes, and cuts at their borders."""

from typing import Annotated, ClassVar

from pydl4j.conf._codecs import AtLeast
from pydl4j.conf._kernel import guard
from pydl4j.conf.inputs import (
    CNN2DFormat,
    InputType,
    InputTypeConvolutional,
    InputTypeConvolutional3D,
    InputTypeRecurrent,
)
from pydl4j.conf.layers.base import JAVA, NoParamLayer
from pydl4j.conf.layers.kinds import IMAGES, TIME_LAST, VOLUMES, Kind, images, time_last, volumes
from pydl4j.conf.layers.windows import Sizes, along

__all__ = [
    "Cropping1D",
    "Cropping2D",
    "Cropping3D",
    "ZeroPadding1DLayer",
    "ZeroPadding3DLayer",
    "ZeroPaddingLayer",
]

Ends = Annotated[int | tuple[int, int], AtLeast(0)]
"""Left and right; one number stands for both."""
Borders = Annotated[int | tuple[int, int, int, int], AtLeast(0)]
"""Top, bottom, left and right; one number stands for all."""
Faces = Annotated[int | tuple[int, int, int, int, int, int], AtLeast(0)]
"""Two of depth, two of height and two of width; one number stands for all."""


class ZeroPadding1DLayer(NoParamLayer, java=JAVA + "ZeroPadding1DLayer"):
    """Zeros before and after each sequence: ``[minibatch, size, time]`` to ``[minibatch, size, left + time + right]``.

    Sequences in NWC are refused; DL4J would pad their features.
    """

    takes: ClassVar[Kind] = TIME_LAST

    padding: Ends
    """Time steps of zeros: left, right."""

    def output_type(self, input_type: InputType, path: str = "") -> InputType:
        return longer(time_last(self, input_type, path), self.padding)


class ZeroPaddingLayer(NoParamLayer, java=JAVA + "ZeroPaddingLayer"):
    """Zeros around images: ``[minibatch, channels, height, width]``, higher and wider than the input."""

    takes: ClassVar[Kind] = IMAGES

    padding: Borders
    """Pixels of zeros: top, bottom, left, right."""
    data_format: CNN2DFormat = "nchw"
    """Taken from the input type where there is one."""

    def output_type(self, input_type: InputType, path: str = "") -> InputType:
        return larger_image(images(self, input_type, path), self.padding)


class ZeroPadding3DLayer(NoParamLayer, java=JAVA + "ZeroPadding3DLayer"):
    """Zeros around volumes: ``[minibatch, channels, depth, height, width]``, larger than the input in each dimension.

    Volumes in NDHWC are refused; DL4J would pad their channels.
    """

    takes: ClassVar[Kind] = VOLUMES

    padding: Faces
    """Zeros on both sides of depth, height and width."""

    def output_type(self, input_type: InputType, path: str = "") -> InputType:
        return larger_volume(volumes(self, input_type, path), self.padding)


class Cropping1D(NoParamLayer, java=JAVA + "convolutional.Cropping1D"):
    """Cuts off the ends of sequences: ``[minibatch, size, time]`` to ``[minibatch, size, time - left - right]``.

    Sequences in NWC are refused, of which DL4J would cut off features, and cuts of all time steps.
    """

    takes: ClassVar[Kind] = TIME_LAST

    cropping: Ends = (0, 0)
    """Time steps to cut off: left, right."""

    def preprocessor_for(self, input_type: InputType, path: str = "") -> None:
        """Nothing: DL4J takes sequences only."""

    def output_type(self, input_type: InputType, path: str = "") -> InputType:
        series = time_last(self, input_type, path)
        _check_cut(self.cropping, 0, series.time_series_length, "length", path)
        return longer(series, self.cropping, sign=-1)


class Cropping2D(NoParamLayer, java=JAVA + "convolutional.Cropping2D"):
    """Cuts off the borders of images: ``[minibatch, channels, height, width]``, smaller than the input.

    Cuts that leave no pixels are refused; DL4J lets them pass.
    """

    takes: ClassVar[Kind] = IMAGES

    cropping: Borders = (0, 0, 0, 0)
    """Pixels to cut off: top, bottom, left, right."""
    data_format: CNN2DFormat = "nchw"
    """Taken from the input type where there is one."""

    def output_type(self, input_type: InputType, path: str = "") -> InputType:
        image = images(self, input_type, path)
        _check_cut(self.cropping, 0, image.height, "height", path)
        _check_cut(self.cropping, 2, image.width, "width", path)
        return larger_image(image, self.cropping, sign=-1)


class Cropping3D(NoParamLayer, java=JAVA + "convolutional.Cropping3D"):
    """Cuts off the faces of volumes: ``[minibatch, channels, depth, height, width]``, smaller than the input.

    Volumes in NDHWC are refused, of which DL4J would cut off channels, and cuts that leave nothing.
    """

    takes: ClassVar[Kind] = VOLUMES

    cropping: Faces = (0, 0, 0, 0, 0, 0)
    """What to cut off on both sides of depth, height and width."""

    def output_type(self, input_type: InputType, path: str = "") -> InputType:
        volume = volumes(self, input_type, path)
        for axis, dimension in enumerate(("depth", "height", "width")):
            _check_cut(self.cropping, 2 * axis, getattr(volume, dimension), dimension, path)
        return larger_volume(volume, self.cropping, sign=-1)


def longer(series: InputTypeRecurrent, ends: Sizes, sign: int = 1) -> InputType:
    """Sequences with time steps added, or taken away."""
    length = series.time_series_length
    steps = None if length is None else length + sign * _both(ends, 0)
    return series.replace(time_series_length=steps)


def larger_image(image: InputTypeConvolutional, borders: Sizes, sign: int = 1) -> InputType:
    """Images with pixels added, or taken away."""
    return image.replace(height=image.height + sign * _both(borders, 0), width=image.width + sign * _both(borders, 2))


def larger_volume(volume: InputTypeConvolutional3D, faces: Sizes, sign: int = 1) -> InputType:
    """Volumes with something added, or taken away."""
    sizes = {
        side: getattr(volume, side) + sign * _both(faces, 2 * i) for i, side in enumerate(("depth", "height", "width"))
    }
    return volume.replace(**sizes)


def _both(sizes: Sizes, first: int) -> int:
    """What is added to a dimension, at both its ends."""
    return along(sizes, first) + along(sizes, first + 1)


def _check_cut(cropping: Sizes, first: int, size: int | None, dimension: str, path: str) -> None:
    """Refuse a cut that leaves nothing. Raises `ConfigError`."""
    if size is not None and _both(cropping, first) >= size:
        raise guard(f"{path}.cropping", f"must leave something of the input's {dimension}, {size}", cropping)
