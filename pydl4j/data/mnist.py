"""MNIST: 70,000 handwritten digits, 28 x 28 pixels (LeCun, Cortes and Burges)."""

import os
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from pydl4j.data.idx import read_idx
from pydl4j.errors import DataError

__all__ = ["mnist"]

# tried in this order
_MIRRORS = (
    "https://ossci-datasets.s3.amazonaws.com/mnist/",
    "https://storage.googleapis.com/cvdf-datasets/mnist/",
)
_CHECKSUMS = {
    "train-images-idx3-ubyte.gz": "md5:f68b3c2dcbeaaa9fbdd348bbdeb94873",
    "train-labels-idx1-ubyte.gz": "md5:d53e105ee54ea40749a09fcbcd1e9432",
    "t10k-images-idx3-ubyte.gz": "md5:9fb629c4189551a2d022fa330f9573f3",
    "t10k-labels-idx1-ubyte.gz": "md5:ec29112dd5afa0611ce80d1b7f02629c",
}
_PREFIXES = {"train": "train", "test": "t10k"}


def mnist(
    path: str | os.PathLike[str] | None = None, kind: Literal["train", "test"] = "train"
) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Load MNIST's 60,000 training or 10,000 test images.

    Args:
        path: Directory with the IDX files, as ``train-images-idx3-ubyte`` with or without ``.gz``. By default they are fetched
            once (11 MB), checked and kept in the user's cache directory.
        kind: ``"train"`` or ``"test"``.

    Returns:
        Pixels from 0 to 1, float32 ``[n, 784]``, and digits, int64 ``[n]``.

    Raises:
        DataError: A file is missing, truncated, foreign, or cannot be fetched.
    """
    prefix = _PREFIXES.get(kind)
    if prefix is None:
        raise DataError(f"kind: expected 'train' or 'test'. Received: {kind!r}")
    names = (f"{prefix}-images-idx3-ubyte.gz", f"{prefix}-labels-idx1-ubyte.gz")
    files = [_fetch(name) if path is None else _find(Path(path), name) for name in names]
    images, labels = (read_idx(file) for file in files)
    _check(images, labels, files)
    pixels = images.reshape(len(images), -1).astype(np.float32)
    pixels /= 255
    return pixels, labels.astype(np.int64)


def _check(images: NDArray[Any], labels: NDArray[Any], files: list[Path]) -> None:
    if images.ndim != 3:
        raise DataError(f"{files[0]}: expected images [n, height, width]. Received: shape {images.shape}")
    if labels.shape != images.shape[:1]:
        raise DataError(
            f"{files[1]}: expected a label for each of {len(images)} images. Received: shape {labels.shape}"
        )


def _find(folder: Path, name: str) -> Path:
    for candidate in (folder / name, folder / name.removesuffix(".gz")):
        if candidate.is_file():
            return candidate
    there = ", ".join(sorted(p.name for p in folder.iterdir())[:10]) if folder.is_dir() else "no such directory"
    raise DataError(f"{folder}: expected {name}, with or without .gz. Received: {there or 'an empty directory'}")


def _fetch(name: str) -> Path:
    import pooch
    from platformdirs import user_cache_path

    folder = user_cache_path("pydl4j", appauthor=False) / "mnist"
    failures = []
    for mirror in _MIRRORS:
        try:
            return Path(pooch.retrieve(mirror + name, _CHECKSUMS[name], fname=name, path=folder))
        except (OSError, ValueError) as error:  # no connection or a bad answer; another checksum
            failures.append(f"{mirror}{name}: {error}")
    reasons = "\n  ".join(failures)
    raise DataError(f"MNIST could not be fetched; put its four files into a directory and pass path=...\n  {reasons}")
