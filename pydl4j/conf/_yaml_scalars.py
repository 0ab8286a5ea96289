"""Strings and keys as Jackson's YAML generator writes them, and plain scalars as Jackson reads them."""

import re
from functools import lru_cache

from pydl4j.conf._literals import decimal, integer

__all__ = ["double_quoted", "java_length", "key_text", "resolve"]

_WIDTH = 80
_MAX_SIMPLE_KEY = 128

_SAFE = re.compile(r"[ !#-\[\]-~]*")
_ESCAPES = {
    "\0": "0",
    "\a": "a",
    "\b": "b",
    "\t": "t",
    "\n": "n",
    "\v": "v",
    "\f": "f",
    "\r": "r",
    "\x1b": "e",
    '"': '"',
    "\\": "\\",
    "\x85": "N",
    "\xa0": "_",
    "\u2028": "L",
    "\u2029": "P",
}
_BREAK = re.compile("[\n\x85\u2028\u2029]")
_QUOTED_BY_JACKSON = re.compile(
    r"[-+.0-9~].*|false|False|FALSE|n|N|no|No|NO|null|Null|NULL|on|On|ON|off|Off|OFF"
    r"|true|True|TRUE|y|Y|yes|Yes|YES",
    re.DOTALL,
)
_UNPRINTABLE = re.compile("[^\n\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NOT_PLAIN = re.compile(r"""^[ #,\[\]{}&*!|>'"%@`]|^[?](?: |$)|:(?: |$)| \#| $""")


def double_quoted(text: str, column: int, indent: int | None) -> str:
    """``text`` in quotes, from ``column`` on; lines that it goes on in start at ``indent``, if it may do so."""
    column += 1
    if _SAFE.fullmatch(text) and (column + len(text) <= _WIDTH or " " not in text):
        return f'"{text}"'
    return f'"{_Folding(column, indent).write(text)}"'


class _Folding:
    """Writes a double-quoted string as SnakeYAML does, which looks for a place to break the line at each character."""

    def __init__(self, column: int, indent: int | None) -> None:
        self._column, self._indent = column, indent
        self._parts: list[str] = []

    def write(self, text: str) -> str:
        start = 0  # of what is not written yet
        for end, character in enumerate(text):
            escaped = _escaped(character)
            if escaped is not None:
                self._put(text[start:end] + escaped)
                start = end + 1
            pending = end - start
            if (
                (end > 0 or character > "\uffff")
                and end < len(text) - 1
                and (character == " " or pending <= 0)
                and self._full(pending)
            ):
                self._put(text[start:end])
                start = max(start, end)
                self._break(before_space=text[start] == " ")
        return "".join([*self._parts, text[start:]])

    def _full(self, pending: int) -> bool:
        return self._indent is not None and self._column + pending > _WIDTH

    def _put(self, text: str) -> None:
        self._parts.append(text)
        self._column += len(text)

    def _break(self, *, before_space: bool) -> None:
        assert self._indent is not None
        self._parts.append("\\\n" + " " * self._indent)
        self._column = self._indent
        if before_space:
            self._put("\\")


def _escaped(character: str) -> str | None:
    """What stands for a character, which may be itself; nothing for printable ASCII."""
    if " " <= character <= "~" and character not in '"\\':
        return None
    if character in _ESCAPES:
        return "\\" + _ESCAPES[character]
    code = ord(character)
    if code > 0xFFFF:
        return f"\\U{code:08x}"
    if not _UNPRINTABLE.match(character):
        return character
    return f"\\x{code:02x}" if code <= 0xFF else f"\\u{code:04x}"


def java_length(text: str) -> int:
    """The number of ``char`` in a Java string."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le")) // 2


@lru_cache(maxsize=4096)
def key_text(key: str, indent: int) -> tuple[str, bool]:
    """A key, and whether it stands on one line with its value; if not, it follows ``? `` at ``indent``."""
    simple = 0 < java_length(key) < _MAX_SIMPLE_KEY and not _BREAK.search(key)
    column = indent if simple else indent + 2
    if not key or _QUOTED_BY_JACKSON.fullmatch(key) or _UNPRINTABLE.search(key) or _BREAK.search(key):
        return double_quoted(key, column, None if simple else indent + 2), simple
    if _NOT_PLAIN.search(key):
        text = key.replace("'", "''")
        return f"'{text if simple else _folded(text, column + 1, indent + 2)}'", simple
    return key if simple else _folded(key, column, indent + 2), simple


def _folded(text: str, column: int, indent: int) -> str:
    """``text`` with line breaks in the place of single spaces."""
    pieces = re.split("( +)", text)
    written = []
    for index, piece in enumerate(pieces):
        if piece == " " and column > _WIDTH and pieces[index - 1] and pieces[index + 1]:
            written.append("\n" + " " * indent)
            column = indent
        else:
            written.append(piece)
            column += java_length(piece)
    return "".join(written)


_CONSTANTS = {
    "": None,
    "~": None,
    "null": None,
    "Null": None,
    "NULL": None,
    "true": True,
    "True": True,
    "TRUE": True,
    "false": False,
    "False": False,
    "FALSE": False,
}
_INTEGERS = {
    2: re.compile(r"([-+]?)0b_*([01_]*[01][01_]*)"),
    8: re.compile(r"([-+]?)0([0-7_]*[0-7][0-7_]*)"),
    10: re.compile(r"([-+]?)(0|[1-9][0-9_]*)"),
    16: re.compile(r"([-+]?)0x_*([0-9a-fA-F_]*[0-9a-fA-F][0-9a-fA-F_]*)"),
}
_DECIMAL = re.compile(r"[-+]?(?:[0-9][0-9_]*\.[0-9_]*|\.[0-9][0-9_]*|[0-9][0-9_]*(?=[eE]))(?:[eE][-+]?[0-9]+)?")


def resolve(text: str) -> str | float | bool | None:
    """What a plain scalar is in the YAML of Jackson. Raises `NotANumber`."""
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if text[0] not in "+-.0123456789":
        return text
    for base, pattern in _INTEGERS.items():
        if match := pattern.fullmatch(text):
            return integer(match[1] + match[2].replace("_", ""), base)
    return decimal(text.replace("_", "")) if _DECIMAL.fullmatch(text) else text
