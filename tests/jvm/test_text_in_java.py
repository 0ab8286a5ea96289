"""Numbers and documents look as Java and DL4J's own mappers write them."""

import sys
from pathlib import Path

import jpype
import pytest

from pydl4j.conf._numbers import format_double, format_float

sys.path.insert(0, str(Path(__file__).parents[1] / "unit" / "conf"))
from java_numbers import DOUBLE, FLOAT

KINDS = [(DOUBLE, "JDouble", format_double), (FLOAT, "JFloat", format_float)]


@pytest.fixture(autouse=True)
def _running(jvm):
    """Java is there."""


def printed(java_type, numbers):
    array = jpype.JArray(getattr(jpype, java_type))(numbers)
    return str(jpype.JClass("java.util.Arrays").toString(array))[1:-1].split(", ")


@pytest.mark.parametrize("count", [100_000, pytest.param(1_000_000, marks=pytest.mark.nightly)])
@pytest.mark.parametrize(("kind", "java_type", "form"), KINDS)
def test_numbers_are_printed_as_java_prints_them(kind, java_type, form, count):
    numbers = kind.numbers(seed=count, count=count)
    expected = printed(java_type, numbers)
    differing = [row for row in zip(numbers, expected, map(form, numbers), strict=True) if row[1] != row[2]]
    assert len(expected) == count
    assert differing == []


@pytest.mark.parametrize(("kind", "java_type", "form"), KINDS)
def test_the_checked_in_sample_is_javas(kind, java_type, form):
    sample = kind.sample()
    assert kind.path.read_text() == kind.lines(sample, printed(java_type, sample))
