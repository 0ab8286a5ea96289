"""The examples run as a user runs them, on small settings."""

import gzip
import os
import struct
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"


def run(example: str, *arguments: str, folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, EXAMPLES / example, *arguments],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_lenet_on_digits_in_process_and_on_spark(tmp_path: Path) -> None:
    printed = run("01_lenet_digits.py", "--epochs", "4", folder=tmp_path)
    assert printed.count("epoch 4: score") == 2
    assert "confusion matrix (rows: actual, columns: predicted)" in printed
    for line in printed.splitlines():
        if line.startswith("Held-out accuracy"):
            assert float(line.split()[-1]) > 0.85
    assert printed.count("Held-out accuracy") == 2
    assert "coefficients.bin" in zipfile.ZipFile(tmp_path / "lenet.zip").namelist()
    assert (tmp_path / "learning-curve.png").read_bytes().startswith(b"\x89PNG")


@pytest.fixture
def images(tmp_path: Path) -> Path:
    """IDX files of a problem that is learned at once: the row that is bright is the class."""
    labels = np.arange(300, dtype=np.uint8) % 10
    pixels = np.random.default_rng(0).integers(0, 40, (300, 28, 28), np.uint8)
    pixels[np.arange(300), 2 * labels + 3] = 255
    folder = tmp_path / "idx"
    folder.mkdir()
    for name, array in {"images-idx3": pixels, "labels-idx1": labels}.items():
        head = struct.pack(f">HBB{array.ndim}I", 0, 8, array.ndim, *array.shape)
        (folder / f"t10k-{name}-ubyte.gz").write_bytes(gzip.compress(head + array.tobytes()))
    return folder


@pytest.mark.parametrize(("options", "epochs"), [((), 8), (("--lenet",), 3)])
def test_mnist(images: Path, tmp_path: Path, options: tuple[str, ...], epochs: int) -> None:
    arguments = ("--data", str(images), "--split", "200", "--epochs", str(epochs), *options)
    printed = run("02_mnist.py", *arguments, folder=tmp_path)
    assert f"epoch {epochs}: score" in printed
    accuracy = float(printed.partition("Evaluation(accuracy=")[2].partition(",")[0])
    assert accuracy > 0.9
    assert "coefficients.bin" in zipfile.ZipFile(tmp_path / "mnist.zip").namelist()


def test_char_rnn_writes_on(tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    text.write_text("The lamp was lit. " * 30, encoding="utf-8")
    printed = run("03_char_rnn.py", "--text", str(text), "--epochs", "2", "--characters", "10", folder=tmp_path)
    assert "5 sequences of 100 characters, 13 different ones" in printed
    written = printed.splitlines()[-1]
    assert written.startswith("The lamp ")
    assert set(printed.rpartition("The lamp ")[2].rstrip("\n")) <= set("The lamp was lit. ")


def test_early_stopping_and_transfer_learning(tmp_path: Path) -> None:
    printed = run("04_early_stopping_and_transfer_learning.py", "--epochs", "15", folder=tmp_path)
    assert "Best F1 0." in printed or "Best F1 1." in printed
    assert "0 layer0 (FrozenLayer" in printed
    transferred = float(printed.partition("transferred:")[2].split()[0])
    assert transferred > 0.6
    assert "coefficients.bin" in zipfile.ZipFile(tmp_path / "five-to-nine.zip").namelist()


@pytest.mark.parametrize("options", [(), pytest.param(("--spark",), marks=pytest.mark.nightly)])
def test_a_graph_with_two_outputs(tmp_path: Path, options: tuple[str, ...]) -> None:
    printed = run("05_two_outputs.py", "--epochs", "3", *options, folder=tmp_path)
    assert printed.count("epoch 3: score") == 1
    for output in ("digit", "odd"):
        assert float(printed.rpartition(f"\n{output}: ")[2].split()[0]) > 0.75
    assert "coefficients.bin" in zipfile.ZipFile(tmp_path / "two-outputs.zip").namelist()
