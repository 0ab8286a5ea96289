"""A network of any shape, with several inputs and outputs."""

from collections.abc import Sequence
from typing import Any, ClassVar, overload

from pydl4j.conf.graph import ComputationGraphConfiguration
from pydl4j.data.arrays import Array
from pydl4j.data.examples import Data, Given, Masks
from pydl4j.nn.base import Network
from pydl4j.nn.evaluation.base import E, IEvaluation
from pydl4j.nn.evaluation.classes import Evaluation
from pydl4j.nn.verbs import by_name, classes_of


class ComputationGraph(Network[ComputationGraphConfiguration]):
    """A network of any shape, with several inputs and outputs (DL4J's ``ComputationGraph``).

    Where there are several inputs, features are a list of arrays in the order of ``conf.inputs``, or a dict by their names; where there
    are several outputs, so are labels. What comes out of several outputs is a dict of arrays by their names. Otherwise all is as in
    :class:`~pydl4j.nn.network.MultiLayerNetwork`.

    Args:
        conf: What the graph is.
        normalizer: Applied to all features of a graph with one input; fitted to the data of the first ``fit`` unless it is already. It
            is saved with the graph.

    Raises:
        ConfigError: ``conf`` is no configuration of a graph, or ``normalizer`` no normalizer, one of labels too (``fit_labels``), or
            given to a graph with several inputs.
    """

    conf_type: ClassVar = ComputationGraphConfiguration

    def __repr__(self) -> str:
        resolution, parts = self.conf.resolve(), self.conf.parts
        return (
            f"<{type(self).__name__}: {', '.join(parts.inputs)} -> {', '.join(parts.outputs)}, "
            f"{len(resolution.vertices)} vertices, {resolution.n_params:,} parameters>"
        )

    def output(self, x: Data, *, features_mask: Masks | None = None, batch_size: int = 128) -> Array | dict[str, Array]:
        """Activations of the output: [examples, n_out], or [examples, n_out, time]; of several outputs a dict by their names.

        Args:
            x: Features, as for :meth:`fit`.
            features_mask: As for :meth:`fit`.
            batch_size: Examples per forward pass.
        """
        return by_name(self._interface, self._outputs(x, features_mask, batch_size))

    def predict(
        self, x: Data, *, features_mask: Masks | None = None, batch_size: int = 128
    ) -> Array | dict[str, Array]:
        """Class indices [examples] (or [examples, time]) of each output that classifies, the activations of any other; as :meth:`output`."""
        found = self._outputs(x, features_mask, batch_size)
        return by_name(
            self._interface, [classes_of(a, border) for a, border in zip(found, self._interface.outputs, strict=True)]
        )

    @overload
    def evaluate(
        self,
        x: Data,
        y: Data,
        evaluation: None = None,
        *,
        output: str | None = None,
        features_mask: Masks | None = None,
        labels_mask: Masks | None = None,
        batch_size: int = 128,
    ) -> Evaluation: ...
    @overload
    def evaluate(
        self,
        x: Data,
        y: Data,
        evaluation: E,
        *,
        output: str | None = None,
        features_mask: Masks | None = None,
        labels_mask: Masks | None = None,
        batch_size: int = 128,
    ) -> E: ...
    @overload
    def evaluate(
        self,
        x: Data,
        y: Data,
        evaluation: Sequence[IEvaluation],
        *,
        output: str | None = None,
        features_mask: Masks | None = None,
        labels_mask: Masks | None = None,
        batch_size: int = 128,
    ) -> list[Any]: ...
    def evaluate(
        self,
        x: Data,
        y: Data,
        evaluation: IEvaluation | Sequence[IEvaluation] | None = None,
        *,
        output: str | None = None,
        features_mask: Masks | None = None,
        labels_mask: Masks | None = None,
        batch_size: int = 128,
    ) -> Any:
        """How well one output does on some data, by one of :mod:`pydl4j.evaluation` or by several in one pass.

        Args:
            x: Features, as for :meth:`fit`.
            y: Labels of that output as an array, or of several outputs as for :meth:`fit`.
            evaluation: What to look at: an evaluation, or a list of them; by default ``Evaluation()``, for outputs that classify.
            output: Its name; may be left out where there is one output.
            features_mask: As for :meth:`fit`; what it masks is not counted, unless labels have a mask of their own.
            labels_mask: The mask of that output's labels, or several as for :meth:`fit`; what it masks is not counted.
            batch_size: Examples per forward pass.

        Returns:
            What was given, with its figures: an evaluation, or a list.

        Raises:
            ConfigError: the output is no classifier's, and ``evaluation`` was left out; or it does not suit the output; there is no such
                output, or there are several and none is named.
            NaNScoreError: the output has NaN.
        """
        given = Given(x, y, features_mask, labels_mask)
        return self._evaluate(self._interface.output(output), given, evaluation, batch_size)
