"""Columns of images: what a network makes of them."""

from dataclasses import dataclass
from typing import Any

from pydl4j.conf.inputs import InputType, InputTypeConvolutional, InputTypeConvolutionalFlat


class Resized(str):
    """The name of a column of images that are resized to what the network takes, as in ``features=Resized("photo")``.

    Resizing is bilinear between the centers of pixels, as OpenCV's and TensorFlow's is, without smoothing beforehand, and does not keep the
    ratio of height and width. Without ``Resized``, images of another size are refused.
    """

    __slots__ = ()


@dataclass(frozen=True)
class ImageShape:
    """Images as a network takes them."""

    height: int
    width: int
    channels: int
    """1 for gray, 3 for red, green and blue."""
    channels_last: bool

    @classmethod
    def of(cls, given: InputType | None) -> "ImageShape | None":
        """Those of an input type; None where it is of no images."""
        if not isinstance(given, InputTypeConvolutional | InputTypeConvolutionalFlat):
            return None
        last = isinstance(given, InputTypeConvolutional) and given.format == "nhwc"
        return cls(given.height, given.width, given.channels, last)

    def to_dict(self, *, resize: bool) -> dict[str, Any]:
        """As ``org.pydl4j.spark.frame`` is told of it."""
        return vars(self) | {"resize": resize}
