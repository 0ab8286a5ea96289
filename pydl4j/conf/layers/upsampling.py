"""Upsampling, and what exchanges space for channels or examples."""

from typing import Annotated, ClassVar

from pydl4j.conf._codecs import AtLeast
from pydl4j.conf._kernel import guard, refuse
from pydl4j.conf.inputs import CNN2DFormat, CNN3DFormat, InputType
from pydl4j.conf.layers.base import JAVA, NoParamLayer, Positive
from pydl4j.conf.layers.kinds import IMAGES, TIME_LAST, VOLUMES, Kind, images, time_last, volumes
from pydl4j.conf.layers.windows import Pair, Triple, Twice, along

__all__ = ["SpaceToBatchLayer", "SpaceToDepthLayer", "Upsampling1D", "Upsampling2D", "Upsampling3D"]


class Upsampling1D(NoParamLayer, java=JAVA + "Upsampling1D"):
    """Repeats each time step: ``[minibatch, features, time]`` to ``[minibatch, features, size * time]``.

    Sequences in NWC are refused; DL4J would repeat their features.
    """

    takes: ClassVar[Kind] = TIME_LAST

    size: Twice
    """How often each time step is there."""

    def validate(self, path: str) -> None:
        if isinstance(self.size, tuple) and len(self.size) == 2:
            raise refuse(f"{path}.size", "must be one number, or the same one twice", self.size)

    def preprocessor_for(self, input_type: InputType, path: str = "") -> None:
        """Nothing: DL4J takes sequences only."""

    def output_type(self, input_type: InputType, path: str = "") -> InputType:
        series = time_last(self, input_type, path)
        length = series.time_series_length
        longer = None if length is None else length * along(self.size, 0)
        return InputType.recurrent(series.size, time_series_length=longer)


class Upsampling2D(NoParamLayer, java=JAVA + "Upsampling2D", keys={"data_format": "format"}):
    """Repeats rows and columns: ``[minibatch, channels, height, width]`` to ``[..., size * height, size * width]``."""

    takes: ClassVar[Kind] = IMAGES

    size: Pair
    """How often each row and each column is there."""
    data_format: CNN2DFormat = "nchw"
    """Taken from the input type where there is one."""

    def output_type(self, input_type: InputType, path: str = "") -> InputType:
        image = images(self, input_type, path)
        return image.replace(height=along(self.size, 0) * image.height, width=along(self.size, 1) * image.width)


class Upsampling3D(NoParamLayer, java=JAVA + "Upsampling3D"):
    """Repeats in three dimensions: ``[minibatch, channels, depth, height, width]`` to ``[..., size * depth, ...]``.

    The output keeps its format, which DL4J takes for NDHWC.
    """

    takes: ClassVar[Kind] = VOLUMES

    size: Triple
    """How often everything is there in depth, height and width."""
    data_format: CNN3DFormat = "ncdhw"
    """Must be that of the input; DL4J does not take it from the input type."""

    def output_type(self, input_type: InputType, path: str = "") -> InputType:
        volume = volumes(self, input_type, path)
        return volume.replace(
            depth=along(self.size, 0) * volume.depth,
            height=along(self.size, 1) * volume.height,
            width=along(self.size, 2) * volume.width,
        )


class SpaceToDepthLayer(NoParamLayer, java=JAVA + "SpaceToDepthLayer", absent={"data_format": None}):
    """Blocks of pixels to channels: ``[minibatch, c, h, w]`` to ``[minibatch, c * block_size^2, h / block_size, w / block_size]``.

    Height and width must be multiples of the block's; DL4J finds that out with the first minibatch.
    """

    takes: ClassVar[Kind] = IMAGES

    block_size: Positive
    """Height and width of a block in pixels."""
    data_format: CNN2DFormat | None = "nchw"
    """Taken from the input type where there is one."""

    def output_type(self, input_type: InputType, path: str = "") -> InputType:
        image, size = images(self, input_type, path), self.block_size
        if image.height % size or image.width % size:
            raise guard(f"{path}.block_size", f"must divide height {image.height} and width {image.width}", size)
        return image.replace(
            height=image.height // size, width=image.width // size, channels=image.channels * size * size
        )


class SpaceToBatchLayer(NoParamLayer, java=JAVA + "SpaceToBatchLayer", keys={"data_format": "format"}):
    """Blocks of pixels to examples: ``[minibatch, c, h, w]`` to ``[minibatch * blocks, c, h / blocks, w / blocks]``.

    Height and width with padding must be multiples of the blocks; DL4J finds that out with the first minibatch.
    """

    takes: ClassVar[Kind] = IMAGES

    blocks: Pair
    """Height and width of a block in pixels."""
    padding: Annotated[tuple[tuple[int, int], tuple[int, int]], AtLeast(0)] = ((0, 0), (0, 0))
    """Pixels of zeros: (top, bottom), (left, right)."""
    data_format: CNN2DFormat = "nchw"
    """Taken from the input type where there is one."""

    def output_type(self, input_type: InputType, path: str = "") -> InputType:
        image = images(self, input_type, path)
        height, width = image.height + sum(self.padding[0]), image.width + sum(self.padding[1])
        rows, columns = along(self.blocks, 0), along(self.blocks, 1)
        if height % rows or width % columns:
            raise guard(f"{path}.blocks", f"must divide height {height} and width {width} with padding", self.blocks)
        return image.replace(height=height // rows, width=width // columns)
