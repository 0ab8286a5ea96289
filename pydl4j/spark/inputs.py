"""What users hand over to be trained on or looked at, as datasets that executors read."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any, TypeAlias, Union, cast

from pydl4j.data import examples
from pydl4j.data.borders import Interface, OutputInterface
from pydl4j.data.examples import Given, validation_data
from pydl4j.data.tables import Table, arrays_of, is_table, masks_of
from pydl4j.errors import DataError
from pydl4j.jvm import Gateway, check_session
from pydl4j.nn.base import Network
from pydl4j.spark.columns import Named, Names, are_names, columns_of, is_frame, is_points, select, tensors
from pydl4j.spark.parquet import read_parquet
from pydl4j.spark.prepared import PreparedDataset, find_dataset
from pydl4j.spark.sources import ArraySource, FrameSource, PreparedSource, Source
from pydl4j.spark.spool import Dataset, Spool

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

Data: TypeAlias = Union[examples.Data, "DataFrame", Table, PreparedDataset, str, PathLike[str]]
"""Arrays; a DataFrame of Spark or pandas or a table of pyarrow, by columns; a prepared dataset or Parquet, by path or URI."""
Labels: TypeAlias = examples.Data | Named
"""Arrays, or names of columns; of several outputs a dict by their names."""
Validation: TypeAlias = tuple[examples.Data, examples.Data] | tuple[Any, Any, Any, Any] | Data
"""Arrays ``(x, y)`` or ``(x, y, features_mask, labels_mask)``, or other data."""
_VALIDATION = "a pair (x, y), or a DataFrame, table or prepared dataset"
Masks: TypeAlias = examples.Masks | Named
"""Arrays, or the name of a column; of several inputs or outputs a dict by their names."""
Pair: TypeAlias = tuple[Masks | None, Masks | None]


def mask_names(masks: Pair) -> tuple[Named | None, Named | None]:
    """Masks of a DataFrame, which are names of columns.

    Raises:
        DataError: they are arrays.
    """
    of_features, of_labels = masks
    if are_names(of_features) and are_names(of_labels):
        return of_features, of_labels
    raise DataError(
        "features_mask and labels_mask of a DataFrame are names of its columns, as in features_mask='...'. Received: arrays",
        path="features_mask",
    )


def given_of_table(
    net: Interface,
    table: Table,
    features: Named | None,
    labels: Named | None,
    masks: Pair = (None, None),
    *,
    output: OutputInterface | None = None,
) -> Given:
    """What is in columns of a table: arrays, or where there are several inputs or outputs dicts; ``output`` is that of the labels, if not all."""
    x, y = _of_table(net, table, features, labels, output)
    return Given(x, y, *(masks_of(table, mask) if are_names(mask) else mask for mask in masks))


def _of_table(
    net: Interface, table: Table, features: Named | None, labels: Named | None, output: OutputInterface | None
) -> tuple[Any, Any]:
    inputs, outputs = net.inputs, [output] if output is not None else list(net.outputs)
    if len(inputs) == len(outputs) == 1:
        name, of = inputs[0].name, outputs[0].name
        x_columns = columns_of(features, name, "features", several=False)
        y_columns = columns_of(labels, of, "labels", several=False)
        return arrays_of(table, x_columns, y_columns, inputs[0].row_shape)
    several = len(inputs) > 1
    x = {
        border.name: arrays_of(
            table, columns_of(features, border.name, "features", several=several), None, border.row_shape
        )[0]
        for border in inputs
    }
    if labels is None:
        return x, None
    several = len(outputs) > 1
    y = {
        border.name: arrays_of(table, columns_of(labels, border.name, "labels", several=several), None, None)[0]
        for border in outputs
    }
    return x, y


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
        labels: Labels | None,
        features: Named | None,
        prefix: str = "",
        *,
        labelled: bool = True,
        masks: Pair = (None, None),
        output: OutputInterface | None = None,
    ) -> Source:
        """The data, checked as far as that is quick.

        Args:
            data: What was handed over.
            labels: Labels as arrays, or names of columns.
            features: Names of columns.
            prefix: Stands before the arrays' names in messages.
            labelled: Whether there are to be labels.
            masks: Of features and of labels.
            output: The output whose labels these are; None for all.

        Raises:
            DataError: columns that there are not, or that are named for data without columns; labels that are missing; arrays as masks of
                columns.
        """
        found = self._found(data)
        if is_points(found):
            found, features, labels = found.toDF(), "features", "label" if labelled else None
        if isinstance(found, PreparedDataset):
            given_names = zip(Names._fields, (features, labels, *masks), strict=True)
            for name, given in given_names:
                if given is not None:
                    raise DataError(f"a prepared dataset has its {name}; leave {name} out", path=name)
            return PreparedSource(self.network, found, tensors(self.interface, labels=labelled, output=output))
        if labelled and labels is None:
            raise DataError(
                "labels are missing: give an array, or the name of a column of the DataFrame", path="labels"
            )
        if is_frame(found):
            wanted = tensors(self.interface, labels=labelled, output=output)
            names = Names(features, cast("Named | None", labels), *mask_names(masks))
            selections = select(found, self.interface, wanted, names)
            return FrameSource(self.gateway, self.network, self.spool, self.interface, found, selections)
        if is_table(found):
            given = given_of_table(self.interface, found, features, cast("Named | None", labels), masks, output=output)
            return ArraySource(self.network, self.spool, given, prefix, output)
        if features is not None:
            raise DataError("features names columns of a DataFrame; leave it out for arrays", path="features")
        return ArraySource(self.network, self.spool, Given(found, labels, *masks), prefix, output)

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
        labels: Labels | None,
        features: Named | None,
        *,
        labelled: bool = True,
        masks: Pair = (None, None),
        output: OutputInterface | None = None,
    ) -> Iterator[Dataset]:
        """The data where executors see them; arguments as for :meth:`source`."""
        source = self.source(data, labels, features, labelled=labelled, masks=masks, output=output)
        with source.dataset() as dataset:
            yield dataset

    @staticmethod
    def check_validation(validation: Validation | None, features: Named | None) -> None:
        """Refuse what cannot be validation data, before anything is converted: an array alone has no labels of its own.

        Raises:
            DataError: neither a pair of arrays, nor data with labels; a table where no columns are named.
        """
        if validation is None or isinstance(validation, str | PathLike | PreparedDataset) or is_points(validation):
            return
        if not is_frame(validation) and not is_table(validation):
            validation_data(validation, expected=_VALIDATION)
        elif features is None:
            raise DataError(
                "validation must be a pair (x, y), as the data are arrays, or a prepared dataset: no columns are named. "
                f"Received: a {type(validation).__name__}",
                path="validation",
            )

    @contextmanager
    def validation(
        self,
        validation: Validation | None,
        labels: Labels | None,
        features: Named | None,
        masks: Pair = (None, None),
    ) -> Iterator[Dataset | None]:
        """Data to score after each epoch: a pair of arrays, a prepared dataset, or a table with the columns of the training data."""
        if validation is None:
            yield None
            return
        if isinstance(validation, tuple | list):
            source: Source = ArraySource(self.network, self.spool, validation_data(validation), "validation ")
        else:
            x = self._found(validation)
            if isinstance(x, PreparedDataset):
                labels = features = None
            # those of the training data belong to these too where they are columns
            found = masks if not isinstance(x, PreparedDataset) and all(map(are_names, masks)) else (None, None)
            source = self.source(x, labels, features, "validation ", masks=found)
        with source.dataset() as dataset:
            yield dataset
