"""Embeddings: a vector for each word, looked up by its index."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

from pydl4j.conf._kernel import guard, refuse
from pydl4j.conf.activations import ActivationName, IActivation
from pydl4j.conf.initializers import WeightInitEmbedding
from pydl4j.conf.inputs import (
    InputType,
    InputTypeConvolutionalFlat,
    InputTypeFeedForward,
    InputTypeRecurrent,
    RNNFormat,
)
from pydl4j.conf.layers.base import JAVA, FeedForwardLayer, ParamShapes, Positive
from pydl4j.conf.preprocessors import InputPreProcessor

if TYPE_CHECKING:
    from pydl4j.conf.options import NetworkOptions

__all__ = ["EmbeddingLayer", "EmbeddingSequenceLayer"]


class _Embedding(FeedForwardLayer, absent={"activation": None}):
    """``n_in`` vectors of ``n_out`` numbers."""

    activation: IActivation | ActivationName | None = "identity"
    has_bias: bool = False

    def index_shapes(self) -> Sequence[tuple[int | None, ...]]:
        return ((1,), ())

    def _learn(self, learned: Mapping[str, Any], path: str) -> Self:
        size = learned.get("n_in", self.n_in)
        if self.n_in not in {None, size}:
            must = f"must be {size}, the size of the input type, which DL4J takes as the number of words (or left out)"
            raise guard(f"{path}.n_in", must, self.n_in)
        return super()._learn(learned, path)

    def param_shapes(self) -> ParamShapes:
        n_in, n_out = self.fan()
        return {"W": (n_in, n_out), "b": (n_out,)} if self.has_bias else {"W": (n_in, n_out)}

    def check_new(self, network: "NetworkOptions", path: str) -> None:
        if isinstance(self.weight_init, WeightInitEmbedding):
            must = "cannot be WeightInitEmbedding in a new network: its vectors are not in DL4J's JSON, and are needed there"
            raise guard(f"{path}.weight_init", must, self.weight_init)


class EmbeddingLayer(_Embedding, java=JAVA + "EmbeddingLayer", absent={"has_bias": True}):
    """A row of ``W`` for one word per example: indices ``[minibatch, 1]`` from 0 to ``n_in - 1``, to vectors ``[minibatch, n_out]``.

    ``n_in`` is the number of words, and so is the size of an input type: ``InputType.feed_forward(n_in)``. Documents
    without ``hasBias`` have a bias, unlike new layers.

    >>> EmbeddingLayer(n_in=10_000, n_out=64)
    EmbeddingLayer(n_in=10000, n_out=64)
    """


class EmbeddingSequenceLayer(
    _Embedding,
    java=JAVA + "EmbeddingSequenceLayer",
    keys={"data_format": "outputFormat"},
    absent={"infer_input_length": False},
):
    """Rows of ``W`` for sequences of words: indices ``[minibatch, time]`` or ``[minibatch, 1, time]``, to ``[minibatch, n_out, time]``.

    ``n_in`` is the number of words, and so is the size of an input type: ``InputType.feed_forward(n_in)`` or
    ``InputType.recurrent(n_in)``.

    >>> EmbeddingSequenceLayer(n_in=10_000, n_out=64)
    EmbeddingSequenceLayer(n_in=10000, n_out=64)
    """

    input_length: Positive = 1
    """Words of a sequence, where it is not inferred from the data."""
    infer_input_length: bool = True
    """Take the length from the data; set by input types of vectors."""
    data_format: RNNFormat = "ncw"
    """Order of the dimensions of the output."""

    def index_shapes(self) -> Sequence[tuple[int | None, ...]]:
        length = None if self.infer_input_length else self.input_length
        return ((length,), (1, length))

    def preprocessor_for(self, input_type: InputType, path: str = "") -> InputPreProcessor | None:
        return None if isinstance(input_type, InputTypeRecurrent) else super().preprocessor_for(input_type, path)

    def with_input(self, input_type: InputType, path: str = "") -> Self:
        if isinstance(input_type, InputTypeRecurrent):
            return self._learn({"n_in": input_type.size}, path)
        if isinstance(input_type, InputTypeFeedForward):
            return self._learn({"n_in": input_type.size, "infer_input_length": True}, path)
        return super().with_input(input_type, path)

    def output_type(self, input_type: InputType, path: str = "") -> InputType:
        if isinstance(input_type, InputTypeConvolutionalFlat):
            raise refuse(path, f"({type(self).__name__}) needs vectors or sequences as input", input_type)
        return InputType.recurrent(self.n_out, time_series_length=self.input_length, format=self.data_format)
