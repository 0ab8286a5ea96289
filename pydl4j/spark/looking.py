"""Evaluations, scores, activations and predictions that Spark's executors compute."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, overload

from pydl4j.data import arrays
from pydl4j.errors import ConfigError, DataError
from pydl4j.jvm import JavaObject, watch
from pydl4j.nn.evaluation.asked import Asked
from pydl4j.nn.evaluation.base import E, IEvaluation
from pydl4j.nn.evaluation.classes import Evaluation
from pydl4j.nn.verbs import classes_of, with_columns
from pydl4j.spark.columns import Columns, frame_options, is_frame, select, tensors
from pydl4j.spark.inputs import Data
from pydl4j.spark.model import SparkModel
from pydl4j.spark.spool import Array

if TYPE_CHECKING:
    from numpy.typing import ArrayLike
    from pyspark.sql import DataFrame


class Looking(SparkModel):
    """The verbs ``evaluate``, ``score``, ``output`` and ``predict``."""

    @overload
    def evaluate(
        self,
        data: Data,
        labels: "ArrayLike | Columns | None" = ...,
        evaluation: None = None,
        *,
        features: Columns | None = None,
        batch_size: int = 128,
    ) -> Evaluation: ...
    @overload
    def evaluate(
        self,
        data: Data,
        labels: "ArrayLike | Columns | None",
        evaluation: E,
        *,
        features: Columns | None = None,
        batch_size: int = 128,
    ) -> E: ...
    @overload
    def evaluate(
        self,
        data: Data,
        labels: "ArrayLike | Columns | None",
        evaluation: Sequence[IEvaluation],
        *,
        features: Columns | None = None,
        batch_size: int = 128,
    ) -> list[Any]: ...
    def evaluate(
        self,
        data: Data,
        labels: "ArrayLike | Columns | None" = None,
        evaluation: IEvaluation | Sequence[IEvaluation] | None = None,
        *,
        features: Columns | None = None,
        batch_size: int = 128,
    ) -> Any:
        """How well the network does on some data, by one of :mod:`pydl4j.evaluation` or by several in one pass.

        Executors count, and the counts are added up: the figures are those of :meth:`MultiLayerNetwork.evaluate`, whatever the partitions.

        >>> snet.evaluate(df, "digit", features="pixels").accuracy  # doctest: +SKIP
        >>> snet.evaluate(x, y, [Evaluation(top_n=5), ROCMultiClass(threshold_steps=100)])  # doctest: +SKIP

        Args:
            data: As for :meth:`fit`.
            labels: Labels, as for :meth:`fit`.
            evaluation: What to look at: an evaluation, or a list of them; by default ``Evaluation()``, for classifiers.
            features: The name (or names) of the DataFrame's columns.
            batch_size: Examples per forward pass.

        Returns:
            What was given, with its figures: an evaluation, or a list.

        Raises:
            ConfigError: the network is no classifier, and ``evaluation`` was left out; or it does not suit the output.
            NaNScoreError: the output has NaN.
        """
        asked = Asked.of(evaluation, self._interface.outputs[0])
        job = self._look(data, labels, features, batch_size, score=False, evaluations=asked.to_json())[0]
        counts = self._gateway.call("spark.Networks.counts", job)
        return asked.answered(self._gateway.get(self._gateway.call("evaluation.Counts.numbers", counts)))

    def score(
        self,
        data: Data,
        labels: "ArrayLike | Columns | None" = None,
        *,
        features: Columns | None = None,
        batch_size: int = 128,
    ) -> float:
        """Mean loss per example, regularization included; lower is better. Arguments as for :meth:`fit`."""
        seen = self._look(data, labels, features, batch_size, score=True, evaluations="[]")[1]
        return float(seen["score"])

    def _look(
        self,
        data: Data,
        labels: "ArrayLike | Columns | None",
        features: Columns | None,
        batch_size: int,
        *,
        score: bool,
        evaluations: str,
    ) -> tuple[JavaObject, dict[str, Any]]:
        """The job that looked at the data, and its result."""
        batch_size = arrays.check_batch_size(batch_size)
        with self._inputs.dataset(data, labels, features, labelled=True) as dataset:
            job = self._start("evaluate", dataset.uri, dataset.rows, batch_size, score, evaluations, 0)
            return job, watch(self._gateway, job)

    @overload
    def output(  # type: ignore[overload-overlap]  # what an array may be made of is not told from a DataFrame
        self, data: "DataFrame", *, features: Columns, batch_size: int = ..., column: str = ...
    ) -> "DataFrame": ...
    @overload
    def output(self, data: Data, *, features: Columns | None = ..., batch_size: int = ...) -> Array: ...
    def output(
        self,
        data: Data,
        *,
        features: Columns | None = None,
        batch_size: int = 128,
        column: str = "output",
    ) -> "Array | DataFrame":
        """Activations of the last layer: an array; for a DataFrame of Spark the DataFrame with an array column appended.

        Args:
            data: Features as :meth:`fit` takes them. The rows of a DataFrame are computed where and when they are used.
            features: The name (or names) of the DataFrame's columns.
            batch_size: Examples per forward pass.
            column: Name of the appended column.
        """
        if is_frame(data):
            return self._append(data, features, column, batch_size, classes=False)
        return self._output(data, features, batch_size)

    @overload
    def predict(  # type: ignore[overload-overlap]
        self, data: "DataFrame", *, features: Columns, batch_size: int = ..., column: str = ...
    ) -> "DataFrame": ...
    @overload
    def predict(self, data: Data, *, features: Columns | None = ..., batch_size: int = ...) -> Array: ...
    def predict(
        self,
        data: Data,
        *,
        features: Columns | None = None,
        batch_size: int = 128,
        column: str = "prediction",
    ) -> "Array | DataFrame":
        """Class indices for a classifier; what :meth:`output` gives for any other network. Arguments as for :meth:`output`."""
        if is_frame(data):
            return self._append(data, features, column, batch_size, classes=self._interface.outputs[0].classifier)
        return classes_of(self._output(data, features, batch_size), self._interface.outputs[0])

    def _output(self, data: Data, features: Columns | None, batch_size: int) -> Array:
        batch_size = arrays.check_batch_size(batch_size)
        with self._inputs.dataset(data, None, features, labelled=False) as dataset, self._inputs.spool() as target:
            self._run("output", dataset.uri, dataset.rows, batch_size, target.uri)
            # executors write float16 as float32
            return with_columns(target.read("output").astype(self._interface.dtype, copy=False))

    def _append(
        self, frame: "DataFrame", features: Columns | None, column: str, batch_size: int, *, classes: bool
    ) -> "DataFrame":
        from pyspark.sql import DataFrame

        if column in frame.columns:
            raise DataError(f"the DataFrame has a column {column!r} already; name another: column='...'", path="column")
        batch_size = arrays.check_batch_size(batch_size)
        places = self._interface.outputs[0].places
        if classes and places:
            where, kind = ("time step", "recurrent") if places == 1 else ("pixel", "one of pixels")
            raise ConfigError(
                f"predict on a DataFrame needs one class per row; this network has one for each {where} (its last layer is "
                f"{kind}). Use predict on arrays, or output, which appends the activations of all {where}s",
                path="predict",
            )
        normalizer = self._network.normalizer
        if normalizer is not None and not normalizer.is_fitted:
            raise ConfigError("a normalizer must be fitted before data are looked at: train first", path="normalizer")
        wanted = tensors(self._interface, labels=False)
        selections = [replace(found, normalizer=normalizer) for found in select(frame, wanted, features, None)]
        jdf = self._gateway.call(
            "spark.frame.Frames.predict",
            frame._jdf,  # noqa: SLF001  # pyspark has no public name for it
            self._java,
            frame_options(selections),
            column,
            classes,
            batch_size,
        )
        return DataFrame(jdf, self._spark)
