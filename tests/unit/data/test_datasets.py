"""Digits, MNIST, IDX files, texts."""

import gzip
import hashlib
import struct
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pydl4j.data import mnist as mnist_module
from pydl4j.datasets import Vocabulary, characters, digits, mnist, read_idx, train_test_split
from pydl4j.errors import DataError

CODES = {"u1": 0x08, "i1": 0x09, "i2": 0x0B, "i4": 0x0C, "f4": 0x0D, "f8": 0x0E}
IMAGES = np.arange(3 * 4 * 2).reshape(3, 4, 2).astype(np.uint8) * 11
LABELS = np.array([7, 0, 9], np.uint8)


def idx(array: np.ndarray[Any, Any]) -> bytes:
    head = struct.pack(f">HBB{array.ndim}I", 0, CODES[array.dtype.str[1:]], array.ndim, *array.shape)
    return head + array.astype(array.dtype.newbyteorder(">")).tobytes()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    where = tmp_path / "idx"
    where.mkdir()
    for prefix in ("train", "t10k"):
        (where / f"{prefix}-images-idx3-ubyte.gz").write_bytes(gzip.compress(idx(IMAGES)))
        (where / f"{prefix}-labels-idx1-ubyte").write_bytes(idx(LABELS))
    return where


def test_digits_are_scaled_and_whole() -> None:
    x, y = digits()
    assert (x.shape, x.dtype, y.dtype) == ((1797, 64), np.float32, np.int64)
    assert (x.min(), x.max()) == (0, 1)
    assert np.bincount(y).tolist() == [178, 182, 177, 183, 181, 182, 181, 179, 174, 180]


def test_digits_without_scikit_learn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.datasets", None)
    with pytest.raises(DataError, match=r"come with scikit-learn: pip install 'pydl4j\[data\]'"):
        digits()


def test_split_keeps_pairs_and_is_repeatable() -> None:
    x = np.arange(100)[:, None]
    parts = train_test_split(x, x.ravel() * 10, test_size=0.3, seed=5)
    x_train, x_test, y_train, y_test = parts
    assert (len(x_train), len(x_test)) == (70, 30)
    assert sorted([*x_train.ravel(), *x_test.ravel()]) == list(range(100))
    np.testing.assert_array_equal(x_train.ravel() * 10, y_train)
    np.testing.assert_array_equal(x_test.ravel() * 10, y_test)
    for one, other in zip(parts, train_test_split(x, x.ravel() * 10, test_size=0.3, seed=5), strict=True):
        np.testing.assert_array_equal(one, other)
    assert x_test.tolist() != train_test_split(x, x, test_size=0.3, seed=6)[1].tolist()


def test_split_errors() -> None:
    with pytest.raises(DataError, match=r"as many labels as examples. Received: 3 examples, 2 labels"):
        train_test_split([1, 2, 3], [1, 2])
    for share in (0, 1, 0.01):
        with pytest.raises(DataError, match=rf"leaves both parts examples. Received: {share} of 10"):
            train_test_split(range(10), range(10), test_size=share)


@pytest.mark.parametrize("dtype", CODES)
@pytest.mark.parametrize("compressed", [False, True])
def test_reads_every_idx_type(tmp_path: Path, dtype: str, compressed: bool) -> None:
    array = np.array([[1, -2, 3], [4, 5, 100]]).astype(dtype)
    file = tmp_path / "file"
    file.write_bytes(gzip.compress(idx(array)) if compressed else idx(array))
    np.testing.assert_array_equal(read_idx(file), array, strict=True)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", r"not an IDX file: .* Received: an empty file"),
        (b"PNG!....", r"not an IDX file: expected it to start with 00 00, .*Received: 50 4e 47 21"),
        (b"\0\0\x07\1\0\0\0\0", "not an IDX file"),
        (idx(IMAGES)[:9], r"truncated: expected 3 dimensions of 4 bytes. Received: 5 bytes"),
        (idx(IMAGES)[:-1], r"truncated: expected 40 bytes for shape \(3, 4, 2\). Received: 39"),
        (idx(IMAGES) + b"\0", r"too long: expected 40 bytes .*Received: 41"),
        (gzip.compress(idx(IMAGES), mtime=0)[:-9], "truncated or damaged gzip file"),
        (gzip.compress(idx(IMAGES), mtime=0)[:20] + b"garbage" * 9, "truncated or damaged gzip file"),
    ],
)
def test_unreadable_idx_files(tmp_path: Path, data: bytes, message: str) -> None:
    file = tmp_path / "file.idx"
    file.write_bytes(data)
    with pytest.raises(DataError, match=rf"file\.idx: {message}"):
        read_idx(file)


def test_missing_idx_file(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"cannot read .*nowhere: No such file"):
        read_idx(tmp_path / "nowhere")


@pytest.mark.parametrize("kind", ["train", "test"])
def test_mnist_from_a_directory(folder: Path, kind: Any) -> None:
    x, y = mnist(folder, kind)
    np.testing.assert_array_equal(x, (IMAGES.reshape(3, 8) / np.float32(255)).astype(np.float32), strict=True)
    np.testing.assert_array_equal(y, LABELS.astype(np.int64), strict=True)


def test_mnist_directory_errors(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"kind: expected 'train' or 'test'. Received: 'validation'"):
        mnist(folder, "validation")  # type: ignore[arg-type]
    with pytest.raises(
        DataError, match=r"expected train-images-idx3-ubyte.gz, with or without .gz. Received: no such dir"
    ):
        mnist(tmp_path / "nowhere")
    (folder / "train-labels-idx1-ubyte").write_bytes(idx(LABELS[:2]))
    with pytest.raises(DataError, match=r"expected a label for each of 3 images. Received: shape \(2,\)"):
        mnist(folder)
    (folder / "train-labels-idx1-ubyte").unlink()
    with pytest.raises(DataError, match=r"expected train-labels.*Received: t10k-images-idx3-ubyte.gz, t10k-labels"):
        mnist(folder)
    (folder / "train-labels-idx1-ubyte").write_bytes(idx(LABELS))
    (folder / "train-images-idx3-ubyte.gz").write_bytes(idx(LABELS))
    with pytest.raises(DataError, match=r"expected images \[n, height, width\]. Received: shape \(3,\)"):
        mnist(folder)


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def mirror(folder: Path) -> Iterator[str]:
    """A web server on this machine with the files, labels compressed too."""
    for prefix in ("train", "t10k"):
        (folder / f"{prefix}-labels-idx1-ubyte.gz").write_bytes(gzip.compress(idx(LABELS)))
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(QuietHandler, directory=str(folder))) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("platformdirs.user_cache_path", lambda *_, **__: tmp_path / "cache")
    return tmp_path / "cache" / "mnist"


def md5(file: Path) -> str:
    return f"md5:{hashlib.md5(file.read_bytes(), usedforsecurity=False).hexdigest()}"


def test_mnist_is_fetched_once_from_the_first_mirror_that_answers(
    mirror: str, folder: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mnist_module, "_MIRRORS", (mirror + "moved/", mirror))
    monkeypatch.setattr(mnist_module, "_CHECKSUMS", {file.name: md5(file) for file in folder.glob("*.gz")})
    x, y = mnist(kind="test")
    assert (x.shape, y.tolist()) == ((3, 8), [7, 0, 9])
    assert sorted(file.name for file in cache.iterdir()) == ["t10k-images-idx3-ubyte.gz", "t10k-labels-idx1-ubyte.gz"]
    monkeypatch.setattr(mnist_module, "_MIRRORS", ("http://127.0.0.1:9/",))  # nobody listens there
    assert mnist(kind="test")[1].tolist() == [7, 0, 9]


def test_a_file_with_another_checksum_is_not_used(mirror: str, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mnist_module, "_MIRRORS", (mirror,))
    with pytest.raises(DataError, match=r"MNIST could not be fetched; .*pass path=(?s:.*)127\.0\.0\.1.*MD5 hash"):
        mnist(kind="train")
    assert not cache.exists() or not list(cache.iterdir())


def test_no_network(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mnist_module, "_MIRRORS", ("http://127.0.0.1:9/", "http://127.0.0.1:9/other/"))
    with pytest.raises(DataError, match=r"could not be fetched(?s:.*)other/train-images-idx3-ubyte\.gz: .*refused"):
        mnist()
    assert not cache.exists() or not list(cache.iterdir())


def test_characters_are_followed_by_the_next() -> None:
    x, y, vocabulary = characters("hello world", 5)
    assert vocabulary.letters == " dehlorw"
    assert (x.shape, x.dtype, y.shape, y.dtype) == ((2, 8, 5), np.float32, (2, 5), np.int64)
    assert [vocabulary.decode(row) for row in x.argmax(axis=1)] == ["hello", " worl"]
    assert [vocabulary.decode(row) for row in y] == ["ello ", "world"]
    np.testing.assert_array_equal(x.sum(axis=1), 1)


def test_a_vocabulary_is_shared() -> None:
    vocabulary = Vocabulary.of("hello world")
    x, y, same = characters("low hello", 3, vocabulary)
    assert same is vocabulary
    assert (x.shape, vocabulary.decode(y.ravel())) == ((2, 8, 3), "ow hel")
    with pytest.raises(DataError, match="character 'x' is not among the 8 of the vocabulary"):
        characters("xylophone", 3, vocabulary)


def test_texts_too_short() -> None:
    with pytest.raises(DataError, match=r"text: expected at least 6 characters, one more than length. Received: 5"):
        characters("hello", 5)
    with pytest.raises(DataError, match=r"length: expected at least 1. Received: 0"):
        characters("hello", 0)
