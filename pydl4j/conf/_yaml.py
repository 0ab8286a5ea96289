"""DL4J's YAML: the same document as the JSON, with class names as native tags. Only this module loads PyYAML."""

from typing import Any

import yaml

from pydl4j.conf import _java
from pydl4j.errors import ConfigError

_TYPE_KEYS = ("@class", "type")


def dumps(tree: Any) -> str:
    """The YAML text that DL4J's ``toYaml()`` returns for a document."""
    return "---\n" + "".join(f"{line}\n" for line in _members(tree))


def _members(tree: dict[str, Any]) -> list[str]:
    lines = []
    for key, value in tree.items():
        head, block = _value(value)
        lines += [f"{key}:{head}", *block]
    return lines


def _value(value: Any) -> tuple[str, list[str]]:
    """What follows ``key:`` or ``-`` on its line, and the lines below it."""
    if isinstance(value, dict):
        tag = _tag(value)
        members = {key: member for key, member in value.items() if not (tag and key in _TYPE_KEYS)}
        head = f" !<{value[tag]}>" if tag else ""
        return (head, [f"  {line}" for line in _members(members)]) if members else (f"{head} {{}}", [])
    if isinstance(value, list):
        return ("", [line for item in value for line in _item(item)]) if value else (" []", [])
    return f" {_java.format_double(value) if isinstance(value, float) else _java.scalar(value)}", []


def _item(value: Any) -> list[str]:
    """The lines of one item of a sequence."""
    head, block = _value(value)
    if isinstance(value, dict) and not head and block:
        return [f"- {block[0].removeprefix('  ')}", *block[1:]]
    return [f"-{head}", *block]


def _tag(tree: dict[str, Any]) -> str | None:
    return next((key for key in _TYPE_KEYS if isinstance(tree.get(key), str) and "." in tree[key]), None)


def loads(text: str) -> Any:
    """The tree of a YAML document; native tags become ``@class`` (``type`` in distributions) members.

    Raises:
        ConfigError: ``text`` is not YAML.

    """
    if not isinstance(text, str):
        raise ConfigError(f"expected a YAML document as text. Received: {type(text).__name__}")
    try:
        return yaml.load(text, Loader=_Loader)  # noqa: S506 - a safe loader, extended by tags that make dictionaries
    except yaml.YAMLError as error:
        raise ConfigError(f"not a YAML document: {error}") from None


class _Loader(yaml.SafeLoader):
    """A safe loader that takes DL4J's class tags."""


def _construct(loader: _Loader, tag: str, node: yaml.Node) -> Any:
    if not isinstance(node, yaml.MappingNode):
        raise yaml.constructor.ConstructorError(None, None, f"expected members under the tag {tag}", node.start_mark)
    key = "type" if ".conf.distribution." in tag else "@class"
    return {key: tag, **loader.construct_mapping(node, deep=True)}


_Loader.add_multi_constructor("", _construct)
