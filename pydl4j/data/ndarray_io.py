"""DL4J's binary array format (``Nd4j.write`` / ``Nd4j.read``), read and written with numpy.

An array is two buffers, the shape information and the elements. A buffer is a mode, a length, a type name and
big-endian elements. Shape information is ``[rank, shape..., strides..., extras, element-wise stride, order]`` as longs.
"""

import math
import struct
from operator import itemgetter
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from pydl4j.errors import DataError, ModelFileError

__all__ = ["element_count", "read_dtype", "read_ndarray", "read_utf", "take", "write_ndarray", "write_utf"]

_MODE = "MIXED_DATA_TYPES"
_MODES = (_MODE, "LONG_SHAPE")
_EMPTY = 8  # bit of the extras word
# DL4J's name -> big-endian numpy type, bit of the extras word
_TYPES: dict[str, tuple[np.dtype[Any], int]] = {
    "FLOAT": (np.dtype(">f4"), 8192),
    "DOUBLE": (np.dtype(">f8"), 16384),
    "HALF": (np.dtype(">f2"), 4096),
    "BYTE": (np.dtype("i1"), 32768),
    "SHORT": (np.dtype(">i2"), 65536),
    "INT": (np.dtype(">i4"), 131072),
    "LONG": (np.dtype(">i8"), 262144),
    "UBYTE": (np.dtype("u1"), 32768 + 8388608),
    "BOOL": (np.dtype("?"), 524288),
}
_NAMES = {dtype.newbyteorder("="): name for name, (dtype, _) in _TYPES.items()}


def write_ndarray(array: NDArray[Any], stream: IO[bytes]) -> None:
    """Write an array as ``Nd4j.write`` does, in C order.

    Raises:
        DataError: The dtype has no counterpart in this format.
    """
    name = _NAMES.get(array.dtype.newbyteorder("="))
    if name is None:
        expected = ", ".join(str(dtype) for dtype in _NAMES)
        raise DataError(
            f"an array of dtype {array.dtype} cannot be written in DL4J's format; expected one of {expected}"
        )
    dtype, bit = _TYPES[name]
    elements = np.ascontiguousarray(array, dtype).reshape(array.shape)
    strides = [stride // elements.itemsize for stride in elements.strides]
    if array.ndim == 2 and array.shape[0] == 1:
        strides = [1, 1]  # what ND4J says of a row vector
    extras = bit if array.size else bit | _EMPTY
    info = [array.ndim, *array.shape, *strides, extras, 1, ord("c")]
    _write_buffer(np.array(info, ">i8"), "LONG", stream)
    if array.size:
        _write_buffer(elements, name, stream)


def read_ndarray(stream: IO[bytes]) -> NDArray[Any]:
    """Read one array that ``Nd4j.write`` wrote, in native byte order; BFLOAT16 becomes float32.

    Raises:
        ModelFileError: The stream ends early, or holds something else.
    """
    info = _read_info(stream)
    rank = info[0]
    shape, strides = info[1 : rank + 1], info[rank + 1 : 2 * rank + 1]
    if info[-3] & _EMPTY:
        return np.empty(shape or (0,), _dtype_of_extras(info[-3]))
    elements = _read_buffer(stream)
    try:
        # arrays with a permuted buffer keep their strides in the file
        array = np.ndarray(shape, elements.dtype, elements, strides=[s * elements.itemsize for s in strides])
    except (TypeError, ValueError) as error:
        raise ModelFileError(
            f"not an array of DL4J: {elements.size} elements for shape {shape}, strides {strides}"
        ) from error
    return array


def read_dtype(stream: IO[bytes]) -> np.dtype[Any]:
    """Read no more than the type of an array that ``Nd4j.write`` wrote."""
    return _dtype_of_extras(_read_info(stream)[-3])


def element_count(stream: IO[bytes], size: int) -> int:
    """Number of elements of an array that ``Nd4j.write`` wrote into a stream of ``size`` bytes; they are not read.

    Raises:
        ModelFileError: The stream holds something else, or is too short for its elements.
    """
    info = _read_info(stream)
    if info[-3] & _EMPTY:
        return 0
    length, name = _read_buffer_header(stream)
    width = 2 if name == "BFLOAT16" else _type_of(name).itemsize
    left = size - stream.tell()
    if length * width > left:
        raise ModelFileError(f"the data end too early: expected {length * width} more bytes. Received: {left}")
    if math.prod(info[1 : info[0] + 1]) != length:
        raise ModelFileError(f"not an array of DL4J: {length} elements for shape {info[1 : info[0] + 1]}")
    return length


def _read_info(stream: IO[bytes]) -> list[int]:
    buffer = _read_buffer(stream)
    if buffer.dtype.kind != "i":
        raise ModelFileError(f"not an array of DL4J: shape information of type {buffer.dtype}")
    info = [int(value) for value in buffer]
    rank = info[0] if info else -1
    if rank < 0 or len(info) != 2 * rank + 4:
        raise ModelFileError(f"not an array of DL4J: {len(info)} numbers of shape information say rank {rank}")
    return info


def _dtype_of_extras(extras: int) -> np.dtype[Any]:
    # UBYTE holds BYTE's bit as well: the largest match is the type
    matches = [(bit, dtype) for dtype, bit in _TYPES.values() if extras & bit == bit]
    if not matches:
        raise ModelFileError(f"not an array of DL4J: no known data type in the extras word {extras}")
    return max(matches, key=itemgetter(0))[1].newbyteorder("=")


def _write_buffer(elements: NDArray[Any], name: str, stream: IO[bytes]) -> None:
    write_utf(_MODE, stream)
    stream.write(struct.pack(">q", elements.size))
    write_utf(name, stream)
    stream.write(elements.tobytes())


def _read_buffer_header(stream: IO[bytes]) -> tuple[int, str]:
    mode = read_utf(stream)
    if mode not in _MODES:
        raise ModelFileError(
            f"not an array of DL4J 1.0.0: buffer mode {mode[:40]!r}, expected one of {', '.join(_MODES)}"
        )
    (length,) = struct.unpack(">q", take(stream, 8))
    return length, read_utf(stream)


def _type_of(name: str) -> np.dtype[Any]:
    if name not in _TYPES:
        raise ModelFileError(
            f"arrays of type {name[:40]} cannot be read; expected one of {', '.join(_TYPES)}, BFLOAT16"
        )
    return _TYPES[name][0]


def _read_buffer(stream: IO[bytes]) -> NDArray[Any]:
    length, name = _read_buffer_header(stream)
    if name == "BFLOAT16":
        # the upper half of a float32
        halves = np.frombuffer(take(stream, 2 * length), ">u2")
        return (halves.astype(np.uint32) << 16).view(np.float32)
    dtype = _type_of(name)
    return np.frombuffer(take(stream, dtype.itemsize * length), dtype).astype(dtype.newbyteorder("="))


def write_utf(text: str, stream: IO[bytes]) -> None:
    """Write ASCII text as Java's ``DataOutput.writeUTF``."""
    data = text.encode("ascii")
    stream.write(struct.pack(">H", len(data)) + data)


def read_utf(stream: IO[bytes]) -> str:
    """Read text that Java's ``DataOutput.writeUTF`` wrote."""
    (length,) = struct.unpack(">H", take(stream, 2))
    return take(stream, length).decode("utf-8", "replace")


def take(stream: IO[bytes], size: int) -> bytes:
    """Read exactly ``size`` bytes; a stream that ends before that is a `ModelFileError`."""
    if size < 0:
        raise ModelFileError(f"not an array of DL4J: a length of {size} bytes")
    data = stream.read(size)
    if len(data) < size:
        raise ModelFileError(
            f"the data end too early: expected {size} more bytes. Received: {len(data)}; the file is truncated"
        )
    return data
