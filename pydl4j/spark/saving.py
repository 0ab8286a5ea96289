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

from pydl4j.data import arrays
from pydl4j.data.borders import Configuration, Interface
from pydl4j.data.examples import Border, Given, check_normalizer
from pydl4j.data.files import as_uri
from pydl4j.data.interface import interface
from pydl4j.data.normalizer import Normalizer
from pydl4j.data.tables import Table, arrays_of, is_table
from pydl4j.errors import ConfigError, DataError
from pydl4j.jvm import Gateway, spark_gateway
from pydl4j.nn.base import Network
from pydl4j.spark.buckets import Buckets, borders, checked
from pydl4j.spark.columns import (
    Columns,
    Named,
    Names,
    Tensor,
    columns_of,
    encoded,
    is_frame,
    lengths_needed,
    normalized,
    of_lengths,
    select,
    tensors,
)
from pydl4j.spark.converting import converting
from pydl4j.spark.inferred import array_tensors, frame_tensors
from pydl4j.spark.inputs import Data, Labels, Masks, Pair, given_of_table, mask_names
from pydl4j.spark.parquet import read_parquet
from pydl4j.spark.prepared import PreparedDataset, active, described
from pydl4j.spark.sequences import longest
from pydl4j.spark.sources import learn_from_frame, write_frame
from pydl4j.spark.spool import Array, Spool

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def save_dataset(
    data: Data,
    uri: str | PathLike[str],
    labels: Labels | None = None,
    *,
    features: Named | None = None,
    features_mask: Masks | None = None,
    labels_mask: Masks | None = None,
    network: Configuration | Network[Any] | None = None,
    feature_shape: Sequence[int] | None = None,
    classes: int | None = None,
    normalizer: Normalizer | None = None,
    batch_size: int = 64,
    buckets: Buckets | None = None,
    overwrite: bool = False,
    progress: bool = True,
    spark: "SparkSession | None" = None,
) -> PreparedDataset:
    """Convert data to what a network trains on, once: every later ``fit(uri)`` starts at once, as does everything that looks at data.

    A DataFrame is read and written by the executors, and never collected. The directory appears when it is whole: an interrupted call
    leaves none, and whoever reads the dataset that ``overwrite`` replaces is told so.

    Args:
        data: What ``fit`` takes: a DataFrame of Spark, Parquet by path or URI, a DataFrame of pandas, a table of pyarrow, or features as an
            array; of a graph with several inputs a list of arrays, or a dict by their names.
        uri: The directory to make: a path on this machine, or a URI of any file system that Hadoop knows.
        labels: The name (or names) of columns, or labels as an array, as for ``fit``: of several outputs a dict by their names, and for each
            time step of sequences. None for features alone.
        features: The name (or names) of columns; of several inputs a dict by their names.
        features_mask: As for ``fit``, with ``network`` only. The dataset has the masks of sequences in any case.
        labels_mask: As for ``fit``, with ``network`` only.
        network: Whom the dataset is for, a network of either kind or its configuration: it says which shapes, classes and numbers are
            expected. Any network that takes the same may use it.
        feature_shape: Without ``network``: dimensions of one example, if they are not those of the data, as in ``(1, 28, 28)``.
        classes: Without ``network``: how many classes a single column of labels tells apart; None takes labels as numbers.
        normalizer: Applied to the features; fitted to them first (by the executors, in one pass) unless it is already. It is kept in the
            dataset, and goes over to a network without one that is trained on it. Default: the network's.
        batch_size: Rows that lie together in the files. A master trains minibatches of its own size, fastest of this one.
        buckets: Of sequences in a DataFrame: how many buckets of similar lengths, about equally many in each, or the greatest length of each,
            as in ``(10, 30, 100)``; the longest sequence has one in any case. Sequences are padded to the length of their bucket only, and
            minibatches are of one bucket, but for those between two: training takes less time, on the same examples in another order.
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
    expected = None if network is None else interface(network.conf if isinstance(network, Network) else network)
    if expected is None and not (features_mask is None and labels_mask is None):
        raise ConfigError("masks are those of a network's time steps: give network, too", path="network")
    if normalizer is None and isinstance(network, Network):
        normalizer = network.normalizer
    if expected is not None:
        check_normalizer(normalizer, expected)
    asked = None if buckets is None else checked(buckets)
    session = data.sparkSession if is_frame(data) else active(spark)
    gateway = spark_gateway(session)
    found = read_parquet(session, gateway, data) if isinstance(data, str | PathLike) else data
    target = as_uri(os.fspath(uri)).rstrip("/")
    conversion = _Conversion(gateway, expected, normalizer, feature_shape, classes, batch_size, asked, progress)
    masks = (features_mask, labels_mask)
    with _kept(normalizer), _directory(gateway, session, target, overwrite=overwrite) as directory:
        if is_frame(found):
            names = Names(features, cast("Named | None", labels), *mask_names(masks))
            conversion.save_frame(found, names, directory)
        elif is_table(found):
            conversion.save_table(found, features, cast("Named | None", labels), masks, directory)
        elif features is None:
            conversion.save_arrays(Given(found, labels, *masks), {}, directory)
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
    buckets: int | list[int] | None
    progress: bool

    def save_frame(self, frame: "DataFrame", names: Names, directory: str) -> None:
        if self.net is None:
            wanted = frame_tensors(frame, *_plain(names), self.feature_shape, self.classes)
        else:
            wanted = tensors(self.net, labels=names.labels is not None)
        chosen = select(frame, self.net, wanted, names)
        lengths = longest(frame, lengths_needed(chosen))
        selections = of_lengths(chosen, self.net, lengths)
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
        if self.buckets is not None:
            shorter = (
                of_lengths(chosen, self.net, {column: min(most, length) for column, length in lengths.items()})
                for most in borders(frame, lengths, self.buckets)
            )
            more["buckets"] = [[found.to_dict() for found in normalized(one, normalizer)] for one in shorter]
        with converting("saving the dataset", progress=self.progress) as told:
            write_frame(self.gateway, frame, selections, directory, told, **more)

    def save_table(
        self, table: Table, features: Named | None, labels: Named | None, masks: Pair, directory: str
    ) -> None:
        if self.net is None:
            features, labels = _plain(Names(features, labels))
            given = Given(*arrays_of(table, features, labels, None))
            columns = {"features": features, "labels": labels}
        else:
            given = given_of_table(self.net, table, features, labels, masks)
            columns = {
                tensor.name: columns_of(
                    features if tensor.is_features else labels, tensor.of, tensor.name, several=False
                )
                for tensor in tensors(self.net, labels=labels is not None)
            }
        listed = {what: [names] if isinstance(names, str) else list(names) for what, names in columns.items() if names}
        self.save_arrays(given, listed, directory)

    def save_arrays(self, given: Given, columns: Mapping[str, Sequence[str]], directory: str) -> None:
        made = self._inferred(given.x, given.y) if self.net is None else self._taken(self.net, given)
        if self.buckets is not None:
            raise ConfigError("buckets are for sequences in a DataFrame of Spark, or in Parquet", path="buckets")
        about = self._about([tensor for tensor, _ in made], columns)
        Spool(self.gateway, directory).write({tensor.name: array for tensor, array in made}, about)

    def _inferred(self, x: ArrayLike, y: ArrayLike | None) -> list[tuple[Tensor, Array]]:
        (first, features), *labels = array_tensors(x, y, self.feature_shape, self.classes)
        made = [(first, self._normalized(features)), *labels]
        return [(tensor, np.ascontiguousarray(array, tensor.dtype)) for tensor, array in made]

    def _taken(self, net: Interface, given: Given) -> list[tuple[Tensor, Array]]:
        border = Border(net, self.normalizer)
        if self.normalizer is not None and not self.normalizer.is_fitted:
            border.fit(self.normalizer, given)
        found = (border.features(given) if given.y is None else border.examples(given)).columns()
        wanted = {tensor.name: tensor for tensor in tensors(net, labels=given.y is not None)}
        return [
            (replace(wanted.get(name) or Tensor(name, (), array.dtype.name), shape=array.shape[1:]), array)  # or a mask
            for name, array in found.items()
        ]

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


def _plain(names: Names) -> tuple[Columns | None, Columns | None]:
    """Columns of features and labels where there is no network that would have several of either.

    Raises:
        ConfigError: a dict.
    """
    if isinstance(names.features, Mapping) or isinstance(names.labels, Mapping):
        raise ConfigError("several inputs or outputs are those of a graph: give network, too", path="network")
    return names.features, names.labels
