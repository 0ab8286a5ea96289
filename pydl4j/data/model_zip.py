"""The normalizer inside a model file: ``normalizer.bin`` in the zip that DL4J's ``ModelSerializer`` writes."""

import os
import shutil
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from pydl4j.data.files import replacing
from pydl4j.data.ndarray_io import read_dtype
from pydl4j.data.normalizer import Normalizer
from pydl4j.errors import ModelFileError

__all__ = ["read_normalizer", "write_normalizer"]

_ENTRY = "normalizer.bin"
_PARAMETERS = "coefficients.bin"


def write_normalizer(path: str | os.PathLike[str], normalizer: Normalizer) -> None:
    """Put a normalizer into a model file, in place of the one it has; as ``ModelSerializer.addNormalizerToModel``.

    The statistics are written in the type of the network's parameters: Java's ``revert`` methods need that. The file is
    replaced in one step, so that it is whole at any time.

    Args:
        path: A model file written by DL4J.
        normalizer: A fitted normalizer.

    Raises:
        DataError: The normalizer was not fitted.
        ModelFileError: The file is missing or no zip file.
    """
    with model_file(path) as model, replacing(Path(path)) as target:
        data = normalizer.to_bytes(_parameter_type(model))
        _copy(model, target)
        with zipfile.ZipFile(target, "a", zipfile.ZIP_DEFLATED) as copy:
            copy.writestr(_ENTRY, data)


def read_normalizer(path: str | os.PathLike[str]) -> Normalizer | None:
    """Read the normalizer of a model file, None if it has none; as ``ModelSerializer.restoreNormalizerFromFile``.

    Raises:
        ModelFileError: The file is missing, no zip file, or its normalizer cannot be read.
    """
    with model_file(path) as model:
        if _ENTRY not in model.namelist():
            return None
        try:
            return Normalizer.from_bytes(model.read(_ENTRY))
        except ModelFileError as error:
            raise ModelFileError(f"{path}: {_ENTRY}: {error.message}") from error


def _parameter_type(model: zipfile.ZipFile) -> np.dtype[Any] | None:
    if _PARAMETERS not in model.namelist() or model.getinfo(_PARAMETERS).file_size == 0:
        return None  # a network without parameters
    with model.open(_PARAMETERS) as stream:
        dtype = read_dtype(stream)
    return np.result_type(dtype, np.float32)  # half precision statistics would lose too much


def _copy(model: zipfile.ZipFile, target: Path) -> None:
    if _ENTRY not in model.namelist():  # spares compressing the parameters again
        shutil.copyfile(str(model.filename), target)
        return
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as copy:
        for entry in model.infolist():
            if entry.filename != _ENTRY:
                with model.open(entry) as source, copy.open(entry.filename, "w", force_zip64=True) as sink:
                    shutil.copyfileobj(source, sink)


@contextmanager
def model_file(path: str | os.PathLike[str]) -> Iterator[zipfile.ZipFile]:
    """Open a model file for reading.

    Raises:
        ModelFileError: The file is missing, no zip file, or damaged.
    """
    try:
        with zipfile.ZipFile(path) as model:
            yield model
    except FileNotFoundError as error:
        raise ModelFileError(f"no model file at {path}") from error
    except (OSError, zipfile.BadZipFile, zlib.error, EOFError) as error:
        raise ModelFileError(f"{path}: not a model file of DL4J (a zip file), or damaged: {error}") from error
