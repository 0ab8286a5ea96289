"""From a failure in Java to an exception in Python."""

import json

import pytest

from pydl4j import errors
from pydl4j.jvm.failures import to_error


def describe(**changes) -> str:
    failure = {
        "kind": "ShapeError",
        "class": "x.Y",
        "message": "too wide",
        "path": None,
        "stack": "x.Y: too wide\n\tat ...",
        "worker_log": None,
    }
    return json.dumps({**failure, **changes})


def test_the_kind_names_the_class() -> None:
    error = to_error(describe())
    assert type(error) is errors.ShapeError
    assert str(error) == "too wide"
    assert error.java_stack.startswith("x.Y: too wide")


def test_a_path_comes_first() -> None:
    error = to_error(describe(path="layers[3].n_out"))
    assert str(error) == "layers[3].n_out: too wide"
    assert error.path == "layers[3].n_out"


def test_the_stack_is_out_of_sight_unless_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "at ..." not in str(to_error(describe()))
    monkeypatch.setenv("PYDL4J_DEBUG", "1")
    assert "at ..." in str(to_error(describe()))


def test_an_unknown_kind_is_a_jvm_error() -> None:
    assert type(to_error(describe(kind="Surprise"))) is errors.JvmError
