"""Evaluations, scores, activations and predictions that Spark's executors compute."""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast, overload

from pydl4j.data import arrays
from pydl4j.data.borders import Interface, OutputInterface
from pydl4j.errors import ConfigError, DataError
from pydl4j.jvm import JavaObject, watch
from pydl4j.nn.evaluation.asked import Asked
from pydl4j.nn.evaluation.base import E, IEvaluation
from pydl4j.nn.evaluation.classes import Evaluation
from pydl4j.nn.verbs import by_name, classes_of, with_columns
from pydl4j.spark.columns import (
    Columns,
    Named,
    Names,
    Selection,
    frame_options,
    is_frame,
    normalized,
    of_batches,
    select,
    tensors,
)
from pydl4j.spark.inputs import Data, Labels, Masks, mask_names
from pydl4j.spark.model import Kind, SparkModel
from pydl4j.spark.spool import Array, Dataset

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


class Looking(SparkModel[Kind]):
    """The verbs ``evaluate``, ``score``, ``output`` and ``predict``."""

    @overload
    def evaluate(
        self,
        data: Data,
        labels: Labels | None = ...,
        evaluation: None = None,
        *,
        features: Named | None = None,
        output: str | None = None,
        features_mask: Masks | None = None,
        labels_mask: Masks | None = None,
        batch_size: int = 128,
    ) -> Evaluation: ...
    @overload
    def evaluate(
        self,
        data: Data,
        labels: Labels | None,
        evaluation: E,
        *,
        features: Named | None = None,
        output: str | None = None,
        features_mask: Masks | None = None,
        labels_mask: Masks | None = None,
        batch_size: int = 128,
    ) -> E: ...
    @overload
    def evaluate(
        self,
        data: Data,
        labels: Labels | None,
        evaluation: Sequence[IEvaluation],
        *,
        features: Named | None = None,
        output: str | None = None,
        features_mask: Masks | None = None,
        labels_mask: Masks | None = None,
        batch_size: int = 128,
    ) -> list[Any]: ...
    def evaluate(
        self,
        data: Data,
        labels: Labels | None = None,
        evaluation: IEvaluation | Sequence[IEvaluation] | None = None,
        *,
        features: Named | None = None,
        output: str | None = None,
        features_mask: Masks | None = None,
        labels_mask: Masks | None = None,
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
            output: Of a graph with several outputs, the name of the one to look at; ``labels`` are then its own, or several by name.
            features_mask: As for :meth:`fit`; what it masks is not counted, unless labels have a mask of their own.
            labels_mask: As for :meth:`fit`; what it masks is not counted.
            batch_size: Examples per forward pass.

        Returns:
            What was given, with its figures: an evaluation, or a list.

        Raises:
            ConfigError: the network is no classifier, and ``evaluation`` was left out; or it does not suit the output; there is no such
                output, or there are several and none is named.
            NaNScoreError: the output has NaN.
        """
        border = self._interface.output(output)
        asked = Asked.of(evaluation, border)
        with self._inputs.dataset(data, labels, features, masks=(features_mask, labels_mask), output=border) as dataset:
            job = self._look(dataset, batch_size, score=False, evaluations=asked.to_json(), output=border.index)[0]
        counts = self._gateway.call("spark.Networks.counts", job)
        return asked.answered(self._gateway.get(self._gateway.call("evaluation.Counts.numbers", counts)))

    def score(
        self,
        data: Data,
        labels: Labels | None = None,
        *,
        features: Named | None = None,
        features_mask: Masks | None = None,
        labels_mask: Masks | None = None,
        batch_size: int = 128,
    ) -> float:
        """Mean loss per example, regularization included; lower is better. Arguments as for :meth:`fit`."""
        with self._inputs.dataset(data, labels, features, masks=(features_mask, labels_mask)) as dataset:
            return float(self._look(dataset, batch_size, score=True, evaluations="[]")[1]["score"])

    def _look(
        self, dataset: Dataset, batch_size: int, *, score: bool, evaluations: str, output: int = 0
    ) -> tuple[JavaObject, dict[str, Any]]:
        """The job that looked at the data, and its result."""
        size = arrays.check_batch_size(batch_size)
        job = self._start("evaluate", dataset.uri, dataset.rows, size, score, evaluations, output)
        return job, watch(self._gateway, job)

    @overload
    def score_examples(
        self,
        data: "DataFrame",
        labels: Labels,
        *,
        features: Named,
        features_mask: Named | None = ...,
        labels_mask: Named | None = ...,
        add_regularization: bool = ...,
        batch_size: int = ...,
        column: str = ...,
    ) -> "DataFrame": ...
    @overload
    def score_examples(
        self,
        data: Data,
        labels: Labels | None = ...,
        *,
        features: Named | None = ...,
        features_mask: Masks | None = ...,
        labels_mask: Masks | None = ...,
        add_regularization: bool = ...,
        batch_size: int = ...,
    ) -> Any: ...
    def score_examples(
        self,
        data: Data,
        labels: Labels | None = None,
        *,
        features: Named | None = None,
        features_mask: Masks | None = None,
        labels_mask: Masks | None = None,
        add_regularization: bool = False,
        batch_size: int = 128,
        column: str = "score",
    ) -> "Array | DataFrame":
        """The loss of each example: an array [examples]; for a DataFrame of Spark the DataFrame with a column of doubles appended.

        Lower is better: what fits badly, or is labelled wrongly, stands out. Rows keep what they have beside features and labels, keys too.

        >>> snet.score_examples(df, "digit", features="pixels").orderBy("score", ascending=False)  # doctest: +SKIP

        Args:
            data: As for :meth:`fit`. The rows of a DataFrame are computed where and when they are used.
            labels: Labels, as for :meth:`fit`.
            features: The name (or names) of the DataFrame's columns.
            features_mask: As for :meth:`fit`.
            labels_mask: As for :meth:`fit`; what it masks is in no loss.
            add_regularization: Add the network's regularization to each; then their mean is :meth:`score`.
            batch_size: Examples per forward pass.
            column: Name of the appended column.
        """
        masks = (features_mask, labels_mask)
        answer = "regularized_score" if add_regularization else "score"
        if is_frame(data):
            if labels is None:
                raise DataError("labels are missing: name a column of the DataFrame", path="labels")
            appended = [{"column": column, "output": 0, "classes": False, "score": True}]
            names = Names(features, cast("Named", labels), *mask_names(masks))
            return self._append(data, self._looked_at(data, names, answer)[0], answer, appended, batch_size)
        with self._inputs.dataset(data, labels, features, masks=masks) as dataset:
            return self._answers(dataset, answer, 1, batch_size)[0].reshape(-1)

    def feed_forward_with_key(
        self,
        data: "DataFrame",
        *,
        key: Columns,
        features: Named,
        features_mask: Named | None = None,
        batch_size: int = 128,
        column: str = "output",
    ) -> "DataFrame":
        """Activations with the keys of their rows: a DataFrame of the key's columns and what :meth:`output` appends.

        >>> snet.feed_forward_with_key(df, key="id", features="pixels").write.parquet("features")  # doctest: +SKIP
        """
        keys = [key] if isinstance(key, str) else list(key)
        found = self.output(data, features=features, features_mask=features_mask, batch_size=batch_size, column=column)
        appended = [name for name in found.columns if name not in data.columns]
        return found.select(*(_quoted(name) for name in [*keys, *appended]))

    @overload
    def output(
        self,
        data: "DataFrame",
        *,
        features: Named,
        features_mask: Named | None = ...,
        batch_size: int = ...,
        column: str = ...,
    ) -> "DataFrame": ...
    @overload
    def output(
        self, data: Data, *, features: Named | None = ..., features_mask: Masks | None = ..., batch_size: int = ...
    ) -> Any: ...
    def output(
        self,
        data: Data,
        *,
        features: Named | None = None,
        features_mask: Masks | None = None,
        batch_size: int = 128,
        column: str = "output",
    ) -> "Array | dict[str, Array] | DataFrame":
        """Activations of the last layer: an array; for a DataFrame of Spark the DataFrame with an array column appended.

        Of a graph with several outputs a dict of arrays by their names; to a DataFrame a column for each is appended, ``output_<name>``.

        Args:
            data: Features as :meth:`fit` takes them. The rows of a DataFrame are computed where and when they are used. Its sequences are
                padded to the longest of each batch; outputs for each time step are arrays ``[time][n_out]`` (classes ``[time]``), as long as
                the row's sequence. Where the network has other lengths than its features, sequences are looked at once now, for the longest.
            features: The name (or names) of the DataFrame's columns.
            features_mask: As for :meth:`fit`.
            batch_size: Examples per forward pass.
            column: Name of the appended column, or what the names of several begin with.
        """
        if is_frame(data):
            return self._append_outputs(data, features, features_mask, column, batch_size, classes=False)
        return by_name(self._interface, self._outputs(data, features, features_mask, batch_size))

    @overload
    def predict(
        self,
        data: "DataFrame",
        *,
        features: Named,
        features_mask: Named | None = ...,
        batch_size: int = ...,
        column: str = ...,
    ) -> "DataFrame": ...
    @overload
    def predict(
        self, data: Data, *, features: Named | None = ..., features_mask: Masks | None = ..., batch_size: int = ...
    ) -> Any: ...
    def predict(
        self,
        data: Data,
        *,
        features: Named | None = None,
        features_mask: Masks | None = None,
        batch_size: int = 128,
        column: str = "prediction",
    ) -> "Array | dict[str, Array] | DataFrame":
        """Class indices of outputs that classify; what :meth:`output` gives for any other. Arguments as for :meth:`output`."""
        if is_frame(data):
            return self._append_outputs(data, features, features_mask, column, batch_size, classes=True)
        found = self._outputs(data, features, features_mask, batch_size)
        outputs = self._interface.outputs
        return by_name(self._interface, [classes_of(a, border) for a, border in zip(found, outputs, strict=True)])

    def _outputs(self, data: Data, features: Named | None, features_mask: Masks | None, batch_size: int) -> list[Array]:
        """Activations of each output."""
        masks = (features_mask, None)
        with self._inputs.dataset(data, None, features, labelled=False, masks=masks) as dataset:
            if dataset.bucketed and any(border.places for border in self._interface.outputs):
                raise ConfigError(
                    "outputs for each time step have no one length where sequences are in buckets: save the dataset without",
                    path="data",
                )
            found = self._answers(dataset, "output", len(self._interface.outputs), batch_size)
        return [with_columns(array) for array in found]

    def _answers(self, dataset: Dataset, answer: str, arrays_of_it: int, batch_size: int) -> list[Array]:
        """What the network answers for each example, in their order."""
        size = arrays.check_batch_size(batch_size)
        with self._inputs.spool() as target:
            self._run("output", dataset.uri, dataset.rows, size, target.uri, answer)
            found = [target.read(f"output_{i}" if i else "output") for i in range(arrays_of_it)]
        # executors write float16 as float32
        return [array.astype(self._interface.dtype, copy=False) for array in found]

    def _append_outputs(
        self,
        frame: "DataFrame",
        features: Named | None,
        features_mask: Masks | None,
        column: str,
        batch_size: int,
        *,
        classes: bool,
    ) -> "DataFrame":
        names = Names(features, features_mask=mask_names((features_mask, None))[0])
        selections, steps = self._looked_at(frame, names, "output")
        appended = [
            _appended(border, self._interface, column, classes=classes, steps=steps)
            for border in self._interface.outputs
        ]
        return self._append(frame, selections, "output", appended, batch_size)

    def _looked_at(self, frame: "DataFrame", names: Names, answer: str) -> tuple[list[Selection], bool]:
        """What is read of a DataFrame, and whether outputs have a time step for each of its sequences; ``names`` are the columns."""
        if frame.isStreaming:
            raise DataError(
                "a streaming DataFrame has no rows yet. Look at its batches as they come: "
                "df.writeStream.foreachBatch(lambda batch, number: ...), with batch as the DataFrame",
                path="data",
            )
        normalizer = self._network.normalizer
        if normalizer is not None and not normalizer.is_fitted:
            raise ConfigError("a normalizer must be fitted before data are looked at: train first", path="normalizer")
        chosen = select(frame, self._interface, tensors(self._interface, labels=answer != "output"), names)
        selections, steps = of_batches(frame, chosen, self._interface)
        places = answer == "output" and any(border.places for border in self._interface.outputs)
        if places and not steps and any(found.sequences for found in chosen):
            raise ConfigError(
                "output on a DataFrame of sequences needs one output per row, or one for each time step of the features. "
                "Use output on arrays, with features_mask",
                path="output",
            )
        return normalized(selections, normalizer), steps

    def _append(
        self,
        frame: "DataFrame",
        selections: Sequence[Selection],
        answer: str,
        appended: list[dict[str, Any]],
        batch_size: int,
    ) -> "DataFrame":
        """The DataFrame with columns of what the network answers."""
        from pyspark.sql import DataFrame

        size = arrays.check_batch_size(batch_size)
        taken = next((one["column"] for one in appended if one["column"] in frame.columns), None)
        if taken is not None:
            raise DataError(f"the DataFrame has a column {taken!r} already; name another: column='...'", path="column")
        jdf = self._gateway.call(
            "spark.frame.Frames.predict",
            frame._jdf,  # noqa: SLF001  # pyspark has no public name for it
            self._java,
            frame_options(selections),
            answer,
            json.dumps(appended),
            size,
        )
        return DataFrame(jdf, self._spark)


def _appended(border: OutputInterface, net: Interface, column: str, *, classes: bool, steps: bool) -> dict[str, Any]:
    """A column of the DataFrame that an output is appended as; with ``steps`` one of time steps has as many as the row's sequence.

    Raises:
        ConfigError: classes of time steps or pixels.
    """
    each = steps and border.places == 1
    if classes and border.classifier and border.places and not each:
        where, kind = ("time step", "recurrent") if border.places == 1 else ("pixel", "one of pixels")
        raise ConfigError(
            f"predict on a DataFrame needs one class per row; this network has one for each {where} ({_of_layer(border)} is "
            f"{kind}). Use predict on arrays, or output, which appends the activations of all {where}s",
            path="predict",
        )
    name = column if len(net.outputs) == 1 else f"{column}_{border.name}"
    return {
        "column": name,
        "output": border.index,
        "classes": classes and border.classifier,
        "score": False,
        "steps": each,
        "time_last": border.class_axis != -1,
    }


def _of_layer(border: OutputInterface) -> str:
    return "its last layer" if border.name is None else border.layer


def _quoted(column: str) -> str:
    """A column's name as Spark's ``select`` takes it, whatever is in it."""
    return "`" + column.replace("`", "``") + "`"
