"""DL4J's binary array format, against arrays that DL4J wrote."""

import io
from pathlib import Path

import numpy as np
import pytest

from pydl4j.data.ndarray_io import element_count, read_dtype, read_ndarray, write_ndarray
from pydl4j.errors import DataError, ModelFileError

GOLDEN = Path(__file__).parents[2] / "golden" / "normalizers"
VALUES = np.array([[-2.5, -1.5, -0.5], [0.5, 1.5, 2.5]], np.float32)
WRITTEN_BY_DL4J = {
    "float": VALUES,
    "double": VALUES.astype(np.float64),
    "half": VALUES.astype(np.float16),
    "long": VALUES.astype(np.int64),
    "int": VALUES.astype(np.int32),
    "short": VALUES.astype(np.int16),
    "byte": VALUES.astype(np.int8),
    "uint8": (VALUES + 200).astype(np.uint8),
    "bool": VALUES.astype(np.bool_),
    "scalar": np.array(2.5, np.float32),
    "vector": np.array([1.5, -2, 3], np.float32),
}


def golden(name: str) -> bytes:
    return (GOLDEN / f"array_{name}.bin").read_bytes()


@pytest.mark.parametrize("name", WRITTEN_BY_DL4J)
def test_reads_and_writes_what_dl4j_wrote(name: str) -> None:
    array = read_ndarray(io.BytesIO(golden(name)))
    np.testing.assert_array_equal(array, WRITTEN_BY_DL4J[name], strict=True)
    stream = io.BytesIO()
    write_ndarray(WRITTEN_BY_DL4J[name], stream)
    assert stream.getvalue() == golden(name)
    assert read_dtype(io.BytesIO(golden(name))) == array.dtype


@pytest.mark.parametrize("name", ["bfloat16", "f_order"])
def test_reads_other_layouts(name: str) -> None:
    np.testing.assert_array_equal(read_ndarray(io.BytesIO(golden(name))), VALUES, strict=True)


@pytest.mark.parametrize("shape", [(0, 3), (2, 0)])
def test_empty_arrays_come_back(shape: tuple[int, ...]) -> None:
    stream = io.BytesIO()
    write_ndarray(np.empty(shape, np.float32), stream)
    assert read_ndarray(io.BytesIO(stream.getvalue())).shape == shape
    assert read_ndarray(io.BytesIO(golden("empty"))).size == 0


def test_strided_and_foreign_byte_order_arrays_are_written() -> None:
    stream = io.BytesIO()
    write_ndarray(np.asfortranarray(VALUES).astype(">f4")[::-1], stream)
    np.testing.assert_array_equal(read_ndarray(io.BytesIO(stream.getvalue())), VALUES[::-1])


@pytest.mark.parametrize("length", [0, 1, 10, 30, 100, 120, -1])
def test_truncated_data_are_named(length: int) -> None:
    with pytest.raises(ModelFileError, match="the data end too early"):
        read_ndarray(io.BytesIO(golden("float")[:length]))


def test_foreign_data_are_named() -> None:
    with pytest.raises(ModelFileError, match="buffer mode 'DIRECT'"):
        read_ndarray(io.BytesIO(golden("float").replace(b"\0\x10MIXED_DATA_TYPES", b"\0\x06DIRECT")))
    with pytest.raises(ModelFileError, match="arrays of type UTF8 cannot be read"):
        read_ndarray(io.BytesIO(golden("float").replace(b"\0\x05FLOAT", b"\0\x04UTF8")))
    with pytest.raises(ModelFileError, match=r"6 elements for shape \[2, 3\], strides \[9, 1\]"):
        read_ndarray(io.BytesIO(golden("float").replace(b"\0\3" + bytes(7) + b"\1", b"\0\x09" + bytes(7) + b"\1")))


def test_a_dtype_without_counterpart_is_refused() -> None:
    with pytest.raises(DataError, match=r"dtype complex128 cannot be written.*expected one of float32"):
        write_ndarray(np.array([1j]), io.BytesIO())


def test_elements_are_counted_from_the_headers_alone() -> None:
    stream = io.BytesIO()
    write_ndarray(np.ones((3, 5), np.float32), stream)
    data = stream.getvalue()
    assert element_count(io.BytesIO(data), len(data)) == 15
    assert element_count(io.BytesIO(data[: -15 * 4]), len(data)) == 15
    with pytest.raises(ModelFileError, match=r"expected 60 more bytes. Received: 59"):
        element_count(io.BytesIO(data[:-1]), len(data) - 1)
