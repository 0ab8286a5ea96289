"""Preprocessors: what reshapes activations between layers, DL4J's ``InputPreProcessor``. Most are added automatically."""

from collections.abc import Sequence
from math import prod
from typing import Annotated

from pydl4j.conf._codecs import AtLeast, Bits
from pydl4j.conf._kernel import Conf, guard, refuse
from pydl4j.conf.inputs import (
    CNN2DFormat,
    CNN3DFormat,
    InputType,
    InputTypeConvolutional,
    InputTypeConvolutional3D,
    InputTypeConvolutionalFlat,
    InputTypeFeedForward,
    InputTypeRecurrent,
    RNNFormat,
)

__all__ = [
    "Cnn3DToFeedForwardPreProcessor",
    "CnnToFeedForwardPreProcessor",
    "CnnToRnnPreProcessor",
    "ComposableInputPreProcessor",
    "FeedForwardToCnn3DPreProcessor",
    "FeedForwardToCnnPreProcessor",
    "FeedForwardToRnnPreProcessor",
    "InputPreProcessor",
    "KerasFlattenRnnPreprocessor",
    "PermutePreprocessor",
    "ReshapePreprocessor",
    "RnnToCnnPreProcessor",
    "RnnToFeedForwardPreProcessor",
    "TensorFlowCnnToFeedForwardPreProcessor",
]

_JAVA = "org.deeplearning4j.nn.conf.preprocessor."
_KERAS = "org.deeplearning4j.preprocessors."

Long = Annotated[int, Bits(64)]
Size = Annotated[Long, AtLeast(0)]
Count = Annotated[int, AtLeast(0)]
"""A size for which DL4J has an ``int``."""


class InputPreProcessor(Conf):
    """A reshaping of activations."""

    def output_type(self, input_type: InputType, path: str) -> InputType:
        """The type of what comes out for an input of ``input_type``.

        Raises:
            ConfigError: ``input_type`` is of another kind or size; ``path`` says where.

        """
        raise NotImplementedError


class _Image(InputPreProcessor, absent={"input_height": 0, "input_width": 0, "num_channels": 0}):
    """A preprocessor that knows the size of an image."""

    input_height: Size
    input_width: Size
    num_channels: Size

    @property
    def _elements(self) -> int:
        return self.input_height * self.input_width * self.num_channels

    def _expect(self, received: InputType, *, matches: bool, path: str) -> None:
        if not matches:
            size = f"{self.input_height} x {self.input_width} with {self.num_channels} channels"
            raise refuse(path, f"({type(self).__name__}) needs images of {size}", received)


class FeedForwardToCnnPreProcessor(_Image, java=_JAVA + "FeedForwardToCnnPreProcessor"):
    """Rows to images: ``[minibatch, c * h * w]`` to ``[minibatch, c, h, w]``."""

    num_channels: Size = 1

    def output_type(self, input_type: InputType, path: str) -> InputType:
        if isinstance(input_type, InputTypeFeedForward):
            self._expect(input_type, matches=input_type.size == self._elements, path=path)
        elif isinstance(input_type, InputTypeConvolutional | InputTypeConvolutionalFlat):
            size = (input_type.height, input_type.width, input_type.channels)
            self._expect(
                input_type, matches=size == (self.input_height, self.input_width, self.num_channels), path=path
            )
            if isinstance(input_type, InputTypeConvolutional):
                return input_type
        else:
            raise refuse(path, f"({type(self).__name__}) needs vectors or images", input_type)
        return InputType.convolutional(height=self.input_height, width=self.input_width, channels=self.num_channels)


class CnnToFeedForwardPreProcessor(_Image, java=_JAVA + "CnnToFeedForwardPreProcessor", keys={"data_format": "format"}):
    """Images to rows: ``[minibatch, c, h, w]`` to ``[minibatch, c * h * w]``."""

    input_height: Size = 0
    input_width: Size = 0
    num_channels: Size = 0
    data_format: CNN2DFormat = "nchw"

    def output_type(self, input_type: InputType, path: str) -> InputType:
        image = _image(self, input_type, path)
        return InputType.feed_forward(image.channels * image.height * image.width)


class CnnToRnnPreProcessor(
    _Image, java=_JAVA + "CnnToRnnPreProcessor", keys={"data_format": "rnnDataFormat"}, absent={"data_format": None}
):
    """Images to sequences: ``[minibatch * time, c, h, w]`` to ``[minibatch, c * h * w, time]``.

    Images in NHWC are refused: DL4J takes them for NCHW, and fails.
    """

    data_format: RNNFormat | None = "ncw"

    def output_type(self, input_type: InputType, path: str) -> InputType:
        image = _image(self, input_type, path)
        if image.format == "nhwc":
            raise guard(path, "(CnnToRnnPreProcessor) works on images in the format 'nchw' only", image)
        return InputType.recurrent(image.channels * image.height * image.width, format=self.data_format)


class RnnToCnnPreProcessor(
    _Image, java=_JAVA + "RnnToCnnPreProcessor", keys={"data_format": "rnnDataFormat"}, absent={"data_format": None}
):
    """Sequences to images: ``[minibatch, c * h * w, time]`` to ``[minibatch * time, c, h, w]``."""

    input_height: Count
    input_width: Count
    num_channels: Count
    data_format: RNNFormat | None = "ncw"

    def output_type(self, input_type: InputType, path: str) -> InputType:
        sequence = _sequence(self, input_type, path)
        self._expect(sequence, matches=sequence.size == self._elements, path=path)
        return InputType.convolutional(height=self.input_height, width=self.input_width, channels=self.num_channels)


class FeedForwardToRnnPreProcessor(
    InputPreProcessor, java=_JAVA + "FeedForwardToRnnPreProcessor", keys={"data_format": "rnnDataFormat"}
):
    """Vectors to sequences: ``[minibatch * time, size]`` to ``[minibatch, size, time]``."""

    data_format: RNNFormat = "ncw"

    def output_type(self, input_type: InputType, path: str) -> InputType:
        if isinstance(input_type, InputTypeFeedForward):
            return InputType.recurrent(input_type.size, format=self.data_format)
        if isinstance(input_type, InputTypeConvolutionalFlat):
            return InputType.recurrent(input_type.flattened_size, format=self.data_format)
        raise refuse(path, f"({type(self).__name__}) needs vectors", input_type)


class RnnToFeedForwardPreProcessor(
    InputPreProcessor, java=_JAVA + "RnnToFeedForwardPreProcessor", keys={"data_format": "rnnDataFormat"}
):
    """Sequences to vectors: ``[minibatch, size, time]`` to ``[minibatch * time, size]``."""

    data_format: RNNFormat = "ncw"

    def output_type(self, input_type: InputType, path: str) -> InputType:
        sequence = _sequence(self, input_type, path)
        return InputTypeFeedForward(size=sequence.size, time_distributed_format=sequence.format)


class _Volume(
    _Image, keys={"channels_first": "ncdhw"}, first=("inputDepth", "inputHeight", "inputWidth", "numChannels")
):
    """A preprocessor that knows the size of a volume."""

    input_depth: Size
    channels_first: bool = True
    """Volumes are NCDHW, not NDHWC."""

    @property
    def _elements(self) -> int:
        return self.input_depth * super()._elements


class Cnn3DToFeedForwardPreProcessor(
    _Volume,
    java=_JAVA + "Cnn3DToFeedForwardPreProcessor",
    first=("inputDepth", "inputHeight", "inputWidth", "numChannels"),
    absent={"channels_first": False},
):
    """Volumes to rows: ``[minibatch, c, d, h, w]`` to ``[minibatch, c * d * h * w]``."""

    input_depth: Size = 0

    def output_type(self, input_type: InputType, path: str) -> InputType:
        if isinstance(input_type, InputTypeConvolutional3D):
            return InputType.feed_forward(prod(size or 0 for size in input_type.shape))
        raise refuse(path, f"({type(self).__name__}) needs volumes", input_type)


class FeedForwardToCnn3DPreProcessor(
    _Volume,
    java=_JAVA + "FeedForwardToCnn3DPreProcessor",
    absent={"channels_first": False, "input_depth": 0},
):
    """Rows to volumes: ``[minibatch, c * d * h * w]`` to ``[minibatch, c, d, h, w]``.

    The volumes have the format that ``channels_first`` says; DL4J takes them for NDHWC.
    """

    input_depth: Count
    input_height: Count
    input_width: Count
    num_channels: Count = 1

    def output_type(self, input_type: InputType, path: str) -> InputType:
        depth, height, width, channels = self.input_depth, self.input_height, self.input_width, self.num_channels
        volume = InputType.convolutional_3d(
            depth=depth,
            height=height,
            width=width,
            channels=channels,
            format="ncdhw" if self.channels_first else "ndhwc",
        )
        if isinstance(input_type, InputTypeConvolutional3D):
            self._expect(input_type, matches=input_type.replace(format=volume.format) == volume, path=path)
            return input_type
        if isinstance(input_type, InputTypeConvolutional):
            image = (input_type.height, input_type.width, input_type.channels)
            self._expect(input_type, matches=image == (height, width, channels), path=path)
            return volume.replace(depth=1)
        rows = input_type.size if isinstance(input_type, InputTypeFeedForward) else None
        self._expect(input_type, matches=rows == self._elements, path=path)
        return volume


class TensorFlowCnnToFeedForwardPreProcessor(
    CnnToFeedForwardPreProcessor,
    java="org.deeplearning4j.nn.modelimport.keras.preprocessors.TensorFlowCnnToFeedForwardPreProcessor",
    first=("inputHeight", "inputWidth", "numChannels"),
):
    """Images to rows with channels last, for models imported from old Keras: ``[minibatch, c, h, w]`` to ``[minibatch, h * w * c]``."""


class KerasFlattenRnnPreprocessor(InputPreProcessor, java=_KERAS + "KerasFlattenRnnPreprocessor"):
    """Sequences to rows: ``[minibatch, depth, ts_length]`` to ``[minibatch, depth * ts_length]``."""

    depth: Size
    ts_length: Size

    def output_type(self, input_type: InputType, path: str) -> InputType:
        return InputType.feed_forward(self.depth * self.ts_length)


class PermutePreprocessor(InputPreProcessor, java=_KERAS + "PermutePreprocessor"):
    """Dimensions in another order, as ``numpy.transpose``; the minibatch may be left out.

    Whatever the order, DL4J takes it that height and width, or features and time steps, change places.
    """

    permutation_indices: Sequence[Count]

    def output_type(self, input_type: InputType, path: str) -> InputType:
        if isinstance(input_type, InputTypeConvolutional):
            return InputType.convolutional(
                height=input_type.width, width=input_type.height, channels=input_type.channels
            )
        if isinstance(input_type, InputTypeRecurrent):
            if input_type.time_series_length is None:
                raise guard(path, "(PermutePreprocessor) needs sequences of known length", input_type)
            return InputType.recurrent(input_type.time_series_length, time_series_length=input_type.size)
        if isinstance(input_type, InputTypeConvolutionalFlat):
            raise refuse(path, "(PermutePreprocessor) needs vectors, sequences, images or volumes", input_type)
        return input_type


class ReshapePreprocessor(
    InputPreProcessor,
    java=_KERAS + "ReshapePreprocessor",
    keys={"data_format": "format"},
    first=("hasMiniBatchDimension", "inputShape", "targetShape"),
    absent={"has_mini_batch_dimension": False},
):
    """Arrays of ``input_shape`` to arrays of ``target_shape`` with the same number of elements."""

    input_shape: Sequence[Long]
    target_shape: Sequence[Long]
    has_mini_batch_dimension: bool
    """The shapes start with the minibatch, whose size there does not matter."""
    data_format: RNNFormat | CNN2DFormat | CNN3DFormat | None = None
    """Order of the dimensions of ``target_shape``: ``None`` for channels last in sequences and channels first in images."""

    def output_type(self, input_type: InputType, path: str) -> InputType:
        shape = self.target_shape[1:] if self.has_mini_batch_dimension else self.target_shape
        from_rows = len(self.input_shape) == 1 or isinstance(input_type, InputTypeRecurrent)
        if len(shape) == 1:
            return InputType.feed_forward(shape[0])
        if len(shape) == 2:
            length, size = shape
            return InputType.recurrent(
                size, time_series_length=length, format="ncw" if self.data_format == "ncw" else "nwc"
            )
        if len(shape) == 3:
            last = from_rows or self.data_format == "nhwc"
            height, width, channels = shape if last else (*shape[1:], shape[0])
            order: CNN2DFormat = "nhwc" if last else "nchw"
            return InputType.convolutional(height=height, width=width, channels=channels, format=order)
        if len(shape) == 4 and from_rows:
            first = self.data_format == "ncdhw"
            depth, height, width, channels = (*shape[1:], shape[0]) if first else shape
            return InputType.convolutional_3d(
                depth=depth, height=height, width=width, channels=channels, format="ncdhw" if first else "ndhwc"
            )
        must = "(ReshapePreprocessor) must be a shape of which DL4J knows what it is: 1 to 3 dimensions, 4 from rows"
        raise guard(f"{path}.target_shape", must, tuple(self.target_shape))


class ComposableInputPreProcessor(
    InputPreProcessor, java=_JAVA + "ComposableInputPreProcessor", keys={"preprocessors": "inputPreProcessors"}
):
    """Preprocessors one after another; each takes what the one before makes."""

    preprocessors: Sequence[InputPreProcessor]

    def output_type(self, input_type: InputType, path: str) -> InputType:
        for index, preprocessor in enumerate(self.preprocessors):
            input_type = preprocessor.output_type(input_type, f"{path}.preprocessors[{index}]")
        return input_type


def _image(preprocessor: InputPreProcessor, input_type: InputType, path: str) -> InputTypeConvolutional:
    if isinstance(input_type, InputTypeConvolutional):
        return input_type
    raise refuse(path, f"({type(preprocessor).__name__}) needs images", input_type)


def _sequence(preprocessor: InputPreProcessor, input_type: InputType, path: str) -> InputTypeRecurrent:
    if isinstance(input_type, InputTypeRecurrent):
        return input_type
    raise refuse(path, f"({type(preprocessor).__name__}) needs sequences", input_type)


def for_vectors(input_type: InputType) -> InputPreProcessor | None:
    """What DL4J puts before a layer that takes vectors."""
    if isinstance(input_type, InputTypeRecurrent):
        return RnnToFeedForwardPreProcessor(data_format=input_type.format or "ncw")
    if isinstance(input_type, InputTypeConvolutional):
        return CnnToFeedForwardPreProcessor(
            input_height=input_type.height,
            input_width=input_type.width,
            num_channels=input_type.channels,
            data_format=input_type.format,
        )
    if isinstance(input_type, InputTypeConvolutional3D):
        return Cnn3DToFeedForwardPreProcessor(
            input_depth=input_type.depth,
            input_height=input_type.height,
            input_width=input_type.width,
            num_channels=input_type.channels,
            channels_first=input_type.format == "ncdhw",
        )
    return None


def for_images(input_type: InputType) -> InputPreProcessor | None:
    """What DL4J puts before a layer that takes images."""
    if isinstance(input_type, InputTypeConvolutionalFlat):
        return FeedForwardToCnnPreProcessor(
            input_height=input_type.height, input_width=input_type.width, num_channels=input_type.channels
        )
    return None


def for_sequences(input_type: InputType, data_format: RNNFormat | None) -> InputPreProcessor | None:
    """What DL4J puts before a layer that takes sequences; ``data_format`` is the layer's."""
    if isinstance(input_type, InputTypeConvolutional):
        return CnnToRnnPreProcessor(
            input_height=input_type.height,
            input_width=input_type.width,
            num_channels=input_type.channels,
            data_format=data_format,
        )
    if isinstance(input_type, InputTypeFeedForward):
        of_time_steps = input_type.time_distributed_format
        known = of_time_steps if of_time_steps == "ncw" or of_time_steps == "nwc" else data_format or "ncw"  # noqa: PLR1714 - narrows
        return FeedForwardToRnnPreProcessor(data_format=known)
    if isinstance(input_type, InputTypeConvolutionalFlat):
        return FeedForwardToRnnPreProcessor(data_format=data_format or "ncw")
    return None
