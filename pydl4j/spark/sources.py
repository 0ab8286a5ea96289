"""What users hand over, whatever it is: each kind knows how to become a dataset that executors read."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from pydl4j.data.borders import Interface, OutputInterface
from pydl4j.data.examples import Given, Names
from pydl4j.data.normalizer import Normalizer
from pydl4j.data.per_feature import PerFeatureNormalizer
from pydl4j.errors import ConfigError, DataError
from pydl4j.jvm import Gateway, JavaObject, watch
from pydl4j.nn.base import Network
from pydl4j.spark.columns import (
    Selection,
    Tensor,
    check_normalizable,
    encoded,
    frame_options,
    normalized,
    padded,
)
from pydl4j.spark.converting import Told, untold
from pydl4j.spark.prepared import PreparedDataset
from pydl4j.spark.spool import Dataset, Spool

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

Spools = Callable[[], AbstractContextManager[Spool]]
"""Makes a directory for a dataset, for as long as it is used."""


class Source(Protocol):
    """Data of one kind, for a network."""

    def learn(self, normalizer: Normalizer) -> None:
        """Fit the network's normalizer to the features."""
        ...

    def dataset(self) -> AbstractContextManager[Dataset]:
        """The data where executors see them, for as long as they are used."""
        ...


@dataclass(frozen=True)
class ArraySource:
    """Features and labels as arrays."""

    network: Network[Any]
    spools: Spools
    given: Given
    prefix: str = ""
    """Stands before the arrays' names in messages."""
    output: OutputInterface | None = None
    """The output whose labels are given; None for all."""

    @property
    def _names(self) -> Names:
        return Names(*(self.prefix + name for name in Names()))

    def learn(self, normalizer: Normalizer) -> None:
        """Fit the network's normalizer to the features."""
        self.network._border.fit(normalizer, self.given, self._names)  # noqa: SLF001  # one class in two rooms

    @contextmanager
    def dataset(self) -> Iterator[Dataset]:
        """The data where executors see them, for as long as they are used."""
        border = self.network._border  # noqa: SLF001  # one class in two rooms
        if self.given.y is None:
            found = border.features(self.given, self._names)
        elif self.output is None:
            found = border.examples(self.given, self._names)
        else:
            found = border.examples_of(self.output, self.given, self._names)
        with self.spools() as spool:
            yield spool.write(found.columns())


@dataclass(frozen=True)
class FrameSource:
    """Columns of a DataFrame."""

    gateway: Gateway
    network: Network[Any]
    spools: Spools
    net: Interface
    frame: "DataFrame"
    selections: Sequence[Selection]

    @cached_property
    def _padded(self) -> list[Selection]:
        return padded(self.frame, self.selections, self.net)

    def learn(self, normalizer: Normalizer) -> None:
        """Fit the network's normalizer to the features."""
        learn_from_frame(self.gateway, self.frame, self._padded, normalizer)

    @contextmanager
    def dataset(self) -> Iterator[Dataset]:
        """The data where executors see them, for as long as they are used."""
        normalizer = self.network.normalizer
        if normalizer is not None and not normalizer.is_fitted:
            raise ConfigError("a normalizer must be fitted before data are looked at: train first", path="normalizer")
        selections = normalized(self._padded, normalizer)
        with self.spools() as spool:
            yield spool.dataset(write_frame(self.gateway, self.frame, selections, spool.uri))


@dataclass(frozen=True)
class PreparedSource:
    """A dataset that was prepared."""

    network: Network[Any]
    prepared: PreparedDataset
    wanted: Sequence[Tensor]

    def learn(self, normalizer: Normalizer) -> None:
        """Give the network's normalizer what the dataset's has learned."""
        theirs = self.prepared.normalizer
        if theirs is not None and type(theirs) is type(normalizer):
            vars(normalizer).update(vars(theirs))

    @contextmanager
    def dataset(self) -> Iterator[Dataset]:
        """The data where they are."""
        self.prepared.check(self.wanted)
        _require_equal(self.network.normalizer, self.prepared)
        yield self.prepared.files


def _require_equal(normalizer: Normalizer | None, prepared: PreparedDataset) -> None:
    mine = normalizer if normalizer is not None and normalizer.is_fitted else None
    theirs = prepared.normalizer
    if (mine and encoded(mine)) == (theirs and encoded(theirs)):
        return
    raise DataError(
        f"the features of {prepared.uri} were saved {_by(theirs)}, but the network takes them {_by(mine)}. "
        "Give save_dataset the network's normalizer, normalizer=network.normalizer, or a new network none",
        path="normalizer",
    )


def _by(normalizer: Normalizer | None) -> str:
    return "as they were" if normalizer is None else f"normalized by {normalizer!r}"


@contextmanager
def learning(network: Network[Any], source: Source) -> Iterator[None]:
    """Give a network that is about to be trained a fitted normalizer; what is raised in the block leaves it as it was."""
    before = network.normalizer
    state = vars(before).copy() if before is not None else {}
    try:
        if before is None and isinstance(source, PreparedSource):
            network.normalizer = source.prepared.normalizer
        elif before is not None and not before.is_fitted:
            source.learn(before)
        yield
    except BaseException:
        network.normalizer = before
        if before is not None:
            vars(before).update(state)
        raise


def write_frame(
    gateway: Gateway,
    frame: "DataFrame",
    selections: Sequence[Selection],
    directory: str,
    told: Told = untold,
    **more: Any,
) -> int:
    """Write columns of a DataFrame as a dataset into a directory; the number of rows.

    Raises:
        DataError: no rows, or some that cannot be trained on.
    """
    options = frame_options(selections, **more)
    job = gateway.call("spark.frame.Frames.write", frame._jdf, directory, options)  # noqa: SLF001  # no public name
    return _rows(gateway, job, told)


def learn_from_frame(
    gateway: Gateway, frame: "DataFrame", selections: Sequence[Selection], normalizer: Normalizer, told: Told = untold
) -> None:
    """Fit a normalizer to the features of a DataFrame, in one pass on the executors: of sequences to the time steps that count.

    Raises:
        ConfigError: sequences of which a normalizer would take time steps for features.
        DataError: no rows, or some that cannot be trained on.
    """
    if not isinstance(normalizer, PerFeatureNormalizer):
        return  # there is nothing to learn
    features = selections[0]
    check_normalizable(features)
    masks = [found for found in selections if found.tensor.name == "features_mask"]
    double = replace(features, tensor=replace(features.tensor, dtype="float64"), normalizer=None)
    job = gateway.call(
        "spark.frame.Frames.collectStatistics",
        frame._jdf,  # noqa: SLF001  # no public name
        frame_options([double, *masks]),
        normalizer._type,  # noqa: SLF001  # one class in two rooms
    )
    _rows(gateway, job, told)
    first, second = gateway.get(gateway.call("spark.frame.Frames.statistics", job))
    normalizer.learned(first, second, _dtype(frame, features.columns))


def _dtype(frame: "DataFrame", columns: Sequence[str]) -> np.dtype[Any]:
    """Of a normalizer's statistics, as for arrays: float64 where a column is."""
    types = [frame.schema[column].dataType.simpleString() for column in columns]
    return np.dtype("f8" if any(kind in text for text in types for kind in ("double", "decimal", "vector")) else "f4")


def _rows(gateway: Gateway, job: JavaObject, told: Told) -> int:
    def on_event(event: dict[str, Any]) -> None:
        told(event["rows"])

    rows = int(watch(gateway, job, on_event)["rows"])
    if rows == 0:
        raise DataError("the DataFrame is empty: expected at least one row", path="data")
    return rows
