"""Prepared datasets: tensors in Arrow files that stay, to be trained on and looked at any number of times."""

import json
import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from pydl4j.data.borders import Shape
from pydl4j.data.files import as_uri
from pydl4j.data.normalizer import Normalizer
from pydl4j.errors import DataError, ShapeError
from pydl4j.jvm import Gateway, spark_gateway
from pydl4j.spark.columns import Tensor, decoded
from pydl4j.spark.spool import MANIFEST, Array, Dataset, read_column

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@dataclass(frozen=True)
class PreparedDataset:
    """A dataset that :func:`save_dataset` wrote, as :func:`load_dataset` finds it."""

    uri: str
    """Of its directory."""
    rows: int
    tensors: tuple[Tensor, ...] = field(repr=False)
    columns: Mapping[str, Sequence[str]] = field(repr=False)
    """The names of the columns that ``features`` and ``labels`` were made of; empty for arrays."""
    batch_size: int
    """Rows that lie together in its files."""
    size: int
    """Bytes of its files."""
    buckets: Mapping[int, int] = field(repr=False)
    """Rows by the length that their sequences are padded to, where they are in buckets; else empty."""
    normalizer: Normalizer | None = field(compare=False)
    """What its features were normalized by."""
    id: str = field(repr=False)
    _gateway: Gateway = field(repr=False, compare=False)

    def __repr__(self) -> str:
        shapes = ", ".join(f"{name} {list(shape)}" for name, shape in self.shapes.items())
        lengths = ", ".join(map(str, self.buckets))
        buckets = f", in buckets of {lengths} time steps" if lengths else ""
        by = f", normalized by {self.normalizer!r}" if self.normalizer else ""
        return (
            f"<{type(self).__name__} {self.uri}: {self.rows:,} rows of {shapes}, batch_size {self.batch_size}, "
            f"{self.size / 1e6:,.1f} MB{by}{buckets}>"
        )

    @property
    def shapes(self) -> dict[str, Shape]:
        """Dimensions of one example, by the tensors' names; of sequences in buckets those of the longest."""
        return {tensor.name: tensor.shape for tensor in self.tensors}

    @property
    def classes(self) -> int | None:
        """How many classes the labels tell apart; None where that was not said when it was saved."""
        return next((tensor.classes for tensor in self.tensors if tensor.name == "labels"), None)

    @property
    def files(self) -> Dataset:
        """As executors are told of it."""
        return Dataset(f"{self.uri}/{MANIFEST}#{self.id}", self.rows, bucketed=bool(self.buckets))

    def to_numpy(self) -> dict[str, Array]:
        """All examples by the tensors' names, as they are stored: normalized, labels encoded. They have to fit into memory."""
        if self.uri.startswith("file:"):
            return self._read(Path(self._gateway.call("spark.Spools.localPath", self.uri)))
        with tempfile.TemporaryDirectory(prefix="pydl4j-") as directory:
            self._gateway.call("spark.Spools.download", self.uri, directory)
            return self._read(Path(directory))

    def _read(self, directory: Path) -> dict[str, Array]:
        parts = json.loads((directory / MANIFEST).read_text(encoding="utf-8"))["parts"]
        files = [directory / part["file"] for part in parts]
        return {
            name: np.concatenate([_padded(piece, shape) for file in files for piece in read_column(file, name)])
            for name, shape in self.shapes.items()
        }

    def check(self, wanted: Sequence[Tensor]) -> None:
        """Refuse to be used by a network that takes other tensors.

        Raises:
            DataError, ShapeError: tensors that there are not, or of another shape, type or meaning.
        """
        found = {tensor.name: tensor for tensor in self.tensors}
        for tensor in wanted:
            if tensor.name not in found:
                raise DataError(f"{self.uri} has no {tensor.name}; save it again, with {tensor.name}", path=tensor.name)
            _check(tensor, found[tensor.name], self.uri)


def _padded(piece: Array, shape: Shape) -> Array:
    """Sequences of a bucket, as long as those of any other."""
    if piece.shape[1:] == shape:
        return piece
    return np.pad(piece, [(0, 0), *((0, (most or 0) - n) for n, most in zip(piece.shape[1:], shape, strict=True))])


def _check(wanted: Tensor, found: Tensor, uri: str) -> None:
    name = wanted.name
    if len(found.shape) != len(wanted.shape) or any(
        size not in (None, there) for size, there in zip(wanted.shape, found.shape, strict=True)
    ):
        raise ShapeError(
            f"expected {name} of shape {list(wanted.shape)} for each example, as the network takes them. "
            f"Received: {list(found.shape)} in {uri}",
            path=name,
        )
    if found.dtype != wanted.dtype:
        raise DataError(
            f"expected {name} of {wanted.dtype}, the network's data_type. Received: {found.dtype} in {uri}; "
            "save it again, with network=...",
            path=name,
        )
    if wanted.classes != found.classes and found.classes is not None and wanted.classes is not None:
        raise DataError(
            f"expected labels of {wanted.classes} classes, as the network has. Received: {found.classes} in {uri}",
            path=name,
        )
    if wanted.range is not None and not _within(found, wanted):
        raise DataError(
            f"the network takes {name} {_meaning(wanted)}, and {uri} was saved without a check of that: "
            "save it again, with network=...",
            path=name,
        )


def _within(found: Tensor, wanted: Tensor) -> bool:
    low, high = wanted.range or (-np.inf, np.inf)
    if found.classes is not None and found.classes == wanted.classes:
        return True
    if found.range is None or (wanted.indices and not found.indices):
        return False
    return low <= found.range[0] and found.range[1] <= high


def _meaning(tensor: Tensor) -> str:
    low, high = tensor.range or (-np.inf, np.inf)
    numbers = "that are whole numbers" if tensor.indices else "that are numbers"
    return f"{numbers} at least {low:g}" if high == np.inf else f"{numbers} from {low:g} to {high:g}"


def load_dataset(uri: str | PathLike[str], *, spark: "SparkSession | None" = None) -> PreparedDataset:
    """Find a dataset that :func:`save_dataset` wrote; nothing is read but its description.

    Args:
        uri: Its directory: a path on this machine, or a URI of any file system that Hadoop knows.
        spark: The session; None for the active one.

    Raises:
        DataError: there is no dataset, or one that is incomplete or of another version; the message names the file.
    """
    session = active(spark)
    return described(session, spark_gateway(session), as_uri(os.fspath(uri)))


def find_dataset(spark: "SparkSession", gateway: Gateway, path: str | PathLike[str]) -> PreparedDataset | None:
    """The dataset at a path or URI; None where there is something else, or nothing."""
    uri = as_uri(os.fspath(path))
    there = gateway.call("spark.Datasets.isDataset", spark._jsparkSession, uri)  # noqa: SLF001  # no public name
    return described(spark, gateway, uri) if there else None


def described(spark: "SparkSession", gateway: Gateway, uri: str) -> PreparedDataset:
    """The dataset in a directory.

    Raises:
        DataError: see :func:`load_dataset`.
    """
    found = json.loads(gateway.call("spark.Datasets.describe", spark._jsparkSession, uri))  # noqa: SLF001  # no public name
    return PreparedDataset(
        uri=uri.rstrip("/"),
        rows=sum(part["rows"] for part in found["parts"]),
        tensors=tuple(Tensor.from_dict(tensor) for tensor in found["tensors"]),
        columns=found["columns"],
        batch_size=found["batch_size"],
        buckets=_buckets(found["parts"]),
        size=sum(part["bytes"] for part in found["parts"]),
        normalizer=found["normalizer"] and decoded(found["normalizer"]),
        id=found["id"],
        _gateway=gateway,
    )


def _buckets(parts: Sequence[Mapping[str, int]]) -> dict[int, int]:
    lengths = sorted({part["length"] for part in parts if "length" in part})
    return {length: sum(part["rows"] for part in parts if part.get("length") == length) for length in lengths}


def active(spark: "SparkSession | None") -> "SparkSession":
    """The session that was given, else the active one.

    Raises:
        DataError: there is none.
    """
    from pyspark.sql import SparkSession

    session = spark or SparkSession.getActiveSession()
    if session is None:
        raise DataError("there is no active SparkSession; give one: spark=...", path="spark")
    return session
