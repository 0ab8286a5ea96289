"""Shapes of images, and of the shapes' arguments."""

from pydl4j.conf.inputs import InputType

Shape = tuple[int, int, int]
"""Channels, height, width."""


def image(shape: Shape) -> InputType:
    """The input type of images of a shape."""
    channels, height, width = shape
    return InputType.convolutional(height=height, width=width, channels=channels)
