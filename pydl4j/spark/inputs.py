"""What users hand over to be trained on or looked at, as datasets that executors read."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from numpy.typing import ArrayLike

from pydl4j.data.borders import Interface
from pydl4j.data.examples import Given, Names
from pydl4j.errors import DataError
from pydl4j.jvm import Gateway, check_session, watch
from pydl4j.nn.network import MultiLayerNetwork
from pydl4j.spark.columns import Columns, frame_options, is_frame
from pydl4j.spark.spool import Array, Dataset, Spool

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


@dataclass(frozen=True)
class Inputs:
    """Turns arrays and DataFrames into datasets for a network."""

    gateway: Gateway
    spark: "SparkSession"
    network: MultiLayerNetwork
    interface: Interface
    directory: str | None
    """Where to put them; None: see ``export_directory`` of the training masters."""

    @contextmanager
    def spool(self) -> Iterator[Spool]:
        """A directory for one dataset, for as long as it is used."""
        check_session(self.spark)
        spool = Spool(self.gateway, self.spark, self.directory)
        try:
            yield spool
        finally:
            spool.close()

    @contextmanager
    def dataset(
        self,
        data: "ArrayLike | DataFrame",
        labels: "ArrayLike | Columns | None",
        features: Columns | None,
        prefix: str = "",
    ) -> Iterator[Dataset]:
        """The data, where executors see them; ``prefix`` stands before the arrays' names in messages."""
        if is_frame(data):
            with self.spool() as spool:
                yield self._written(data, cast("Columns | None", labels), features, spool)
            return
        if features is not None:
            raise DataError("features names columns of a DataFrame; leave it out for arrays", path="features")
        columns = self._columns(cast("ArrayLike", data), labels, prefix)
        with self.spool() as spool:
            yield spool.write(columns)

    @contextmanager
    def validation(
        self,
        validation: "tuple[ArrayLike, ArrayLike] | DataFrame | None",
        labels: "ArrayLike | Columns | None",
        features: Columns | None,
    ) -> Iterator[Dataset | None]:
        """Data to score after each epoch: a pair of arrays, or a DataFrame with the columns of the training data."""
        if validation is None:
            yield None
            return
        x, y = (validation, labels) if is_frame(validation) else cast("tuple[Any, Any]", validation)
        with self.dataset(x, y, features if is_frame(validation) else None, "validation ") as dataset:
            yield dataset

    def _columns(self, x: ArrayLike, y: ArrayLike | None, prefix: str) -> dict[str, Array]:
        border = self.network._border  # noqa: SLF001  # one class in two rooms
        names = Names(prefix + "x", prefix + "y")
        given = Given(x, y)
        return (border.features(given, names) if y is None else border.examples(given, names)).columns()

    def _written(self, frame: "DataFrame", labels: Columns | None, features: Columns | None, spool: Spool) -> Dataset:
        options = frame_options(frame, self.interface, features, labels, self.network.normalizer)
        job = self.gateway.call("spark.frame.Frames.write", frame._jdf, spool.uri, json.dumps(options))  # noqa: SLF001
        rows = watch(self.gateway, job)["rows"]
        if rows == 0:
            raise DataError("the DataFrame is empty: expected at least one row", path="data")
        return spool.dataset(rows)
