"""Vertices on sequences."""

from collections.abc import Sequence
from typing import ClassVar

from pydl4j.conf._kernel import refuse
from pydl4j.conf.inputs import InputType, InputTypeConvolutionalFlat, InputTypeFeedForward, InputTypeRecurrent
from pydl4j.conf.vertices.base import JAVA, GraphVertex

__all__ = ["DuplicateToTimeSeriesVertex", "LastTimeStepVertex", "ReverseTimeSeriesVertex"]


class DuplicateToTimeSeriesVertex(GraphVertex, java=JAVA + "rnn.DuplicateToTimeSeriesVertex"):
    """Repeats vectors over the time steps of an input of the network: ``[m, n]`` to ``[m, n, time]``."""

    input_name: str
    """The input of the network whose length is taken."""

    def output_type(self, inputs: Sequence[InputType], path: str) -> InputType:
        (given,) = inputs
        if isinstance(given, InputTypeFeedForward):
            return InputType.recurrent(
                given.size, time_series_length=1
            )  # DL4J's stand-in for a length it does not know
        if isinstance(given, InputTypeConvolutionalFlat):
            return InputType.recurrent(given.flattened_size, time_series_length=1)
        raise refuse(path, "(DuplicateToTimeSeriesVertex) needs vectors as input", given)


class LastTimeStepVertex(GraphVertex, java=JAVA + "rnn.LastTimeStepVertex"):
    """The last time step of sequences: ``[m, n, time]`` to ``[m, n]``."""

    needs_whole_sequences: ClassVar[bool] = True

    mask_array_input_name: str | None = None
    """The input of the network whose mask tells where each sequence ends; the last column counts if ``None``."""

    def output_type(self, inputs: Sequence[InputType], path: str) -> InputType:
        return InputType.feed_forward(_sequence(self, inputs, path).size)


class ReverseTimeSeriesVertex(GraphVertex, java=JAVA + "rnn.ReverseTimeSeriesVertex"):
    """Sequences backwards in time: ``[m, n, time]``, whose shape stays."""

    mask_array_input_name: str | None = None
    """The input of the network whose mask tells where each sequence ends; all steps count if ``None``."""

    def output_type(self, inputs: Sequence[InputType], path: str) -> InputType:
        return _sequence(self, inputs, path)


def _sequence(vertex: GraphVertex, inputs: Sequence[InputType], path: str) -> InputTypeRecurrent:
    (given,) = inputs
    if isinstance(given, InputTypeRecurrent):
        return given
    raise refuse(path, f"({type(vertex).__name__}) needs sequences as input", given)
