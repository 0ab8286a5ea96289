"""Datasets on their way between Python and executors: Arrow files on storage that both see, never through Py4J."""

import json
import tempfile
import uuid
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pydl4j.data.files import as_uri
from pydl4j.errors import SparkError
from pydl4j.jvm import Gateway, watch

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Array = NDArray[Any]

MANIFEST = "dataset.json"
VERSION = 1
_BLOCK_BYTES = 8 << 20  # as org.pydl4j.spark.data.Block has them
_BATCH_BYTES = 512 << 20  # a record batch is mapped as one piece, and ends at 2 GiB


@dataclass(frozen=True)
class Dataset:
    """Examples in Arrow files, as ``org.pydl4j.spark.data.ArrowDataset`` reads them."""

    uri: str
    """Of the manifest."""
    rows: int
    bucketed: bool = False
    """Whether sequences of similar lengths lie together, each padded to its bucket's length."""


class Spool:
    """A directory that driver and executors see, for one dataset; deleted by :meth:`close`, or with the JVM."""

    def __init__(self, gateway: Gateway, uri: str, spark: "SparkSession | None" = None) -> None:
        self._gateway = gateway
        self.uri = uri
        self._local: str | None = gateway.call("spark.Spools.localPath", uri)
        self._private_to = spark  # whose executors do not see it

    @classmethod
    def create(cls, gateway: Gateway, spark: "SparkSession", under: str | None) -> Self:
        """A new one, in this directory; None: see ``export_directory`` of the training masters."""
        place = as_uri(under) if under else None
        uri = gateway.call("spark.Spools.create", spark._jsparkSession, place)  # noqa: SLF001  # no public name
        return cls(gateway, uri, None if gateway.call("spark.Spools.isShared", uri) else spark)

    def dataset(self, rows: int) -> Dataset:
        """The dataset in it, of so many rows."""
        return Dataset(f"{self.uri}/{MANIFEST}", rows)

    def write(self, columns: dict[str, Array], about: dict[str, Any] | None = None) -> Dataset:
        """Write arrays that are joined along their first axis, C order; ``about`` is what else the manifest says."""
        with self._directory() as directory:
            try:
                rows = write_files(directory, columns, about or {}, _BLOCK_BYTES if self._private_to else None)
            except OSError as error:
                size = sum(array.nbytes for array in columns.values()) / 1e6
                raise SparkError(
                    f"{size:.1f} MB of examples cannot be written to {directory}: {error}. Make room there, or give the training master "
                    "an export_directory where there is room",
                    path="export_directory",
                ) from error
            if self._local is None:
                self._gateway.call("spark.Spools.upload", str(directory), self.uri)
        if self._private_to:
            watch(self._gateway, self._gateway.call("spark.Spools.publish", self._private_to._jsparkSession, self.uri))  # noqa: SLF001
        return self.dataset(rows)

    def read(self, column: str) -> Array:
        """A column of the dataset that executors wrote here, in the order of its rows."""
        with self._directory() as directory:
            if self._local is None:
                self._gateway.call("spark.Spools.download", self.uri, str(directory))
            manifest = json.loads((directory / MANIFEST).read_text(encoding="utf-8"))
            parts = [piece for part in manifest["parts"] for piece in read_column(directory / part["file"], column)]
            return np.concatenate(parts)

    @contextmanager
    def _directory(self) -> Iterator[Path]:
        if self._local is not None:
            yield Path(self._local)
            return
        with tempfile.TemporaryDirectory(prefix="pydl4j-") as directory:
            yield Path(directory)

    def close(self) -> None:
        """Delete the directory."""
        self._gateway.call("spark.Spools.delete", self.uri)


def write_files(directory: Path, columns: dict[str, Array], about: dict[str, Any], most: int | None = None) -> int:
    """Write arrays that are joined along their first axis as a dataset, of one file or of some of ``most`` bytes; the number of rows."""
    row_bytes = max(1, sum(array[:1].nbytes for array in columns.values()))
    step = about.get("batch_size") or max(1, (most or _BATCH_BYTES) // row_bytes)
    rows = len(next(iter(columns.values())))
    size = step if most else rows
    parts = []
    for i, start in enumerate(range(0, rows, size)):
        piece = {name: array[start : start + size] for name, array in columns.items()}
        # a driver serves files by their names
        path = directory / (f"part-{i}-{uuid.uuid4().hex}.arrow" if most else "part-0.arrow")
        _write(path, piece, step)
        parts.append({"file": path.name, "rows": min(size, rows - start)} | (_seal(path) if about else {}))
    manifest = {"version": VERSION, **about, "parts": parts}
    (directory / MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")
    return rows


def _write(path: Path, columns: dict[str, Array], step: int) -> None:
    rows = len(next(iter(columns.values())))
    batches = (_batch(columns, start, start + step) for start in range(0, rows, step))
    first = next(batches)
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, first.schema) as writer:
        writer.write_batch(first)
        for batch in batches:
            writer.write_batch(batch)


def _seal(path: Path) -> dict[str, int]:
    crc = 0
    with path.open("rb") as file:
        while piece := file.read(1 << 20):
            crc = zlib.crc32(piece, crc)
    return {"bytes": path.stat().st_size, "crc32": crc}


def _batch(columns: dict[str, Array], start: int, end: int) -> pa.RecordBatch:
    tensors = [pa.FixedShapeTensorArray.from_numpy_ndarray(array[start:end]) for array in columns.values()]
    return pa.RecordBatch.from_arrays(tensors, names=list(columns))


def read_column(path: Path, column: str) -> Iterator[Array]:
    """The record batches of a column, one after the other."""
    with pa.memory_map(str(path)) as file, pa.ipc.open_file(file) as reader:
        for i in range(reader.num_record_batches):
            yield reader.get_batch(i).column(column).to_numpy_ndarray()
