"""The options of checkpoints. No Java."""

from pathlib import Path

import pytest

import pydl4j as dl
from pydl4j.errors import ConfigError


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"directory": 3}, r"Checkpoint.directory: expected a path or a URI. Received: 3"),
        ({"every_epochs": 0}, r"Checkpoint.every_epochs: expected an int >= 1 or None. Received: 0"),
        ({"every_epochs": True}, "Received: True"),
        ({"every_minutes": 0}, r"Checkpoint.every_minutes: expected a number > 0 or None. Received: 0"),
        ({"every_minutes": float("nan")}, "Received: nan"),
        ({"keep_last": 0}, r"Checkpoint.keep_last: expected an int >= 1. Received: 0"),
        ({"keep_last": None}, "Received: None"),
    ],
)
def test_values_that_cannot_be(options: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        dl.Checkpoint(**{"directory": "models"} | options)  # type: ignore[arg-type]


def test_a_path_is_counted_from_here_and_a_uri_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert dl.Checkpoint("a b").uri == (tmp_path / "a b").as_uri()
    assert dl.Checkpoint(tmp_path).uri == tmp_path.as_uri()
    assert dl.Checkpoint("hdfs:///models/digits/").uri == "hdfs:///models/digits"
