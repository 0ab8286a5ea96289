"""Datasets on their way between Python and executors: Arrow files on storage that both see, never through Py4J."""

import json
import tempfile
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
from pydl4j.jvm import Gateway

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Array = NDArray[Any]

MANIFEST = "dataset.json"
VERSION = 1
_BATCH_BYTES = 512 << 20  # a record batch is mapped as one piece, and ends at 2 GiB


@dataclass(frozen=True)
class Dataset:
    """Examples in Arrow files, as ``org.pydl4j.spark.data.ArrowDataset`` reads them."""

    uri: str
    """Of the manifest."""
    rows: int


class Spool:
    """A directory that driver and executors see, for one dataset; deleted by :meth:`close`, or with the JVM."""

    def __init__(self, gateway: Gateway, uri: str) -> None:
        self._gateway = gateway
        self.uri = uri
        self._local: str | None = gateway.call("spark.Spools.localPath", uri)

    @classmethod
    def create(cls, gateway: Gateway, spark: "SparkSession", under: str | None) -> Self:
        """A new one, in this directory; None: see ``export_directory`` of the training masters."""
        return cls(gateway, gateway.call("spark.Spools.create", spark._jsparkSession, under and as_uri(under)))  # noqa: SLF001

    def dataset(self, rows: int) -> Dataset:
        """The dataset in it, of so many rows."""
        return Dataset(f"{self.uri}/{MANIFEST}", rows)

    def write(self, columns: dict[str, Array], about: dict[str, Any] | None = None) -> Dataset:
        """Write arrays that are joined along their first axis, C order; ``about`` is what else the manifest says."""
        with self._directory() as directory:
            try:
                rows = write_files(directory, columns, about or {})
            except OSError as error:
                size = sum(array.nbytes for array in columns.values()) / 1e6
                raise SparkError(
                    f"{size:.1f} MB of examples cannot be written to {directory}: {error}. Make room there, or give the training master "
                    "an export_directory where there is room",
                    path="export_directory",
                ) from error
            if self._local is None:
                self._gateway.call("spark.Spools.upload", str(directory), self.uri)
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


def write_files(directory: Path, columns: dict[str, Array], about: dict[str, Any]) -> int:
    """Write arrays that are joined along their first axis as a dataset; the number of rows."""
    path = directory / "part-0.arrow"
    row_bytes = sum(array[:1].nbytes for array in columns.values())
    step = about.get("batch_size") or max(1, _BATCH_BYTES // max(1, row_bytes))
    rows = len(next(iter(columns.values())))
    batches = (_batch(columns, start, start + step) for start in range(0, rows, step))
    first = next(batches)
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, first.schema) as writer:
        writer.write_batch(first)
        for batch in batches:
            writer.write_batch(batch)
    part = {"file": path.name, "rows": rows} | (_seal(path) if about else {})
    manifest = {"version": VERSION, **about, "parts": [part]}
    (directory / MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")
    return rows


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
