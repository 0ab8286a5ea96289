"""DL4J's YAML: the same document as the JSON, with class names as native tags. Only this module loads PyYAML."""

from collections.abc import Iterator
from typing import Any

import yaml

from pydl4j.conf import _java
from pydl4j.conf._literals import NotANumber, is_unicode
from pydl4j.conf._numbers import IntKey, TypeNamed
from pydl4j.conf._yaml_scalars import double_quoted, java_length, key_text, resolve
from pydl4j.errors import ConfigError, shown

MAX_CHARACTERS = 4 * 2**20
"""Text that is longer is not read: DL4J writes about 1,000 characters for a layer."""


def dumps(tree: dict[str, Any]) -> str:
    """The YAML text that DL4J's ``toYaml()`` returns for a document."""
    parts = ["---"]
    _write_value(tree, -2, 4, parts)
    return "".join(parts)


def _write_members(tree: dict[str, Any], indent: int, lead: str, parts: list[str]) -> None:
    """The members of an object, in lines that start at ``indent``; ``lead`` stands before the first of them."""
    margin = " " * indent
    for key, value in tree.items():
        text, simple = (key, True) if isinstance(key, IntKey) else key_text(key, indent)
        if simple:
            parts += (lead, text, ":")
            _write_value(value, indent, indent + java_length(text) + 2, parts)
        else:
            parts += (lead, "? ", text, "\n", margin, ":")
            _write_item(value, indent, parts)
        lead = margin


def _write_value(value: Any, indent: int, column: int, parts: list[str]) -> None:
    """What follows ``key:``, whose key starts at ``indent``; a scalar starts at ``column``."""
    if isinstance(value, TypeNamed):
        ((name, members),) = value.items()
        _write_value({"@class": name, **members}, indent, column, parts)
    elif isinstance(value, dict):
        tag = _tag(value)
        members = {key: member for key, member in value.items() if key != tag}
        parts += (f" !<{value[tag]}>" if tag else "", "\n" if members else " {}\n")
        _write_members(members, indent + 2, " " * (indent + 2), parts)
    elif isinstance(value, list | tuple):
        parts.append("\n" if value else " []\n")
        _write_items(value, indent, " " * indent, parts)
    else:
        parts += (" ", _scalar(value, column, indent + 2), "\n")


def _write_items(items: list[Any] | tuple[Any, ...], indent: int, lead: str, parts: list[str]) -> None:
    margin = " " * indent
    for item in items:
        parts += (lead, "-")
        _write_item(item, indent, parts)
        lead = margin


def _write_item(value: Any, indent: int, parts: list[str]) -> None:
    """What follows the ``-`` of an item at ``indent``, or the ``:`` after a key that has lines of its own."""
    if value and isinstance(value, dict) and not _tag(value):
        _write_members(value, indent + 2, " ", parts)
    elif value and isinstance(value, list | tuple):
        _write_items(value, indent + 2, " ", parts)
    else:
        _write_value(value, indent, indent + 2, parts)


def _tag(tree: dict[str, Any]) -> str | None:
    """The key of an object's class."""
    if isinstance(tree.get("@class"), str):
        return "@class"
    return "type" if isinstance(tree.get("type"), str) and "." in tree["type"] else None


def _scalar(value: Any, column: int, indent: int) -> str:
    return double_quoted(value, column, indent) if isinstance(value, str) else _java.scalar(value).strip('"')


def loads(text: str) -> Any:
    """The tree of a YAML document; native tags become ``@class`` (``type`` in distributions) members.

    Plain scalars mean what they mean to DL4J: ``012`` is ten, ``1:30``, ``2001-01-01`` and ``<<`` are text; unlike to
    DL4J, ``yes`` and ``off`` are text, too. Refused are aliases, tags that name no class, several documents, and what
    `pydl4j.conf._java.loads` refuses, from `MAX_CHARACTERS` on.

    Raises:
        ConfigError: ``text`` is not such a document; the message says where.

    """
    _java.check_text(text, "YAML", MAX_CHARACTERS)
    try:
        return _Builder(yaml.parse(text, Loader=_LOADER)).document()
    except yaml.MarkedYAMLError as error:
        raise ConfigError(f"not a YAML document: {error.problem}{_place(error.problem_mark)}") from None
    except yaml.YAMLError as error:
        raise ConfigError(f"not a YAML document: {str(error).splitlines()[0]}") from None
    except ConfigError:
        raise
    except ValueError as error:  # PyYAML's own parser meets a number or a character that Python has not
        raise ConfigError(f"not a YAML document: {error}") from None


_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""libyaml's parser where PyYAML has it: ten times as fast, and alike but for taking tabs as spaces.

Only events are used; nothing constructs objects.
"""


def _place(mark: Any) -> str:
    """Where a mark of either parser is."""
    return f" at line {mark.line + 1} column {mark.column + 1}" if mark else ""


class _Builder:
    """Makes a tree of parser events."""

    def __init__(self, events: Iterator[yaml.Event]) -> None:
        self._events = events
        self._depth = 0
        self._values = 0

    def document(self) -> Any:
        """The one document."""
        next(self._events)  # the start of the stream
        if isinstance(next(self._events), yaml.StreamEndEvent):
            raise ConfigError("expected a YAML document. Received: comments only")
        tree = self._value(next(self._events))
        next(self._events)  # the end of the document
        after = next(self._events)
        if not isinstance(after, yaml.StreamEndEvent):
            raise _refuse(after, "expected one YAML document. Received: a second one")
        return tree

    def _value(self, event: yaml.Event) -> Any:
        self._values += 1
        if self._values > _java.MAX_VALUES:
            raise _refuse(event, _java.too_many("YAML"))
        if isinstance(event, yaml.ScalarEvent):
            return self._scalar(event)
        self._depth += 1
        if self._depth > _java.MAX_DEPTH:
            raise _refuse(event, _java.too_deep("YAML"))
        tree = self._collection(event)
        self._depth -= 1
        return tree

    def _collection(self, event: yaml.Event) -> Any:
        if isinstance(event, yaml.MappingStartEvent):
            return self._members(event)
        if isinstance(event, yaml.SequenceStartEvent):
            return self._items(event)
        assert isinstance(event, yaml.AliasEvent)
        raise _refuse(
            event, f"expected a value. Received: the alias *{event.anchor}, which stands for something else in DL4J"
        )

    def _scalar(self, event: yaml.ScalarEvent) -> Any:
        if event.tag is not None:
            raise _refuse(event, f"expected members under the tag {event.tag}. Received: {shown(event.value)}")
        if not is_unicode(event.value):
            raise _refuse(event, f"expected text. Received: {shown(event.value)}, half of a surrogate pair")
        try:
            return resolve(event.value) if event.implicit[0] else event.value
        except NotANumber as error:
            raise _refuse(event, str(error)) from None

    def _items(self, start: yaml.SequenceStartEvent) -> list[Any]:
        if start.tag is not None:
            raise _refuse(start, f"expected members under the tag {start.tag}. Received: a sequence")
        items = []
        while not isinstance(event := next(self._events), yaml.SequenceEndEvent):
            items.append(self._value(event))
        return items

    def _members(self, start: yaml.MappingStartEvent) -> dict[str, Any]:
        tree = _class_member(start)
        while not isinstance(event := next(self._events), yaml.MappingEndEvent):
            if not isinstance(event, yaml.ScalarEvent) or event.tag is not None:
                raise _refuse(event, "expected a key")
            self._scalar(event)
            if event.value in tree:
                raise _refuse(event, f"the key {shown(event.value)} occurs twice")
            tree[event.value] = self._value(next(self._events))
        return tree


def _class_member(event: yaml.MappingStartEvent) -> dict[str, Any]:
    """The member that an object's tag stands for."""
    tag = event.tag
    if tag is None:
        return {}
    if not all(part.isidentifier() for part in tag.replace("$", "_").split(".")):
        raise _refuse(event, f"expected the name of a class of DL4J as a tag. Received: {tag}")
    return {"type" if ".conf.distribution." in tag else "@class": tag}


def _refuse(event: yaml.Event, reason: str) -> ConfigError:
    return ConfigError(f"{reason}{_place(event.start_mark)}")
