"""`NDArray`: numbers inside a configuration, such as loss weights and bounding box priors."""

import struct
from collections.abc import Mapping, Sequence
from itertools import product
from math import prod
from typing import Any, Literal, Self, TypeGuard

from pydl4j.conf._codecs import Mismatch, number_of
from pydl4j.conf._kernel import Conf, refuse
from pydl4j.conf._numbers import Float32
from pydl4j.conf._reading import At
from pydl4j.errors import ConfigError

__all__ = ["NDArray"]

_KEYS = {"dataType", "shape", "data"}


class NDArray(Conf):
    """An array of numbers in a configuration, DL4J's ``INDArray``; wherever one is taken, nested lists and numpy's arrays are, too.

    >>> NDArray.of([[1, 2], [3, 4]]).shape
    (2, 2)
    """

    data: Sequence[float]
    """The numbers in c order."""
    shape: Sequence[int]
    data_type: Literal["float", "double", "half"] = "float"
    """Type of the Java array; it decides which digits are written."""

    def validate(self, path: str) -> None:
        if prod(self.shape) != len(self.data):
            raise refuse(f"{path}.shape", f"must hold the {len(self.data)} numbers of data", tuple(self.shape))

    @classmethod
    def of(cls, numbers: Any, data_type: Literal["float", "double", "half"] = "float") -> "NDArray":
        """The array of nested sequences of numbers, or of numpy's.

        Raises:
            ConfigError: Something else than numbers, or rows of different lengths.

        """
        try:
            shape, data = _flat(numbers.tolist() if hasattr(numbers, "tolist") else numbers)
        except Mismatch as mismatch:
            raise refuse(cls.__name__, str(mismatch), numbers) from None
        return cls(data=data, shape=shape, data_type=data_type)

    @classmethod
    def convert(cls, value: Any) -> Any:
        shape, data = _flat(value.tolist() if hasattr(value, "tolist") else value)
        return cls(data=data, shape=shape)

    def to_tree(self) -> dict[str, Any]:
        numbers = list(self.data) if self.data_type == "double" else [_float32(number) for number in self.data]
        return {"dataType": self.data_type.upper(), "shape": list(self.shape), "data": numbers}

    @classmethod
    def read(cls, tree: Any, at: At) -> Self:
        if isinstance(tree, list):  # a row of numbers, as DL4J wrote it before 1.0.0-beta4 and still reads it
            return cls(data=tree, shape=[len(tree)], data_type="double")
        if isinstance(tree, Mapping) and "dataBuffer" in tree:
            tree = _from_buffer(tree, at)
        if not isinstance(tree, Mapping) or not set(tree) >= _KEYS:
            raise refuse(at.path, "must be an INDArray: a JSON object with dataType, shape and data", tree)
        at.unknown(set(tree) - _KEYS, "an INDArray", _KEYS)
        try:
            return cls(data=tree["data"], shape=tree["shape"], data_type=tree["dataType"])
        except ConfigError as error:
            raise ConfigError(f"{at.path}: {error.message}", path=at.path) from None


def _from_buffer(tree: Mapping[str, Any], at: At) -> dict[str, Any]:
    """An array with its strides, as DL4J wrote bounding boxes before 1.0.0-beta7 and still reads them.

    Raises:
        ConfigError: Not such an array. ``at`` is its place.

    """
    buffer, shape, strides = (tree.get(key) for key in ("dataBuffer", "shapeField", "strideField"))
    if not isinstance(buffer, list) or not _sizes(shape) or not _sizes(strides) or len(shape) != len(strides):
        raise refuse(at.path, "must be an INDArray with dataBuffer, shapeField and strideField", tree)
    if prod(shape) != len(buffer):
        raise refuse(at.path, f"must hold {prod(shape)} numbers, by its shapeField", buffer)
    steps = [range(0, size * stride, stride) for size, stride in zip(shape, strides, strict=True)]
    places = [sum(place) for place in product(*steps)]
    if sorted(places) != list(range(len(buffer))):
        raise refuse(at.path, "must have a strideField that leads to each of its numbers once", strides)
    return {"dataType": "float", "shape": shape, "data": [buffer[place] for place in places]}


def _sizes(value: Any) -> TypeGuard[list[int]]:
    return isinstance(value, list) and all(isinstance(size, int) and size > 0 for size in value)


def _flat(value: Any) -> tuple[list[int], list[float]]:
    """Shape and numbers of a nested sequence. Raises `Mismatch`."""
    if not isinstance(value, Sequence) or isinstance(value, str) or not value:
        raise Mismatch("must be numbers, in lists as deep as the array has dimensions")
    if not isinstance(value[0], Sequence):
        numbers = [number_of(item) for item in value]
        known = [number for number in numbers if number is not None]
        if len(known) < len(numbers):
            raise Mismatch("must hold numbers only")
        return [len(value)], known
    rows = [_flat(row) for row in value]
    if any(shape != rows[0][0] for shape, _ in rows):
        raise Mismatch("must have rows of equal length")
    return [len(rows), *rows[0][0]], [number for _, numbers in rows for number in numbers]


def _float32(number: float) -> Float32:
    """The nearest number of 32 bits."""
    return Float32(struct.unpack("f", struct.pack("f", number))[0])
