"""What users hand over to be trained on or looked at, as datasets that executors read."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any, TypeAlias, Union, cast

from numpy.typing import ArrayLike

from pydl4j.data.borders import Interface
from pydl4j.data.examples import Given, validation_data
from pydl4j.data.tables import Table, arrays_of, is_table
from pydl4j.errors import DataError
from pydl4j.jvm import Gateway, check_session
from pydl4j.nn.base import Network
from pydl4j.spark.columns import Columns, is_frame, select, tensors
from pydl4j.spark.parquet import read_parquet
from pydl4j.spark.prepared import PreparedDataset, find_dataset
from pydl4j.spark.sources import ArraySource, FrameSource, PreparedSource, Source
from pydl4j.spark.spool import Dataset, Spool

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

Data: TypeAlias = Union[ArrayLike, "DataFrame", Table, PreparedDataset, str, PathLike[str]]
"""Arrays; a DataFrame of Spark or pandas or a table of pyarrow, by columns; a prepared dataset or Parquet, by path or URI."""


@dataclass(frozen=True)
class Inputs:
    """Turns what users have into datasets for a network."""

    gateway: Gateway
    spark: "SparkSession"
    network: Network[Any]
    interface: Interface
    directory: str | None
    """Where to put them; None: see ``export_directory`` of the training masters."""

    @contextmanager
    def spool(self) -> Iterator[Spool]:
        """A directory for one dataset, for as long as it is used."""
        check_session(self.spark)
        spool = Spool.create(self.gateway, self.spark, self.directory)
        try:
            yield spool
        finally:
            spool.close()

    def source(
        self,
        data: Data,
        labels: ArrayLike | Columns | None,
        features: Columns | None,
        prefix: str = "",
        *,
        labelled: bool = True,
    ) -> Source:
        """The data, checked as far as that is quick; ``prefix`` stands before the arrays' names in messages.

        Raises:
            DataError: columns that there are not, or that are named for data without columns; labels that are missing.
        """
        found = self._found(data)
        if isinstance(found, PreparedDataset):
            for name, given in (("features", features), ("labels", labels)):
                if given is not None:
                    raise DataError(f"a prepared dataset has its {name}; leave {name} out", path=name)
            return PreparedSource(self.network, found, tensors(self.interface, labels=labelled))
        if labelled and labels is None:
            raise DataError(
                "labels are missing: give an array, or the name of a column of the DataFrame", path="labels"
            )
        if is_frame(found):
            wanted = tensors(self.interface, labels=labelled)
            selections = select(found, wanted, features, cast("Columns | None", labels))
            return FrameSource(self.gateway, self.network, self.spool, found, selections)
        if is_table(found):
            x, y = arrays_of(found, features, cast("Columns | None", labels), self.interface.inputs[0].row_shape)
            return ArraySource(self.network, self.spool, Given(x, y), prefix)
        if features is not None:
            raise DataError("features names columns of a DataFrame; leave it out for arrays", path="features")
        return ArraySource(self.network, self.spool, Given(found, labels), prefix)

    def _found(self, data: Data) -> Data:
        """The data itself, where it was named by a path or URI."""
        if not isinstance(data, str | PathLike):
            return data
        check_session(self.spark)
        return find_dataset(self.spark, self.gateway, data) or read_parquet(self.spark, self.gateway, data)

    @contextmanager
    def dataset(
        self,
        data: Data,
        labels: ArrayLike | Columns | None,
        features: Columns | None,
        prefix: str = "",
        *,
        labelled: bool = True,
    ) -> Iterator[Dataset]:
        """The data where executors see them; arguments as for :meth:`source`."""
        with self.source(data, labels, features, prefix, labelled=labelled).dataset() as dataset:
            yield dataset

    @contextmanager
    def validation(
        self,
        validation: tuple[ArrayLike, ArrayLike] | Data | None,
        labels: ArrayLike | Columns | None,
        features: Columns | None,
    ) -> Iterator[Dataset | None]:
        """Data to score after each epoch: a pair of arrays, a prepared dataset, or a table with the columns of the training data."""
        if validation is None:
            yield None
            return
        if isinstance(validation, tuple | list):
            source: Source = ArraySource(self.network, self.spool, validation_data(validation), "validation ")
        else:
            x = self._found(validation)
            named = (None, None) if isinstance(x, PreparedDataset) else (labels, features)
            source = self.source(x, *named, "validation ", labelled=True)
        with source.dataset() as dataset:
            yield dataset
