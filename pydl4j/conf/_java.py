"""Numbers and documents as Java writes them."""

import json
import math
from typing import Any

from pydl4j.errors import ConfigError

__all__ = ["dumps", "format_double", "loads", "scalar"]


def format_double(value: float) -> str:
    """``Double.toString(value)``: decimal between 1e-3 and 1e7, else computerized scientific notation.

    The digits are the shortest that read back as the same number, as JDK 19 and later print them.
    """
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    sign = "-" if math.copysign(1.0, value) < 0 else ""
    if value == 0:
        return f"{sign}0.0"
    mantissa, _, exponent = f"{abs(value)!r}".partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = whole + fraction
    point = len(whole) + int(exponent or 0)
    stripped = digits.lstrip("0")
    point -= len(digits) - len(stripped)
    digits = stripped.rstrip("0")
    return sign + _place_point(digits, point)


def _place_point(digits: str, point: int) -> str:
    """``digits`` times ten to the power of ``point - len(digits)``, in Java's notation."""
    if -3 < point <= 7:
        if point <= 0:
            return f"0.{'0' * -point}{digits}"
        digits = digits.ljust(point, "0")
        return f"{digits[:point]}.{digits[point:] or '0'}"
    return f"{digits[0]}.{digits[1:] or '0'}E{point - 1}"


def dumps(tree: Any) -> str:
    """JSON text in the form of Jackson's default pretty printer, which is what DL4J's ``toJson()`` returns."""
    parts: list[str] = []
    _write(tree, "\n", parts)
    return "".join(parts)


def _write(tree: Any, newline: str, parts: list[str]) -> None:
    if isinstance(tree, dict):
        _write_object(tree, newline, parts)
    elif isinstance(tree, list | tuple):
        _write_array(tree, newline, parts)
    else:
        parts.append(scalar(tree))


def _write_object(tree: dict[str, Any], newline: str, parts: list[str]) -> None:
    if not tree:
        parts.append("{ }")
        return
    inner = newline + "  "
    separator = "{"
    for key, value in tree.items():
        parts += (separator, inner, scalar(key), " : ")
        _write(value, inner, parts)
        separator = ","
    parts += (newline, "}")


def _write_array(tree: list[Any] | tuple[Any, ...], newline: str, parts: list[str]) -> None:
    separator = "[ "
    for value in tree:
        parts.append(separator)
        _write(value, newline, parts)
        separator = ", "
    parts.append(" ]" if tree else "[ ]")


def scalar(value: Any) -> str:
    """One JSON scalar; a number that JSON has no form for becomes a string, as Jackson does it."""
    if isinstance(value, float):
        text = format_double(value)
        return text if math.isfinite(value) else f'"{text}"'
    return json.dumps(value, ensure_ascii=False)


def loads(text: str) -> Any:
    """The tree of a JSON document.

    Raises:
        ConfigError: ``text`` is not JSON; the message says where.

    """
    if not isinstance(text, str):
        raise ConfigError(f"expected a JSON document as text. Received: {type(text).__name__}")
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise ConfigError(f"not a JSON document: {error.msg} at line {error.lineno} column {error.colno}") from None
