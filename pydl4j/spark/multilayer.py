"""A multi-layer network trained and used on Spark."""

import json
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast, overload

import numpy as np
from numpy.typing import ArrayLike

from pydl4j.conf.network import MultiLayerConfiguration
from pydl4j.data import arrays
from pydl4j.data.interface import interface
from pydl4j.data.normalizer import fitting
from pydl4j.errors import ConfigError, DataError
from pydl4j.jvm import Gateway, JavaObject, check_session, spark_gateway, watch
from pydl4j.nn.evaluation import Evaluation
from pydl4j.nn.history import Epoch, History
from pydl4j.nn.network import MultiLayerNetwork, classes_of, follow, with_columns
from pydl4j.nn.progress import display
from pydl4j.spark.columns import Columns, frame_options, is_frame
from pydl4j.spark.masters import ParameterAveragingTrainingMaster
from pydl4j.spark.spool import Array, Dataset, Spool

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


class SparkDl4jMultiLayer:
    """A multi-layer network whose training, evaluation and predictions run on Spark's executors (DL4J's ``SparkDl4jMultiLayer``).

    Data are numpy arrays, or a DataFrame and the names of its columns. A column of features may be a number, an array of numbers or a
    vector of ``pyspark.ml``; the numbers of several columns are joined. A single column of labels holds classes, if the network is a
    classifier, or an array as wide as the output. Executors run Java only.

    Args:
        spark: A session that was made with :func:`~pydl4j.spark.configure` or given to :func:`~pydl4j.spark.attach`.
        network: What to train: a configuration, or a network, which is copied unless it lives in the session's driver already.
        master: How training is shared among workers.

    Raises:
        SparkConnectError, SparkSessionStoppedError, SparkVersionError, JarError: a session that cannot be used; the message says why.
    """

    def __init__(
        self,
        spark: "SparkSession",
        network: MultiLayerConfiguration | MultiLayerNetwork,
        master: ParameterAveragingTrainingMaster,
    ) -> None:
        if not isinstance(master, ParameterAveragingTrainingMaster):
            raise ConfigError(f"master: expected a ParameterAveragingTrainingMaster. Received: {type(master).__name__}")
        if not isinstance(network, MultiLayerConfiguration | MultiLayerNetwork):
            raise ConfigError(
                f"network: expected a MultiLayerConfiguration or a MultiLayerNetwork. Received: {type(network).__name__}"
            )
        self._gateway: Gateway = spark_gateway(spark)
        self._spark = spark
        self.master = master
        self._network = _in_driver(network, self._gateway)
        self._interface = interface(self._network.conf)
        self.training_stats: list[dict[str, float]] = []
        """Seconds of each epoch of the last fit, if the master collects them: ``broadcast``, ``workers`` (waiting for them), ``average``,
        and of ``workers`` what the slowest trained, ``fit``."""

    def __repr__(self) -> str:
        resolution = self._network.conf.resolve()
        return f"<{type(self).__name__}: {len(resolution.layers)} layers, {resolution.n_params:,} parameters, {self.master!r}>"

    @property
    def network(self) -> MultiLayerNetwork:
        """The network as trained so far. It lives in the driver's JVM, with every verb; its arrays cross through shared memory."""
        return self._network

    # -- training ------------------------------------------------------------------------------------------------------------------

    def fit(
        self,
        data: "ArrayLike | DataFrame",
        labels: "ArrayLike | Columns | None" = None,
        *,
        features: Columns | None = None,
        epochs: int = 1,
        validation: "tuple[ArrayLike, ArrayLike] | DataFrame | None" = None,
        shuffle: bool = True,
        progress: bool = True,
        callbacks: Sequence[Callable[[Epoch], object]] = (),
    ) -> History:
        """Train; a second call goes on where the first ended. Ctrl-C cancels the Spark jobs; network and session stay usable.

        Args:
            data: Features as an array (see :meth:`MultiLayerNetwork.fit`), or a DataFrame.
            labels: Labels as an array, or the name (or names) of the DataFrame's columns.
            features: The name (or names) of the DataFrame's columns.
            epochs: Passes over the data.
            validation: Arrays or a DataFrame like the training data, to score after each epoch.
            shuffle: Train on the examples in a new order in each epoch, the same that training in this process would have.
            progress: Show a bar with rate, score and time left, or a line per epoch where the output is no terminal.
            callbacks: Each is called with every :class:`~pydl4j.nn.history.Epoch` that ends; an exception in one ends the fit.

        Raises:
            DataError, ShapeError: data that cannot be trained on, or do not fit the network; the message says where.
            NaNScoreError: the score became NaN or infinite; the network is as it was before that epoch.
            CountMismatchError: workers trained another number of minibatches than they were given.
            ExecutorLostError: executors were lost more often than Spark repeats a task.
            SparkSessionStoppedError: the session was stopped.
        """
        epochs = arrays.epochs(epochs)
        if labels is None:
            raise DataError("fit needs labels: an array, or the name of a column of the DataFrame", path="labels")
        if validation is not None and not is_frame(validation):
            arrays.validation_pair(validation, expected="a pair (x, y), or a DataFrame")
        elif validation is not None and not is_frame(data):
            raise DataError(
                "validation must be a pair (x, y), as the data are arrays. Received: a DataFrame", path="validation"
            )
        to_fit = None if is_frame(data) else self._network.normalizer
        with ExitStack() as held:
            with fitting(
                to_fit, lambda: arrays.shaped(cast("ArrayLike", data), self._interface)
            ):  # for good once training starts
                training = held.enter_context(self._dataset(data, labels, features))
                held_out = held.enter_context(self._validation(validation, labels, features))
                arrays.batch_size(self.master.batch_size_per_worker, training.rows)
                job = self._gateway.call(
                    "spark.Networks.fit",
                    self._spark._jsparkSession,  # noqa: SLF001  # pyspark has no public name for it
                    self._java,
                    training.uri,
                    training.rows,
                    held_out.uri if held_out else None,
                    held_out.rows if held_out else 0,
                    self._options(epochs, shuffle=shuffle),
                )
            self.training_stats = []
            with display(progress=progress, epochs=epochs, examples=training.rows) as shown:
                return follow(self._gateway, job, shown, callbacks, self._note)[0]

    def _note(self, event: dict[str, Any]) -> None:
        if "stats" in event:
            self.training_stats.append(event["stats"])

    def _options(self, epochs: int, *, shuffle: bool) -> str:
        classes = self._interface.classes or 0
        return json.dumps({"epochs": epochs, "shuffle": shuffle, "classes": classes, "master": self.master.to_dict()})

    # -- looking -------------------------------------------------------------------------------------------------------------------

    def evaluate(
        self,
        data: "ArrayLike | DataFrame",
        labels: "ArrayLike | Columns",
        *,
        features: Columns | None = None,
        batch_size: int = 128,
        class_names: Sequence[str] | None = None,
    ) -> Evaluation:
        """Accuracy, precision, recall, F1 and the confusion matrix of a classifier; arguments as for :meth:`fit`.

        Raises:
            ConfigError: the network is no classifier.
        """
        if not self._interface.classifier:
            raise ConfigError(
                "evaluate needs a classifier: a softmax or sigmoid output with a cross-entropy loss. Use score instead"
            )
        count = arrays.class_count(self._interface)
        seen = self._look(data, labels, features, batch_size, count)
        confusion = np.array(seen["counts"], np.int64).reshape(count, count)
        return Evaluation.of(confusion, tuple(class_names) if class_names else None)

    def score(
        self,
        data: "ArrayLike | DataFrame",
        labels: "ArrayLike | Columns",
        *,
        features: Columns | None = None,
        batch_size: int = 128,
    ) -> float:
        """Mean loss per example, regularization included; lower is better. Arguments as for :meth:`fit`."""
        return float(self._look(data, labels, features, batch_size, 0)["score"])

    def _look(
        self,
        data: "ArrayLike | DataFrame",
        labels: "ArrayLike | Columns",
        features: Columns | None,
        batch_size: int,
        classes: int,
    ) -> dict[str, Any]:
        if labels is None:
            raise DataError(
                "labels are missing: give an array, or the name of a column of the DataFrame", path="labels"
            )
        batch_size = arrays.check_batch_size(batch_size)
        with self._dataset(data, labels, features) as dataset:
            return self._run("evaluate", dataset.uri, dataset.rows, batch_size, classes)

    @overload
    def output(
        self, data: "DataFrame", *, features: Columns, batch_size: int = ..., column: str = ...
    ) -> "DataFrame": ...
    @overload
    def output(self, data: ArrayLike, *, batch_size: int = ...) -> Array: ...
    def output(
        self,
        data: "ArrayLike | DataFrame",
        *,
        features: Columns | None = None,
        batch_size: int = 128,
        column: str = "output",
    ) -> "Array | DataFrame":
        """Activations of the last layer: an array for arrays; for a DataFrame the DataFrame with an array column appended.

        Args:
            data: Features as an array, or a DataFrame, whose rows are then computed where and when they are used.
            features: The name (or names) of the DataFrame's columns.
            batch_size: Examples per forward pass.
            column: Name of the appended column.
        """
        if is_frame(data):
            return self._append(data, features, column, batch_size, classes=False)
        return self._output(cast("ArrayLike", data), batch_size)

    @overload
    def predict(
        self, data: "DataFrame", *, features: Columns, batch_size: int = ..., column: str = ...
    ) -> "DataFrame": ...
    @overload
    def predict(self, data: ArrayLike, *, batch_size: int = ...) -> Array: ...
    def predict(
        self,
        data: "ArrayLike | DataFrame",
        *,
        features: Columns | None = None,
        batch_size: int = 128,
        column: str = "prediction",
    ) -> "Array | DataFrame":
        """Class indices for a classifier; what :meth:`output` gives for any other network. Arguments as for :meth:`output`."""
        if is_frame(data):
            return self._append(data, features, column, batch_size, classes=self._interface.classifier)
        return classes_of(self._output(cast("ArrayLike", data), batch_size), self._interface)

    def _output(self, x: ArrayLike, batch_size: int) -> Array:
        batch_size = arrays.check_batch_size(batch_size)
        with self._dataset(x, None, None) as dataset, self._spool() as target:
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
        if classes and self._interface.places:
            where, kind = ("time step", "recurrent") if self._interface.places == 1 else ("pixel", "one of pixels")
            raise ConfigError(
                f"predict on a DataFrame needs one class per row; this network has one for each {where} (its last layer is "
                f"{kind}). Use predict on arrays, or output, which appends the activations of all {where}s",
                path="predict",
            )
        options = frame_options(frame, self._interface, features, None, self._network.normalizer)
        jdf = self._gateway.call(
            "spark.frame.Frames.predict",
            frame._jdf,  # noqa: SLF001  # pyspark has no public name for it
            self._java,
            json.dumps(options),
            column,
            classes,
            batch_size,
        )
        return DataFrame(jdf, self._spark)

    # -- data ----------------------------------------------------------------------------------------------------------------------

    @property
    def _java(self) -> JavaObject:
        check_session(self._spark)
        return self._network._java  # noqa: SLF001  # one class in two rooms

    def _run(self, entry: str, *args: Any) -> dict[str, Any]:
        job = self._gateway.call(f"spark.Networks.{entry}", self._spark._jsparkSession, self._java, *args)  # noqa: SLF001
        return watch(self._gateway, job, _ignore)

    @contextmanager
    def _spool(self) -> Iterator[Spool]:
        check_session(self._spark)
        spool = Spool(self._gateway, self._spark, self.master.export_directory)
        try:
            yield spool
        finally:
            spool.close()

    @contextmanager
    def _dataset(
        self,
        data: "ArrayLike | DataFrame",
        labels: "ArrayLike | Columns | None",
        features: Columns | None,
        prefix: str = "",
    ) -> Iterator[Dataset]:
        if is_frame(data):
            with self._spool() as spool:
                yield self._written(data, cast("Columns | None", labels), features, spool)
            return
        if features is not None:
            raise DataError("features names columns of a DataFrame; leave it out for arrays", path="features")
        columns = self._columns(cast("ArrayLike", data), labels, prefix)
        with self._spool() as spool:
            yield spool.write(columns)

    def _columns(self, x: ArrayLike, y: ArrayLike | None, prefix: str) -> dict[str, Array]:
        network = self._network
        if y is None:
            return {"features": network._features(x, prefix + "x")}  # noqa: SLF001
        features, targets = network._pair(x, y, prefix + "x", prefix + "y")  # noqa: SLF001
        return {"features": features, "labels": targets}

    def _written(self, frame: "DataFrame", labels: Columns | None, features: Columns | None, spool: Spool) -> Dataset:
        options = frame_options(frame, self._interface, features, labels, self._network.normalizer)
        job = self._gateway.call("spark.frame.Frames.write", frame._jdf, spool.uri, json.dumps(options))  # noqa: SLF001
        rows = watch(self._gateway, job, _ignore)["rows"]
        if rows == 0:
            raise DataError("the DataFrame is empty: expected at least one row", path="data")
        return spool.dataset(rows)

    @contextmanager
    def _validation(
        self,
        validation: "tuple[ArrayLike, ArrayLike] | DataFrame | None",
        labels: "ArrayLike | Columns | None",
        features: Columns | None,
    ) -> Iterator[Dataset | None]:
        if validation is None:
            yield None
            return
        x, y = (validation, labels) if is_frame(validation) else cast("tuple[Any, Any]", validation)
        with self._dataset(x, y, features if is_frame(validation) else None, "validation ") as dataset:
            yield dataset


def _in_driver(network: MultiLayerConfiguration | MultiLayerNetwork, gateway: Gateway) -> MultiLayerNetwork:
    """The network in the driver's JVM; one that lives in another JVM is copied, updater's state and all."""
    if isinstance(network, MultiLayerConfiguration):
        return MultiLayerNetwork._adopt(gateway, gateway.call("nn.Networks.create", network.to_json()), network, None)  # noqa: SLF001
    if network._bridge is gateway:  # noqa: SLF001
        return network
    if network._network is None:  # noqa: SLF001  # never used: there is nothing to copy but what it was made of
        java = gateway.call("nn.Networks.create", network.conf.to_json())
    else:
        with tempfile.TemporaryDirectory(prefix="pydl4j-") as directory:
            path = Path(directory) / "network.zip"
            network._gateway.call("nn.Networks.save", network._java, str(path))  # noqa: SLF001
            java = gateway.call("nn.Networks.load", str(path))
    return MultiLayerNetwork._adopt(gateway, java, network.conf, network.normalizer)  # noqa: SLF001


def _ignore(_event: dict[str, Any]) -> None:
    return None
