"""Numbers and text that somebody else wrote."""

import math
import re

__all__ = ["NotANumber", "as_bool", "as_float", "as_int", "decimal", "integer", "is_unicode"]

_MAX_DIGITS = 308
"""An integer with more is beyond the doubles."""
_INTEGER = re.compile(r"\s*[-+]?[0-9]{1,19}\s*")
_DECIMAL = re.compile(r"\s*[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?\s*")
_NOT_FINITE = {
    "NaN": math.nan,
    "Infinity": math.inf,
    "INF": math.inf,
    "-Infinity": -math.inf,
    "-INF": -math.inf,
}
_BOOLS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}


class NotANumber(Exception):  # noqa: N818 - never leaves this package
    """A numeral that stands for no number that Java has; the message says why."""


def integer(text: str, base: int = 10) -> int:
    """The integer that ``text`` shows. Raises `NotANumber`."""
    if len(text) > _MAX_DIGITS:
        raise NotANumber(f"expected a number. Received: an integer of {len(text):,} digits")
    return int(text, base)


def decimal(text: str) -> float:
    """The number that ``text`` shows. Raises `NotANumber` where no double is near it."""
    value = float(text)
    if math.isinf(value):
        shown = text if len(text) < 40 else f"{text[:20]}...{text[-10:]}"
        raise NotANumber(f"expected a number that a double holds. Received: {shown}")
    return value


def is_unicode(text: str) -> bool:
    """Whether UTF-8 has a form for ``text``, which halves of surrogate pairs have not."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def as_int(tree: object) -> object:
    """The integer that DL4J takes for a JSON value, such as ``"4"`` or ``4.0``, else the value itself.

    DL4J would also cut the fraction off a number and take ``""`` and ``"null"`` for zero; these stay what they are.
    """
    if isinstance(tree, float) and tree.is_integer():
        return int(tree)
    return int(tree) if isinstance(tree, str) and _INTEGER.fullmatch(tree) else tree


def as_float(tree: object) -> object:
    """The float that DL4J takes for a JSON value, such as ``"NaN"`` or ``"0.5"``, else the value itself."""
    if not isinstance(tree, str):
        return tree
    if tree in _NOT_FINITE:
        return _NOT_FINITE[tree]
    number = float(tree) if _DECIMAL.fullmatch(tree) else math.inf
    return number if math.isfinite(number) else tree


def as_bool(tree: object) -> object:
    """The bool that DL4J takes for a JSON value, such as ``"true"``, else the value itself."""
    return _BOOLS.get(tree, tree) if isinstance(tree, str) else tree
