"""IDX files, the format of MNIST."""

import gzip
import math
import os
import struct
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pydl4j.errors import DataError

__all__ = ["read_idx"]

_GZIP = b"\x1f\x8b"
_TYPES = {0x08: "u1", 0x09: "i1", 0x0B: ">i2", 0x0C: ">i4", 0x0D: ">f4", 0x0E: ">f8"}


def read_idx(path: str | os.PathLike[str]) -> NDArray[Any]:
    """Read an IDX file, compressed with gzip or not.

    Returns:
        An array in native byte order with the file's type and shape: uint8 ``[n, 28, 28]`` for MNIST's images, uint8 ``[n]``
        for its labels.

    Raises:
        DataError: The file is missing, truncated, damaged or not an IDX file.
    """
    data = _contents(Path(path))
    if len(data) < 4 or data[:2] != b"\0\0" or data[2] not in _TYPES:
        received = data[:4].hex(" ") or "an empty file"
        raise DataError(
            f"{path}: not an IDX file: expected it to start with 00 00, a type and a rank. Received: {received}"
        )
    dtype, rank = np.dtype(_TYPES[data[2]]), data[3]
    start = 4 + 4 * rank
    if len(data) < start:
        raise DataError(f"{path}: truncated: expected {rank} dimensions of 4 bytes. Received: {len(data) - 4} bytes")
    shape = struct.unpack(f">{rank}I", data[4:start])
    expected = start + dtype.itemsize * math.prod(shape)
    if len(data) != expected:
        problem = "truncated" if len(data) < expected else "too long"
        raise DataError(f"{path}: {problem}: expected {expected} bytes for shape {shape}. Received: {len(data)}")
    array: NDArray[Any] = np.frombuffer(data, dtype, offset=start).reshape(shape)
    return array.astype(dtype.newbyteorder("="))


def _contents(path: Path) -> bytes:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise DataError(f"cannot read {path}: {error.strerror}") from error
    if not data.startswith(_GZIP):
        return data
    try:
        return gzip.decompress(data)
    except (EOFError, OSError, zlib.error) as error:
        raise DataError(f"{path}: truncated or damaged gzip file: {error}") from error
