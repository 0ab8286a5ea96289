"""Constants in a process: DataVec's ``Writable``. Python's own values stand for them where one is expected."""

import base64
import binascii
from collections.abc import Mapping
from typing import Annotated, Any

from pydl4j.conf._codecs import AtLeast, CodecBase, Mismatch
from pydl4j.conf._kernel import Conf, refuse
from pydl4j.conf._numbers import Float32
from pydl4j.conf._reading import At
from pydl4j.conf.datavec._values import JavaByte, JavaDouble, JavaFloat, JavaInt, JavaLong
from pydl4j.errors import ConfigError

__all__ = [
    "BooleanWritable",
    "ByteWritable",
    "BytesWritable",
    "DoubleWritable",
    "FloatWritable",
    "IntWritable",
    "LongWritable",
    "NullWritable",
    "Text",
    "Writable",
]

_JAVA = "org.datavec.api.writable."


class Writable(Conf):
    """A constant.

    ``True``, ``1``, ``0.5``, ``"a"`` and ``b"a"`` stand for Boolean, Int, Double, Text and Bytes; a longer int for Long.
    """

    @classmethod
    def convert(cls, value: Any) -> Any:
        if isinstance(value, bool):
            return BooleanWritable(value=value)
        if isinstance(value, int):
            return (IntWritable if -(1 << 31) <= value < 1 << 31 else LongWritable)(value=value)
        if isinstance(value, float):
            return DoubleWritable(value=value)
        if isinstance(value, str):
            return Text(value=value)
        if isinstance(value, bytes):
            return BytesWritable(content=value)
        raise Mismatch("must be a Writable, or a bool, int, float, string or bytes")


Constant = Writable | bool | int | float | str | bytes


class IntWritable(Writable, java=_JAVA + "IntWritable"):
    """An int of 32 bits."""

    value: JavaInt


class LongWritable(Writable, java=_JAVA + "LongWritable"):
    """An int of 64 bits; also a time, in milliseconds since 1970."""

    value: JavaLong


class ByteWritable(Writable, java=_JAVA + "ByteWritable"):
    """An int of 8 bits."""

    value: JavaByte


class DoubleWritable(Writable, java=_JAVA + "DoubleWritable"):
    """A number of 64 bits."""

    value: JavaDouble


class FloatWritable(Writable, java=_JAVA + "FloatWritable"):
    """A number of 32 bits."""

    value: JavaFloat


class BooleanWritable(Writable, java=_JAVA + "BooleanWritable"):
    """True or false."""

    value: bool


class NullWritable(Writable, java=_JAVA + "NullWritable"):
    """No value."""


class _Base64(CodecBase):
    def coerce(self, value: Any) -> bytes:
        if isinstance(value, bytes):
            return value
        raise Mismatch("must be bytes")

    def write(self, value: Any) -> Any:
        return base64.b64encode(value).decode()

    def read(self, tree: Any, at: At) -> Any:
        return _decoded(tree, at)


def _decoded(tree: Any, at: At) -> bytes:
    try:
        return base64.b64decode(tree, validate=True)
    except (TypeError, ValueError, binascii.Error):
        raise refuse(at.path, "must be bytes in base64", tree) from None


class BytesWritable(Writable, java=_JAVA + "BytesWritable"):
    """A value of bytes."""

    content: Annotated[bytes, _Base64()]


class Text(Writable, java=_JAVA + "Text", keys={"value": None, "buffer_size": None}):
    """A text. DataVec writes it as UTF-8 in a buffer that may be longer than the text."""

    value: str
    buffer_size: Annotated[int, AtLeast(0)] | None = None
    """Bytes of the buffer; ``None`` for what ``new Text(String)`` takes."""

    def _set(self, values: dict[str, Any]) -> None:
        usual = values.get("buffer_size") == _encoder_buffer(values["value"])
        super()._set({key: value for key, value in values.items() if not (usual and key == "buffer_size")})

    def validate(self, path: str) -> None:
        try:
            length = len(self.value.encode())
        except UnicodeEncodeError:
            raise refuse(f"{path}.value", "must be text that UTF-8 can encode", self.value) from None
        if self.buffer_size is not None and self.buffer_size < length:
            raise refuse(f"{path}.buffer_size", f"must be >= {length}, the bytes of the text", self.buffer_size)

    def derived(self) -> dict[str, Any]:
        encoded = self.value.encode()
        size = self.buffer_size if self.buffer_size is not None else _encoder_buffer(self.value)
        return {"bytes": base64.b64encode(encoded.ljust(size, b"\0")).decode(), "length": len(encoded)}

    @classmethod
    def read_options(cls, members: Mapping[str, Any], at: At) -> dict[str, Any]:
        content = _decoded(members.get("bytes"), at.member("bytes"))
        length = members.get("length")
        if not isinstance(length, int) or not 0 <= length <= len(content) or any(content[length:]):
            raise refuse(at.member("length").path, "must be the number of bytes of the text", length)
        try:
            text = content[:length].decode()
        except UnicodeDecodeError as error:
            path = at.member("bytes").path
            raise ConfigError(f"{path} must be UTF-8: {error.reason} at byte {error.start}", path=path) from None
        return {"value": text, "buffer_size": len(content)}


def _encoder_buffer(text: str) -> int:
    """Bytes that Java's encoder allocates: 1.1 for each UTF-16 unit, doubled (plus one) until the text is in."""
    size = int(Float32(len(text.encode("utf-16-le", "surrogatepass")) // 2 * Float32(1.1)))
    needed = len(text.encode(errors="replace"))
    while size < needed:
        size = 2 * size + 1
    return size
