"""The normalizer inside a model file."""

import io
import zipfile
from pathlib import Path

import numpy as np
import pytest

from pydl4j.data.ndarray_io import write_ndarray
from pydl4j.errors import DataError, ModelFileError
from pydl4j.normalizers import (
    NormalizerMinMaxScaler,
    NormalizerStandardize,
    read_normalizer,
    write_normalizer,
)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    parameters = io.BytesIO()
    write_ndarray(np.arange(5, dtype=np.float32)[None, :], parameters)
    path = tmp_path / "model.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("configuration.json", "{}")
        file.writestr("coefficients.bin", parameters.getvalue())
    return path


def entries(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as file:
        assert file.testzip() is None
        assert len(set(file.namelist())) == len(file.namelist())
        return {name: file.read(name) for name in file.namelist()}


def test_a_normalizer_is_added_replaced_and_read(model: Path) -> None:
    before = entries(model)
    assert read_normalizer(model) is None
    for normalizer in (NormalizerStandardize().fit([[1.0], [3.0]]), NormalizerMinMaxScaler().fit([[1.0], [3.0]])):
        write_normalizer(model, normalizer)
        found = read_normalizer(model)
        assert type(found) is type(normalizer)
        # fitted on float64, written in the type of the parameters
        assert entries(model) == before | {"normalizer.bin": normalizer.to_bytes(np.float32)}
    assert list(model.parent.iterdir()) == [model]


def test_permissions_are_kept(model: Path) -> None:
    model.chmod(0o644)
    write_normalizer(model, NormalizerStandardize().fit([[1.0]]))
    assert model.stat().st_mode & 0o777 == 0o644


def test_a_failure_leaves_the_file_as_it_was(model: Path) -> None:
    before = model.read_bytes()
    with pytest.raises(DataError, match="not fitted"):
        write_normalizer(model, NormalizerStandardize())
    assert model.read_bytes() == before
    assert list(model.parent.iterdir()) == [model]


def test_missing_and_foreign_files(model: Path, tmp_path: Path) -> None:
    with pytest.raises(ModelFileError, match=r"no model file at .*nowhere\.zip"):
        read_normalizer(tmp_path / "nowhere.zip")
    text = tmp_path / "text.zip"
    text.write_text("a model? no")
    with pytest.raises(ModelFileError, match=r"text\.zip: not a model file of DL4J \(a zip file\), or damaged"):
        read_normalizer(text)
    with zipfile.ZipFile(model, "a") as file:
        file.writestr("normalizer.bin", b"\0\x0aNORMALIZER\0\0\0\1\0")
    with pytest.raises(ModelFileError, match=r"model\.zip: normalizer\.bin: the data end too early"):
        read_normalizer(model)
