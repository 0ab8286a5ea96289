"""How a tensor is described to whoever can see the memory it lies in."""

from collections.abc import Iterable
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pydl4j.errors import DataError

Order = Literal["c", "f"]

# numpy's letters for the data types that ND4J has; bool is one byte in both
DTYPES = frozenset({"f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "b1"})
_CODES = {dtype: ord(dtype[0]) << 8 | int(dtype[1]) for dtype in DTYPES}  # "f4" is 0x6604, here and in DTypes.java


class TensorDesc(NamedTuple):
    """Where a tensor lies and how it is laid out; ``strides`` count elements, ``address`` is that of the first element."""

    dtype: str
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    order: Order
    address: int

    @classmethod
    def of(cls, array: NDArray[Any]) -> "TensorDesc":
        """Describe an array that :func:`shareable` has passed."""
        size = array.itemsize
        # in ND4J "f" is only said of what is no c as well
        order: Order = "f" if array.flags.fnc else "c"
        strides = tuple([step // size for step in array.strides])
        # not array.ctypes.data: that takes twice as long
        address = array.__array_interface__["data"][0] if array.size else 0
        return cls(array.dtype.str[1:], array.shape, strides, order, address)

    @classmethod
    def parse(cls, text: str) -> "TensorDesc":
        """Read what ``org.pydl4j.tensor.Tensors.describe`` writes."""
        dtype, order, address, shape, strides = text.split("|")
        return cls(dtype, _numbers(shape), _numbers(strides), "f" if order == "f" else "c", int(address))

    @property
    def span(self) -> int:
        """Elements from the first to the last, both included; 0 for an empty tensor."""
        span = 1
        for n, step in zip(self.shape, self.strides, strict=True):
            if n == 0:
                return 0
            span += (n - 1) * step
        return span

    def layout(self) -> list[int]:
        """The same in numbers, as ``org.pydl4j.tensor.Tensors.wrap`` takes it: one Java array is the cheapest argument."""
        return [_CODES[self.dtype], self.order == "f", self.address, self.span, *self.shape, *self.strides]


class Borrowed:
    """Memory of the JVM as numpy sees it: keeps ``owner``, the Java array, for as long as any numpy view of it lives."""

    def __init__(self, desc: TensorDesc, owner: object) -> None:
        self.owner = owner
        dtype = np.dtype(desc.dtype)
        self.__array_interface__ = {
            "version": 3,
            "typestr": dtype.str,
            "shape": desc.shape,
            "strides": tuple(step * dtype.itemsize for step in desc.strides),
            "data": (desc.address, False),
        }


def borrow(desc: TensorDesc, owner: object) -> NDArray[Any]:
    """A numpy array over memory that ``owner`` keeps."""
    if desc.span == 0:
        return np.empty(desc.shape, desc.dtype)
    return np.asarray(Borrowed(desc, owner))


def shareable(array: object) -> NDArray[Any]:
    """The array itself where Java can look at its memory as it is, else a copy that it can.

    Copied are: negative steps, steps that are no multiple of the item size, foreign byte order.

    Raises:
        DataError: the dtype has no counterpart in ND4J.
    """
    if not isinstance(array, np.ndarray):
        raise DataError(f"expected a numpy array. Received: {type(array).__name__}")
    dtype = array.dtype
    if dtype.str[1:] not in DTYPES:
        names = ", ".join(sorted(np.dtype(code).name for code in DTYPES))
        raise DataError(
            f"ND4J has no data type for numpy's {array.dtype}; convert the array first. Expected one of: {names}"
        )
    if not dtype.isnative:
        return array.astype(dtype.newbyteorder("="))
    if _steps_forward(array.strides, array.itemsize):
        return array
    return array.copy()


def _steps_forward(strides: Iterable[int], itemsize: int) -> bool:
    return all(step >= 0 and step % itemsize == 0 for step in strides)


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(",")) if text else ()
