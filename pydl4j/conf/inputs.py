"""Input types: the shape of what goes into a network or a layer, without the minibatch dimension."""

from typing import Annotated, Any, ClassVar, Literal

from pydl4j.conf._codecs import AtLeast, Bits, Unset
from pydl4j.conf._kernel import Conf

__all__ = [
    "InputType",
    "InputTypeConvolutional",
    "InputTypeConvolutionalFlat",
    "InputTypeFeedForward",
    "InputTypeRecurrent",
]

_JAVA = "org.deeplearning4j.nn.conf.inputs.InputType$"

CNN2DFormat = Literal["nchw", "nhwc"]
"""Order of the dimensions of images: minibatch, channels, height, width, or channels last."""
RNNFormat = Literal["ncw", "nwc"]
"""Order of the dimensions of sequences: minibatch, size, time, or size last."""
CNN3DFormat = Literal["ncdhw", "ndhwc"]
"""Order of the dimensions of volumes: minibatch, channels, depth, height, width, or channels last."""
Size = Annotated[int, AtLeast(1), Bits(64)]


class InputType(Conf):
    """The shape of one example. Made by `feed_forward`, `recurrent`, `convolutional` and `convolutional_flat`."""

    _factory: ClassVar[str] = ""
    _omit_null: ClassVar[bool] = True

    @staticmethod
    def feed_forward(size: int) -> "InputTypeFeedForward":
        """Vectors of ``size`` features: arrays ``[minibatch, size]``."""
        return InputTypeFeedForward(size=size)

    @staticmethod
    def recurrent(
        size: int,
        *,
        time_series_length: int | None = None,
        format: RNNFormat | None = "ncw",  # noqa: A002 - DL4J's name
    ) -> "InputTypeRecurrent":
        """Sequences: arrays ``[minibatch, size, time]``, or ``[minibatch, time, size]`` with ``format="nwc"``.

        Args:
            size: Features of a time step.
            time_series_length: Number of time steps; ``None`` if it varies.
            format: Order of the dimensions.

        """
        return InputTypeRecurrent(size=size, time_series_length=time_series_length, format=format)

    @staticmethod
    def convolutional(
        *,
        height: int,
        width: int,
        channels: int,
        format: CNN2DFormat = "nchw",  # noqa: A002 - DL4J's name
    ) -> "InputTypeConvolutional":
        """Images: arrays ``[minibatch, channels, height, width]``, or channels last with ``format="nhwc"``."""
        return InputTypeConvolutional(height=height, width=width, channels=channels, format=format)

    @staticmethod
    def convolutional_flat(*, height: int, width: int, channels: int) -> "InputTypeConvolutionalFlat":
        """Images that come as rows: arrays ``[minibatch, channels * height * width]``."""
        return InputTypeConvolutionalFlat(height=height, width=width, channels=channels)

    @staticmethod
    def convolutional_3d(
        *,
        depth: int,
        height: int,
        width: int,
        channels: int,
        format: CNN3DFormat = "ncdhw",  # noqa: A002 - DL4J's name
    ) -> "InputTypeConvolutional3D":
        """Volumes or videos: arrays ``[minibatch, channels, depth, height, width]``, or channels last with ``"ndhwc"``.

        (DL4J's factory without a format means NDHWC; its layers mean NCDHW, and so does this one.)
        """
        return InputTypeConvolutional3D(depth=depth, height=height, width=width, channels=channels, format=format)

    @property
    def shape(self) -> tuple[int | None, ...]:
        """The dimensions of one example in its array; ``None`` for a time series of unknown length."""
        raise NotImplementedError

    def derived(self) -> dict[str, Any]:
        return {"shape": [-1 if size is None else size for size in self.shape]}

    def __repr__(self) -> str:
        return (
            super().__repr__().replace(type(self).__name__, f"InputType.{self._factory}", 1)
            if self._factory
            else super().__repr__()
        )


class InputTypeFeedForward(InputType, java=_JAVA + "InputTypeFeedForward", first=("size", "timeDistributedFormat")):
    """Vectors: arrays ``[minibatch, size]``."""

    _factory: ClassVar[str] = "feed_forward"
    size: Size
    time_distributed_format: RNNFormat | CNN2DFormat | CNN3DFormat | None = None
    """Where the vectors are time steps of sequences: the format of these."""

    @property
    def shape(self) -> tuple[int | None, ...]:
        return (self.size,)

    def __repr__(self) -> str:
        return super().__repr__() if self.time_distributed_format is None else Conf.__repr__(self)


class InputTypeRecurrent(
    InputType,
    java=_JAVA + "InputTypeRecurrent",
    first=("format", "size", "timeSeriesLength"),
    absent={"format": None},
):
    """Sequences: arrays ``[minibatch, size, time]``, or ``[minibatch, time, size]`` in format ``nwc``."""

    _factory: ClassVar[str] = "recurrent"
    size: Size
    time_series_length: Annotated[Size, Unset(-1)] | None = None
    format: RNNFormat | None = "ncw"
    """``None`` counts as ``ncw``; DL4J has it between images and an `RnnOutputLayer`."""

    @property
    def shape(self) -> tuple[int | None, ...]:
        return (self.size, self.time_series_length) if self.format != "nwc" else (self.time_series_length, self.size)


class InputTypeConvolutional(
    InputType, java=_JAVA + "InputTypeConvolutional", first=("channels", "format", "height", "width")
):
    """Images: arrays ``[minibatch, channels, height, width]``, or channels last in format ``nhwc``."""

    _factory: ClassVar[str] = "convolutional"
    height: Size
    width: Size
    channels: Size
    format: CNN2DFormat = "nchw"

    @property
    def shape(self) -> tuple[int | None, ...]:
        if self.format == "nchw":
            return (self.channels, self.height, self.width)
        return (self.height, self.width, self.channels)

    def derived(self) -> dict[str, Any]:
        return super().derived() | {"depth": self.channels}


class InputTypeConvolutionalFlat(
    InputType,
    java=_JAVA + "InputTypeConvolutionalFlat",
    keys={"channels": "depth"},
    first=("depth", "height", "width"),
):
    """Images as rows: arrays ``[minibatch, channels * height * width]``."""

    _factory: ClassVar[str] = "convolutional_flat"
    height: Size
    width: Size
    channels: Size

    @property
    def flattened_size(self) -> int:
        """Length of a row."""
        return self.height * self.width * self.channels

    @property
    def shape(self) -> tuple[int | None, ...]:
        return (self.flattened_size,)

    def derived(self) -> dict[str, Any]:
        image = InputType.convolutional(height=self.height, width=self.width, channels=self.channels)
        return {
            "flattenedSize": self.flattened_size,
            "shape": list(image.shape),
            "unflattenedType": image.to_tree(),
        }


class InputTypeConvolutional3D(
    InputType,
    java=_JAVA + "InputTypeConvolutional3D",
    keys={"format": "dataFormat"},
    first=("channels", "dataFormat", "depth", "height", "width"),
):
    """Volumes: arrays ``[minibatch, channels, depth, height, width]``, or channels last in format ``ndhwc``."""

    _factory: ClassVar[str] = "convolutional_3d"
    depth: Size
    height: Size
    width: Size
    channels: Size
    format: CNN3DFormat = "ncdhw"

    @property
    def shape(self) -> tuple[int | None, ...]:
        size = (self.depth, self.height, self.width)
        return (self.channels, *size) if self.format == "ncdhw" else (*size, self.channels)
