"""Numbers print digit for digit as JDK 17 prints them; `java_numbers` are compared with Java itself by tests/jvm."""

import copy
import math
import pickle
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from java_numbers import DOUBLE, FLOAT, SAMPLE_SIZE

from pydl4j.conf._numbers import Float32, format_double, format_float

VECTORS = Path(__file__).parents[2] / "golden" / "conf" / "vectors" / "doubles.txt"


@pytest.mark.parametrize(
    ("path", "kind", "form", "count"),
    [
        (DOUBLE.path, DOUBLE, format_double, SAMPLE_SIZE),
        (FLOAT.path, FLOAT, format_float, SAMPLE_SIZE),
        (VECTORS, DOUBLE, format_double, 2914),
    ],
)
def test_numbers_are_printed_as_java_printed_them(path, kind, form, count):
    lines = [line.split() for line in path.read_text().splitlines()]
    differing = [(bits, text) for bits, text in lines if form(kind.value(int(bits, 16))) != text]
    assert len(lines) == count
    assert differing == []


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0.0"),
        (-0.0, "-0.0"),
        (math.nan, "NaN"),
        (-math.inf, "-Infinity"),
        (1e-3, "0.001"),
        (2e-3, "0.002"),
        (math.nextafter(1e-3, 0), "9.999999999999998E-4"),
        (1e7, "1.0E7"),
        (math.nextafter(1e7, 0), "9999999.999999998"),
        (-1e-8, "-1.0E-8"),
        (5e-324, "4.9E-324"),
        (2.2250738585072014e-308, "2.2250738585072014E-308"),
        (2.0**-44, "5.6843418860808015E-14"),
        (1e23, "9.999999999999999E22"),
        (2e23, "1.9999999999999998E23"),
        (2.0**63, "9.223372036854776E18"),
        (9e15 + 1, "9.000000000000001E15"),
    ],
)
def test_edges_of_the_notation(value, text):
    assert format_double(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.1, "0.1"),
        (1e-8, "1.0E-8"),
        (1.4e-45, "1.4E-45"),
        (3.4028235e38, "3.4028235E38"),
        (3.5e38, "Infinity"),
        (1e-46, "0.0"),
        (-1e-46, "-0.0"),
        (math.nan, "NaN"),
        (2.0**24, "1.6777216E7"),
        (4.0593407e25, "4.0593406E25"),
        (0.30000001192092896, "0.3"),
    ],
)
def test_floats_have_the_digits_of_single_precision(value, text):
    assert format_float(value) == text
    assert repr(Float32(value)) == str(Float32(value)) == text


def test_a_float32_is_a_float_in_single_precision():
    value = Float32(0.1)
    assert value == 0.10000000149011612
    assert isinstance(value, float)
    assert Float32(value) == value
    for twin in (copy.copy(value), pickle.loads(pickle.dumps(value))):
        assert type(twin) is Float32
        assert twin == value


@given(st.floats(allow_nan=False, allow_infinity=False))
@example(1e23)
@example(2.0**-1074)
def test_doubles_read_back(value):
    assert float(format_double(value)) == value


@given(st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_floats_read_back(value):
    assert Float32(float(format_float(value))) == value
