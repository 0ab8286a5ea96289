"""Floating-point numbers as text, digit for digit as JDK 17 prints them.

``Double.toString`` before JDK 19 does not always find the shortest digits, and in some ranges not the nearest ones.
What it printed is in every document that DL4J has written, so its steps are followed here, overflows included. For
doubles they end in the shortest digits, those of ``repr``, but for powers of two, subnormal numbers and from 2^53 on.
"""

import math
import struct
from functools import lru_cache
from typing import Any, NamedTuple, Self

__all__ = ["Float32", "IntKey", "TypeNamed", "format_double", "format_float"]

_DOUBLE_BITS = 53
_FLOAT_BITS = 24
_SMALLEST_NORMAL = 2.0**-1022
_FIRST_BEYOND_FLOATS = math.ldexp(2 - 2**-24, 127)


class Float32(float):
    """A Java ``float``: a number rounded to single precision, which prints with the digits that this needs.

    ``Float32(0.1)`` is 0.10000000149011612 and prints ``0.1``. What is too large becomes infinite, as in Java.
    """

    __slots__ = ()

    def __new__(cls, value: float) -> Self:
        return super().__new__(cls, _single(value))

    def __repr__(self) -> str:
        return format_float(self)


class IntKey(str):
    """A key of a Java map from ``int``: text in JSON, as every key, and a number without quotes in YAML."""

    __slots__ = ()


class TypeNamed(dict[str, Any]):
    """An object whose only key is the name of its type: in JSON so, in YAML the name is its tag."""


def _single(value: float) -> float:
    if math.isfinite(value) and abs(value) >= _FIRST_BEYOND_FLOATS:
        return math.copysign(math.inf, value)
    single: float = struct.unpack("f", struct.pack("f", value))[0]
    return single


def format_double(value: float) -> str:
    """``Double.toString(value)``: decimal from 1e-3 to 1e7, else computerized scientific notation."""
    return _unusual(value) or _format_double(value)


def format_float(value: float) -> str:
    """``Float.toString((float) value)``."""
    value = _single(value)
    return _unusual(value) or _format_float(value)


def _unusual(value: float) -> str:
    """The text of what is no number, infinite or zero (whose signs a cache would take for the same), else nothing."""
    if value == 0:
        return "-0.0" if math.copysign(1.0, value) < 0 else "0.0"
    if math.isfinite(value):
        return ""
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


@lru_cache(maxsize=4096)
def _format_double(value: float) -> str:
    size = abs(value)
    if 1e-3 <= size < 1e7:
        return float.__repr__(value)
    fraction, exponent = math.frexp(size)
    if _SMALLEST_NORMAL <= size < 2**_DOUBLE_BITS and fraction != 0.5:
        digits, point = _shortest_digits(size)
    else:
        precision = min(_DOUBLE_BITS, exponent + 1074)  # a subnormal number has fewer bits
        digits, point = _java_digits(int(math.ldexp(fraction, precision)), exponent - precision, precision)
    return ("-" if value < 0 else "") + _place_point(digits, point)


@lru_cache(maxsize=4096)
def _format_float(value: float) -> str:
    fraction, exponent = math.frexp(abs(value))
    precision = min(_FLOAT_BITS, exponent + 149)
    digits, point = _java_digits(int(math.ldexp(fraction, precision)), exponent - precision, precision)
    return ("-" if value < 0 else "") + _place_point(digits, point)


def _place_point(digits: str, point: int) -> str:
    """``digits`` with the decimal point after ``point`` of them, in Java's notation."""
    if -3 < point <= 7:
        if point <= 0:
            return f"0.{'0' * -point}{digits}"
        return f"{digits[:point].ljust(point, '0')}.{digits[point:] or '0'}"
    return f"{digits[0]}.{digits[1:] or '0'}E{point - 1}"


def _shortest_digits(value: float) -> tuple[str, int]:
    mantissa, _, exponent = float.__repr__(value).partition("e")
    whole, _, decimals = mantissa.partition(".")
    digits = whole + decimals
    stripped = digits.lstrip("0")
    point = len(whole) + int(exponent or 0) - (len(digits) - len(stripped))
    return stripped.rstrip("0"), point


def _java_digits(fraction: int, exponent: int, precision: int) -> tuple[str, int]:
    """The digits that JDK 17 finds for ``fraction * 2**exponent``, and how many of them precede the point.

    ``precision`` is the number of bits in ``fraction``.
    """
    zeros = (fraction & -fraction).bit_length() - 1
    odd, exponent = fraction >> zeros, exponent + zeros
    if exponent >= 0 and odd.bit_length() + exponent <= 63:
        return _long_digits(odd << exponent, precision)
    return _generate(_Scaled.of(odd, exponent, precision))


def _long_digits(value: int, precision: int) -> tuple[str, int]:
    """The digits of an integer that a ``long`` holds, without those that its precision does not give."""
    excess = value.bit_length() - precision - 2
    cut = len(str(1 << excess)) - 1 if excess > 1 else 0
    kept, rest = divmod(value, 10**cut)
    text = str(kept + (2 * rest >= 10**cut and cut > 0))
    return text.rstrip("0"), len(text) + cut


class _Scaled(NamedTuple):
    """A number as ``value / unit * 10**exponent``, with one digit before the point, and how precise it is."""

    value: int
    unit: int
    gap: int
    """Half the distance to the next number, scaled like ``value``; for a power of two, a quarter."""
    exponent: int
    width: int
    """Bits of Java's arithmetic, whose overflows show; 0 where it has no limit."""

    @classmethod
    def of(cls, odd: int, exponent: int, precision: int) -> Self:
        bits = odd.bit_length()
        power = _estimated_power(odd, exponent)
        down, up = max(0, -power), max(0, power)
        value_twos, unit_twos = down + max(0, exponent), up + max(0, -exponent)
        gap_twos = value_twos + bits - 1 - precision - (bits == 1)
        common = min(value_twos, unit_twos, gap_twos)  # below zero where the gap needs more bits
        value_twos, unit_twos, gap_twos = value_twos - common, unit_twos - common, gap_twos - common
        return cls(
            value=odd * 5**down << value_twos,
            unit=5**up << unit_twos,
            gap=5**down << gap_twos,
            exponent=power,
            width=_width(max(bits + value_twos + _bits_of_five(down), unit_twos + 1 + _bits_of_five(up + 1))),
        )

    def ends(self, rest: int, gap: int) -> tuple[bool, bool]:
        """Whether the digits so far, and whether the next higher ones, are nearer than any other number."""
        if not self.width:
            return rest < gap, rest + gap >= self.unit
        limit = self._wrap(10 * gap)
        if limit <= 0:
            return True, True
        return 10 * rest < limit, self._wrap(10 * rest + limit) > 10 * self.unit

    def _wrap(self, value: int) -> int:
        half = 1 << (self.width - 1)
        return (value + half) % (2 * half) - half


def _estimated_power(odd: int, exponent: int) -> int:
    """The power of ten of the first digit, by the tangent at 1.5 of the logarithm; sometimes one too high."""
    top = odd.bit_length() - 1
    leading = odd / (1 << top)
    return math.floor((leading - 1.5) * 0.289529654 + 0.176091259 + (top + exponent) * 0.301029995663981)


def _bits_of_five(power: int) -> int:
    return (5**power).bit_length() if power < 27 else 3 * power


def _width(bits: int) -> int:
    return 32 if bits < 32 else 64 if bits < 64 else 0


def _generate(number: _Scaled) -> tuple[str, int]:
    """Digit after digit until they tell the number from its neighbours; two at least in scientific notation."""
    power, gap = number.exponent, number.gap
    digit, rest = divmod(number.value, number.unit)
    low, high = number.ends(rest, gap)
    digits = [digit]
    if digit == 0 and not high:
        digits, power = [], power - 1
    if not -3 <= power < 8:
        low = high = False
    while not (low or high):
        gap *= 10
        digit, rest = divmod(10 * rest, number.unit)
        low, high = number.ends(rest, gap)
        digits.append(digit)
    text = "".join(map(str, digits))
    if high and (not low or _rounds_up(digits[-1], rest, number.unit)):
        text, carried = _increment(text)
        power += carried
    return text, power + 1


def _rounds_up(digit: int, rest: int, unit: int) -> bool:
    return 2 * rest > unit or (2 * rest == unit and digit % 2 == 1)


def _increment(digits: str) -> tuple[str, bool]:
    """The next higher digits, as many as there were, and whether the point moves for it."""
    text = str(int(digits) + 1).rjust(len(digits), "0")
    return text[: len(digits)], len(text) > len(digits)
