"""Preparing datasets: converting once what is trained on many times."""

import os
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from os import PathLike
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import ArrayLike

from pydl4j.conf.network import MultiLayerConfiguration
from pydl4j.data import arrays
from pydl4j.data.borders import Interface
from pydl4j.data.examples import Border, Given
from pydl4j.data.files import as_uri
from pydl4j.data.interface import interface
from pydl4j.data.normalizer import Normalizer
from pydl4j.data.tables import Table, arrays_of, is_table
from pydl4j.errors import ConfigError, DataError
from pydl4j.jvm import Gateway, spark_gateway
from pydl4j.nn.network import MultiLayerNetwork
from pydl4j.spark.columns import Columns, Names, Tensor, encoded, is_frame, normalized, padded, select, tensors
from pydl4j.spark.converting import converting
from pydl4j.spark.inferred import array_tensors, frame_tensors
from pydl4j.spark.inputs import Data
from pydl4j.spark.parquet import read_parquet
from pydl4j.spark.prepared import PreparedDataset, active, described
from pydl4j.spark.sources import learn_from_frame, write_frame
from pydl4j.spark.spool import Array, Spool

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def save_dataset(
    data: Data,
    uri: str | PathLike[str],
    labels: ArrayLike | Columns | None = None,
    *,
    features: Columns | None = None,
    network: MultiLayerConfiguration | MultiLayerNetwork | None = None,
    feature_shape: Sequence[int] | None = None,
    classes: int | None = None,
    normalizer: Normalizer | None = None,
    batch_size: int = 64,
    overwrite: bool = False,
    progress: bool = True,
    spark: "SparkSession | None" = None,
) -> PreparedDataset:
    """Convert data to what a network trains on, once: every later ``fit(uri)`` starts at once, as does everything that looks at data.

    A DataFrame is read and written by the executors, and never collected. The directory appears when it is whole: an interrupted call
    leaves none, and whoever reads the dataset that ``overwrite`` replaces is told so.

    Args:
        data: What ``fit`` takes: a DataFrame of Spark, Parquet by path or URI, a DataFrame of pandas, a table of pyarrow, or features as an array.
        uri: The directory to make: a path on this machine, or a URI of any file system that Hadoop knows.
        labels: The name (or names) of columns, or labels as an array; None for features alone.
        features: The name (or names) of columns.
        network: Whom the dataset is for: it says which shapes, classes and numbers are expected. Any network that takes the same may use it.
        feature_shape: Without ``network``: dimensions of one example, if they are not those of the data, as in ``(1, 28, 28)``.
        classes: Without ``network``: how many classes a single column of labels tells apart; None takes labels as numbers.
        normalizer: Applied to the features; fitted to them first (by the executors, in one pass) unless it is already. It is kept in the
            dataset, and goes over to a network without one that is trained on it. Default: the network's.
        batch_size: Rows that lie together in the files. A master trains minibatches of its own size, fastest of this one.
        overwrite: Replace a dataset that is there.
        progress: Show how many rows were converted.
        spark: The session; None for that of the DataFrame, or the active one.

    Raises:
        DataError: data that cannot be trained on, or a directory that is there already.
        ShapeError: data that do not fit the network.
        ConfigError: options that contradict each other.
    """
    batch_size = arrays.check_batch_size(batch_size)
    if network is not None and (feature_shape is not None or classes is not None):
        raise ConfigError("network says what feature_shape and classes are; give one or the other", path="network")
    expected = interface(network.conf if isinstance(network, MultiLayerNetwork) else network) if network else None
    if normalizer is None and isinstance(network, MultiLayerNetwork):
        normalizer = network.normalizer
    session = data.sparkSession if is_frame(data) else active(spark)
    gateway = spark_gateway(session)
    found = read_parquet(session, gateway, data) if isinstance(data, str | PathLike) else data
    target = as_uri(os.fspath(uri)).rstrip("/")
    conversion = _Conversion(gateway, expected, normalizer, feature_shape, classes, batch_size, progress)
    with _kept(normalizer), _directory(gateway, session, target, overwrite=overwrite) as directory:
        if is_frame(found):
            conversion.save_frame(found, features, cast("Columns | None", labels), directory)
        elif is_table(found):
            conversion.save_table(found, features, cast("Columns | None", labels), directory)
        elif features is None:
            conversion.save_arrays(cast("ArrayLike", found), labels, {}, directory)
        else:
            raise DataError("features names columns of a DataFrame; leave it out for arrays", path="features")
    return described(session, gateway, target)


@contextmanager
def _directory(gateway: Gateway, spark: "SparkSession", uri: str, *, overwrite: bool) -> Iterator[str]:
    """A directory to write to; what is in it becomes the dataset when the block ends well, and goes if not."""
    directory = gateway.call("spark.Datasets.begin", spark._jsparkSession, uri, overwrite)  # noqa: SLF001  # no public name
    try:
        yield directory
        gateway.call("spark.Datasets.commit", directory, uri, overwrite)
    except BaseException:
        gateway.call("spark.Spools.delete", directory)
        raise


@contextmanager
def _kept(normalizer: Normalizer | None) -> Iterator[None]:
    """What is raised in the block leaves a normalizer as it was."""
    state = vars(normalizer).copy() if normalizer is not None else {}
    try:
        yield
    except BaseException:
        if normalizer is not None:
            vars(normalizer).update(state)
        raise


@dataclass(frozen=True)
class _Conversion:
    """How data of any kind become the files of a dataset."""

    gateway: Gateway
    net: Interface | None
    normalizer: Normalizer | None
    feature_shape: Sequence[int] | None
    classes: int | None
    batch_size: int
    progress: bool

    def save_frame(self, frame: "DataFrame", features: Columns | None, labels: Columns | None, directory: str) -> None:
        if self.net is None:
            wanted = frame_tensors(frame, features, labels, self.feature_shape, self.classes)
        else:
            wanted = tensors(self.net, labels=labels is not None)
        selections = padded(frame, select(frame, self.net, wanted, Names(features, labels)), self.net)
        normalizer = self.normalizer
        if normalizer is not None and not normalizer.is_fitted:
            with converting("fitting the normalizer", progress=self.progress) as told:
                learn_from_frame(self.gateway, frame, selections, normalizer, told)
        selections = normalized(selections, normalizer)
        columns = {selection.tensor.name: selection.columns for selection in selections}
        more = {
            "about": self._about([selection.tensor for selection in selections], columns),
            "batch_size": self.batch_size,
        }
        with converting("saving the dataset", progress=self.progress) as told:
            write_frame(self.gateway, frame, selections, directory, told, **more)

    def save_table(self, table: Table, features: Columns | None, labels: Columns | None, directory: str) -> None:
        x, y = arrays_of(table, features, labels, self.net.inputs[0].row_shape if self.net else None)
        named = {"features": features, "labels": labels}
        columns = {what: [names] if isinstance(names, str) else names for what, names in named.items() if names}
        self.save_arrays(x, y, columns, directory)

    def save_arrays(
        self, x: ArrayLike, y: ArrayLike | None, columns: Mapping[str, Sequence[str]], directory: str
    ) -> None:
        made = self._inferred(x, y) if self.net is None else self._taken(self.net, x, y)
        about = self._about([tensor for tensor, _ in made], columns)
        Spool(self.gateway, directory).write({tensor.name: array for tensor, array in made}, about)

    def _inferred(self, x: ArrayLike, y: ArrayLike | None) -> list[tuple[Tensor, Array]]:
        (first, features), *labels = array_tensors(x, y, self.feature_shape, self.classes)
        made = [(first, self._normalized(features)), *labels]
        return [(tensor, np.ascontiguousarray(array, tensor.dtype)) for tensor, array in made]

    def _taken(self, net: Interface, x: ArrayLike, y: ArrayLike | None) -> list[tuple[Tensor, Array]]:
        border, given = Border(net, self.normalizer), Given(x, y)
        if self.normalizer is not None and not self.normalizer.is_fitted:
            border.fit(self.normalizer, given)
        found = (border.features(given) if y is None else border.examples(given)).columns()
        wanted = tensors(net, labels=y is not None)
        return [(replace(tensor, shape=found[tensor.name].shape[1:]), found[tensor.name]) for tensor in wanted]

    def _normalized(self, features: Array) -> Array:
        if self.normalizer is None:
            return features
        if not self.normalizer.is_fitted:
            self.normalizer.fit(features)
        return self.normalizer.transform(features)

    def _about(self, made: Sequence[Tensor], columns: Mapping[str, Sequence[str]]) -> dict[str, Any]:
        return {
            "id": uuid.uuid4().hex,
            "batch_size": self.batch_size,
            "tensors": [tensor.to_dict() for tensor in made],
            "columns": {what: list(names) for what, names in columns.items()},
            "normalizer": self.normalizer and encoded(self.normalizer),
        }
