"""A network of layers, one after the other."""

from collections.abc import Sequence
from typing import Any, ClassVar, Self, overload

from numpy.typing import ArrayLike

from pydl4j.conf.network import MultiLayerConfiguration
from pydl4j.conf.transfer_plan import plan
from pydl4j.conf.transferlearning import TransferLearning
from pydl4j.data.arrays import Array
from pydl4j.data.examples import Given
from pydl4j.nn.base import Network
from pydl4j.nn.evaluation.base import E, IEvaluation
from pydl4j.nn.evaluation.classes import Evaluation
from pydl4j.nn.verbs import classes_of


class MultiLayerNetwork(Network[MultiLayerConfiguration]):
    """A network of layers, one after the other (DL4J's ``MultiLayerNetwork``).

    The JVM starts on first need, in this process. Two networks of the same configuration are equal, since its ``seed`` decides on the
    first parameters, on the order of the examples and on all that is random in training.

    Args:
        conf: What the network is.
        normalizer: Applied to all features; fitted to the data of the first ``fit`` unless it is already. It is saved with the network.

    Raises:
        ConfigError: ``conf`` is no configuration, or ``normalizer`` no normalizer, or one of labels too (``fit_labels``).
    """

    conf_type: ClassVar = MultiLayerConfiguration

    def __repr__(self) -> str:
        resolution = self.conf.resolve()
        return f"<{type(self).__name__}: {len(resolution.layers)} layers, {resolution.n_params:,} parameters>"

    def transfer_learning(self, changes: TransferLearning) -> Self:
        """A new network that keeps what this one has learned, changed as ``changes`` say; DL4J's ``TransferLearning`` makes it.

        Layers that stay have their parameters. The updater starts anew, as do schedules. This network stays as it is.

        Raises:
            ConfigError: layers that there are not, nothing that stays, or sizes that do not fit.
        """
        planned = plan(changes, self.conf)
        made = self._gateway.call("nn.Transfer.learn", self._java, planned.document)
        conf = MultiLayerConfiguration.from_json(self._gateway.call("nn.Networks.configuration", made))
        return self._adopt(self._gateway, made, conf.replace(input_type=planned.input_type), self.normalizer)

    def output(self, x: ArrayLike, *, features_mask: ArrayLike | None = None, batch_size: int = 128) -> Array:
        """Activations of the last layer: [examples, n_out], or [examples, n_out, time].

        Args:
            x: Features, as for :meth:`fit`.
            features_mask: As for :meth:`fit`.
            batch_size: Examples per forward pass.
        """
        return self._outputs(x, features_mask, batch_size)[0]

    def predict(self, x: ArrayLike, *, features_mask: ArrayLike | None = None, batch_size: int = 128) -> Array:
        """Class indices [examples] (or [examples, time]) for a classifier; what :meth:`output` gives for any other network."""
        return classes_of(
            self.output(x, features_mask=features_mask, batch_size=batch_size), self._interface.outputs[0]
        )

    @overload
    def evaluate(
        self,
        x: ArrayLike,
        y: ArrayLike,
        evaluation: None = None,
        *,
        features_mask: ArrayLike | None = None,
        labels_mask: ArrayLike | None = None,
        batch_size: int = 128,
    ) -> Evaluation: ...
    @overload
    def evaluate(
        self,
        x: ArrayLike,
        y: ArrayLike,
        evaluation: E,
        *,
        features_mask: ArrayLike | None = None,
        labels_mask: ArrayLike | None = None,
        batch_size: int = 128,
    ) -> E: ...
    @overload
    def evaluate(
        self,
        x: ArrayLike,
        y: ArrayLike,
        evaluation: Sequence[IEvaluation],
        *,
        features_mask: ArrayLike | None = None,
        labels_mask: ArrayLike | None = None,
        batch_size: int = 128,
    ) -> list[Any]: ...
    def evaluate(
        self,
        x: ArrayLike,
        y: ArrayLike,
        evaluation: IEvaluation | Sequence[IEvaluation] | None = None,
        *,
        features_mask: ArrayLike | None = None,
        labels_mask: ArrayLike | None = None,
        batch_size: int = 128,
    ) -> Any:
        """How well the network does on some data, by one of :mod:`pydl4j.evaluation` or by several in one pass.

        >>> net.evaluate(x, y).accuracy  # doctest: +SKIP
        >>> net.evaluate(x, y, [Evaluation(top_n=5), ROCMultiClass()])  # doctest: +SKIP

        Args:
            x: Features, as for :meth:`fit`.
            y: Labels, as for :meth:`fit`.
            evaluation: What to look at: an evaluation, or a list of them; by default ``Evaluation()``, for classifiers.
            features_mask: As for :meth:`fit`; what it masks is not counted, unless labels have a mask of their own.
            labels_mask: As for :meth:`fit`; what it masks is not counted.
            batch_size: Examples per forward pass.

        Returns:
            What was given, with its figures: an evaluation, or a list.

        Raises:
            ConfigError: the network is no classifier, and ``evaluation`` was left out; or it does not suit the output.
            NaNScoreError: the output has NaN.
        """
        given = Given(x, y, features_mask, labels_mask)
        return self._evaluate(self._interface.outputs[0], given, evaluation, batch_size)
