"""Java's arithmetic, for the bounds of columns that are calculated with."""

import math
from collections.abc import Callable
from typing import Any

from pydl4j.conf._numbers import Float32

Number = int | float
Operation = Callable[[Any, Any], Any]


def calculate(op: str, value: Number, scalar: Number, kind: str) -> Number:
    """``value op scalar`` as Java calculates it in a type: integer, long, double or float.

    Raises:
        ZeroDivisionError: An integer is divided by 0.

    """
    if kind in {"integer", "long"}:
        return _wrapped(_INTEGERS[op](value, scalar), 32 if kind == "integer" else 64)
    number: float = _REALS[op](value, scalar)
    return Float32(number) if kind == "float" else number


def _wrapped(number: int, bits: int) -> int:
    half = 1 << bits - 1
    return (number + half) % (2 * half) - half


def _quotient(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def _divided(a: float, b: float) -> float:
    if b == 0:
        return math.nan if a == 0 or math.isnan(a) else math.copysign(math.inf, a) * math.copysign(1, b)
    return a / b


def _remainder(a: float, b: float) -> float:
    return math.nan if b == 0 or math.isinf(a) else math.fmod(a, b)


def _least(a: float, b: float) -> float:
    if math.isnan(a) or math.isnan(b):
        return math.nan
    return min(a, b, key=lambda x: (x, math.copysign(1, x)))


def _greatest(a: float, b: float) -> float:
    if math.isnan(a) or math.isnan(b):
        return math.nan
    return max(a, b, key=lambda x: (x, math.copysign(1, x)))


_SHARED: dict[str, Operation] = {
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "multiply": lambda a, b: a * b,
    "reverse_subtract": lambda a, b: b - a,
}
_INTEGERS: dict[str, Operation] = {
    **_SHARED,
    "divide": _quotient,
    "modulus": lambda a, b: a - b * _quotient(a, b),
    "reverse_divide": lambda a, b: _quotient(b, a),
    "scalar_min": min,
    "scalar_max": max,
}
_REALS: dict[str, Operation] = {
    **_SHARED,
    "divide": _divided,
    "modulus": _remainder,
    "reverse_divide": lambda a, b: _divided(b, a),
    "scalar_min": _least,
    "scalar_max": _greatest,
}
