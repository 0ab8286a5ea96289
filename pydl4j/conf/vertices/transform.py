"""Vertices that change one input."""

from collections.abc import Sequence
from typing import Annotated, Literal

from pydl4j.conf._codecs import AtLeast, JavaNames
from pydl4j.conf._kernel import guard, refuse
from pydl4j.conf.inputs import InputType
from pydl4j.conf.preprocessors import InputPreProcessor
from pydl4j.conf.vertices.base import JAVA, GraphVertex

__all__ = ["L2NormalizeVertex", "PoolHelperVertex", "PreprocessorVertex", "ReshapeVertex", "ScaleVertex", "ShiftVertex"]


class L2NormalizeVertex(GraphVertex, java=JAVA + "L2NormalizeVertex", absent={"eps": 0.0}):
    """Scales activations to an L2 norm of 1; the shape stays."""

    dimension: Sequence[int] | None = None
    """Dimensions over which the norm is taken; all but the minibatch if ``None``."""
    eps: Annotated[float, AtLeast(0)] = 1e-8
    """Added to the norm."""


class PoolHelperVertex(GraphVertex, java=JAVA + "PoolHelperVertex"):
    """Cuts off the first row and column of images, as imported GoogLeNet models need; the inferred shape stays."""


class PreprocessorVertex(GraphVertex, java=JAVA + "PreprocessorVertex", keys={"preprocessor": "preProcessor"}):
    """A preprocessor as a vertex of its own, for inputs of vertices that are no layers."""

    preprocessor: InputPreProcessor

    def output_type(self, inputs: Sequence[InputType], path: str) -> InputType:
        return self.preprocessor.output_type(inputs[0], f"{path}.preprocessor")


class ReshapeVertex(GraphVertex, java=JAVA + "ReshapeVertex"):
    """Gives activations another shape, of 2 (vectors), 3 (sequences) or 4 (images) dimensions, the minibatch first."""

    new_shape: Sequence[int]
    """The shape, with -1 for the minibatch: ``(-1, 3, 8, 8)``."""
    mask_shape: Sequence[int] | None = None
    """The shape of the mask, if there is one."""
    reshape_order: Annotated[Literal["c", "f"], JavaNames("c", "f")] = "c"

    def validate(self, path: str) -> None:
        sizes = self.new_shape[1:]
        if len(sizes) not in {1, 2, 3} or not all(size > 0 for size in sizes):
            must = "must have 2 to 4 dimensions, positive ones after the minibatch"
            raise guard(f"{path}.new_shape", must, tuple(self.new_shape))

    def output_type(self, inputs: Sequence[InputType], path: str) -> InputType:
        sizes = self.new_shape[1:]
        if len(sizes) == 1:
            return InputType.feed_forward(sizes[0])
        if len(sizes) == 2:
            return InputType.recurrent(sizes[0])
        if len(sizes) == 3:
            return InputType.convolutional(height=sizes[1], width=sizes[2], channels=sizes[0])
        raise refuse(f"{path}.new_shape", "must have 2 to 4 dimensions", tuple(self.new_shape))


class ScaleVertex(GraphVertex, java=JAVA + "ScaleVertex", absent={"scale_factor": 0.0}):
    """Multiplies activations by a number; the shape stays."""

    scale_factor: float


class ShiftVertex(GraphVertex, java=JAVA + "ShiftVertex", absent={"shift_factor": 0.0}):
    """Adds a number to activations; the shape stays."""

    shift_factor: float
