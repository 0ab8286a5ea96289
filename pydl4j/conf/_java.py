"""JSON as DL4J's Jackson writes it, and JSON from anywhere, read with suspicion."""

import json
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

from pydl4j.conf._literals import NotANumber, decimal, integer, is_unicode
from pydl4j.conf._numbers import Float32, format_double, format_float
from pydl4j.errors import ConfigError, shown

__all__ = [
    "MAX_DEPTH",
    "MAX_VALUES",
    "check_text",
    "dumps",
    "loads",
    "scalar",
    "too_deep",
    "too_many",
]

MAX_CHARACTERS = 16 * 2**20
"""Text that is longer is not read: DL4J writes about 2,000 characters for a layer."""
MAX_VALUES = 100_000
"""Values in a document: DL4J writes about 70 for a layer."""
MAX_DEPTH = 100
"""Objects and arrays inside one another: DL4J nests about 10, and two for each layer that wraps another."""

_SPECIAL = re.compile(r'[\x00-\x1f"\\]')
_ESCAPES = {chr(code): f"\\u{code:04X}" for code in range(0x20)} | {
    "\b": "\\b",
    "\t": "\\t",
    "\n": "\\n",
    "\f": "\\f",
    "\r": "\\r",
    '"': '\\"',
    "\\": "\\\\",
}


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
        write = _SCALARS.get(type(value))
        if write is None:
            parts.append(f"{separator}{inner}{_key(key)} : ")
            _write(value, inner, parts)
        else:
            parts.append(f"{separator}{inner}{_key(key)} : {write(value)}")
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
    """One JSON scalar; a number that JSON has no form for becomes a string, as in Jackson."""
    write = _SCALARS.get(type(value)) or next(write for kind, write in _SCALARS.items() if isinstance(value, kind))
    return write(value)


def quote(text: str) -> str:
    """``text`` as a JSON string; only what must be escaped is."""
    return f'"{_SPECIAL.sub(_escape, text)}"' if _SPECIAL.search(text) else f'"{text}"'


_key = lru_cache(4096)(quote)
"""`quote` for keys, of which there are few."""


def _escape(match: re.Match[str]) -> str:
    return _ESCAPES[match[0]]


def _double(value: float) -> str:
    return _number(format_double(value))


def _float(value: float) -> str:
    return _number(format_float(value))


def _number(text: str) -> str:
    return f'"{text}"' if text.endswith(("NaN", "Infinity")) else text


def _bool(value: bool) -> str:
    return "true" if value else "false"


def _null(_: None) -> str:
    return "null"


_SCALARS: dict[type, Callable[[Any], str]] = {
    str: quote,
    bool: _bool,
    int: int.__repr__,
    Float32: _float,
    float: _double,
    type(None): _null,
}
"""How to write a scalar; a subclass comes before its base."""


def loads(text: str) -> Any:
    """The tree of a JSON document.

    Refused are, beside what is not JSON: keys that occur twice, numbers that no ``double`` holds, characters that
    UTF-8 has no form for, more than `MAX_CHARACTERS` or `MAX_VALUES`, and objects and arrays more than `MAX_DEPTH` deep.

    Raises:
        ConfigError: ``text`` is not such a document; the message says where.

    """
    check_text(text, "JSON", MAX_CHARACTERS)
    if text.count(",") > MAX_VALUES:
        raise ConfigError(too_many("JSON"))
    refused: list[_Refused] = []
    try:
        tree = _decoder(refused).decode(text)
    except json.JSONDecodeError as error:
        raise _not_json(error) from None
    except RecursionError:
        raise ConfigError(too_deep("JSON")) from None
    _check_depth(tree)
    if refused or _SURROGATE_ESCAPE.search(text):
        _check_places(tree)
    return tree


def check_text(text: Any, language: str, limit: int) -> None:
    """Refuse what cannot be a document, before it is parsed.

    Raises:
        ConfigError: Not text, too long, empty, or not text that a file could hold.

    """
    if not isinstance(text, str):
        hint = ". Decode it first: .decode('utf-8')" if isinstance(text, bytes | bytearray) else ""
        raise ConfigError(f"expected a {language} document as text. Received: {type(text).__name__}{hint}")
    if len(text) > limit:
        raise ConfigError(f"expected a {language} document of at most {limit:,} characters. Received: {len(text):,}")
    if not text or text.isspace():
        raise ConfigError(f"expected a {language} document. Received: an empty text")
    if not is_unicode(text):
        raise ConfigError(f"expected a {language} document in Unicode. Received: text with half of a surrogate pair")


def too_deep(language: str) -> str:
    """What is wrong with a document that nests too deeply."""
    return f"expected a {language} document with at most {MAX_DEPTH} objects and arrays inside one another"


def too_many(language: str) -> str:
    """What is wrong with a document of too many values."""
    return f"expected a {language} document of at most {MAX_VALUES:,} values"


def _not_json(error: json.JSONDecodeError) -> ConfigError:
    if error.pos == 0 and error.doc.startswith("\ufeff"):
        return ConfigError("not a JSON document: it starts with a byte order mark. Decode it with 'utf-8-sig'")
    reason = "the text ends too early" if error.pos >= len(error.doc.rstrip()) else error.msg
    return ConfigError(f"not a JSON document: {reason} at line {error.lineno} column {error.colno}")


_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")


class _Refused:
    """Stands in the tree for what is refused, until its place is known."""

    def __init__(self, reason: str) -> None:
        self.reason = reason


def _decoder(refused: list[_Refused]) -> json.JSONDecoder:
    """A decoder that notes what it refuses."""

    def refuse(reason: str) -> _Refused:
        refused.append(_Refused(reason))
        return refused[-1]

    def number(read: Callable[[str], float]) -> Callable[[str], Any]:
        def read_or_refuse(text: str) -> Any:
            try:
                return read(text)
            except NotANumber as error:
                return refuse(str(error))

        return read_or_refuse

    def members(pairs: list[tuple[str, Any]]) -> Any:
        tree = dict(pairs)
        return tree if len(tree) == len(pairs) else refuse(f"the key {shown(_repeated(pairs))} occurs twice")

    def constant(name: str) -> Any:
        return refuse(f'expected a number. Received: {name}, which JSON does not have; DL4J writes "{name}"')

    return json.JSONDecoder(
        object_pairs_hook=members, parse_int=number(integer), parse_float=number(decimal), parse_constant=constant
    )


def _repeated(pairs: list[tuple[str, Any]]) -> str:
    seen: set[str] = set()
    return next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]


def _check_depth(tree: Any) -> None:
    """Refuse what is too deep for functions that call themselves."""
    level = [tree]
    for _ in range(MAX_DEPTH):
        level = [child for parent in level for child in _children(parent) if isinstance(child, dict | list)]
        if not level:
            return
    raise ConfigError(too_deep("JSON"))


def _children(tree: Any) -> Any:
    return tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ()


def _check_places(tree: Any) -> None:
    """Refuse the first thing that is to be refused, with its place."""
    for path, value in _walk(tree, ""):
        place = path or "the document"
        if isinstance(value, _Refused):
            raise ConfigError(f"{place}: {value.reason}", path=path or None)
        if isinstance(value, str) and not is_unicode(value):
            raise ConfigError(
                f"{place}: expected text. Received: {shown(value)}, half of a surrogate pair", path=path or None
            )


_KEY = 60
"""Characters of a key in a place."""


def _walk(tree: Any, path: str) -> Iterator[tuple[str, Any]]:
    """All values with their places, and all keys with those of their objects."""
    yield path, tree
    if isinstance(tree, dict):
        for key, value in tree.items():
            yield path, key
            yield from _walk(value, f"{path}.{key[:_KEY]}" if path else key[:_KEY])
    elif isinstance(tree, list):
        for index, value in enumerate(tree):
            yield from _walk(value, f"{path}[{index}]")
