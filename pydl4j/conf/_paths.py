"""Replacing by path: ``layers[2].n_out``, ``vertices["fc"].layer.updater.learning_rate``, spelled as in errors."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, TypeGuard, TypeVar

from pydl4j.conf._kernel import Conf, refuse, relocated
from pydl4j.errors import ConfigError, suggestion

__all__ = ["join", "replaced"]

_STEP = re.compile(r"(?:^|\.)(?P<name>[^\W\d]\w*)|\[(?P<index>-?\d+)\]|\[(?P<quote>[\"'])(?P<key>.*?)(?P=quote)\]")
_IN_ITEM = re.compile(r"( at (index \d+|key \S+))+$")
_INSIDE = ("layer", "underlying")  # options of wrappers
_SHOWN = 12  # names that an error lists

AnyConf = TypeVar("AnyConf", bound=Conf)
Steps = tuple[str | int, ...]


class _Changes(dict[str | int, "_Changes"]):
    """New values, in a tree of the objects that they are parts of."""

    value: Any = None
    path: str = ""
    """The path that this value was given under; empty for an object that only has new parts."""


def join(path: str, step: str | int, *, item: bool) -> str:
    """The path of an option, or of an item of a sequence or mapping, of what is at ``path``."""
    if not item:
        return f"{path}.{step}" if path else str(step)
    return f'{path}["{step}"]' if isinstance(step, str) else f"{path}[{step}]"


def replaced(conf: AnyConf, values: Mapping[str, Any]) -> AnyConf:
    """A copy of ``conf`` with new values by path; each object is made, and checked, once.

    Raises:
        ConfigError: A path that leads nowhere, two that overlap, or a value that its option does not take.

    """
    changes = _Changes()
    for path, value in values.items():
        _add(changes, _locate(conf, path), path, value)
    result: AnyConf = _rebuilt(conf, changes, "")
    return result


def _add(changes: _Changes, steps: Steps, path: str, value: Any) -> None:
    """Put a value into the tree, where it must not meet another."""
    for step in steps:
        if changes.path:
            break
        changes = changes.setdefault(step, _Changes())
    if changes.path or changes:
        other = changes.path or _first_path(changes)
        raise ConfigError(f"{path} overlaps {other}: replace one or the other", path=path)
    changes.value, changes.path = value, path


def _first_path(changes: _Changes) -> str:
    return changes.path or _first_path(next(iter(changes.values())))


def _locate(conf: Conf, path: str) -> Steps:
    """The steps to what is at ``path``: names of options, indices from 0, keys."""
    if not isinstance(path, str):
        raise refuse("replace", "must have paths as strings", path)
    here: Any = conf
    steps: list[str | int] = []
    place = ""
    end = 0
    while end < len(path) or not steps:
        match = _STEP.match(path, end)
        if match is None:
            raise ConfigError(
                f'{path!r} is not a path: expected one such as layers[2].n_out or vertices["fc"].layer.n_out', path=path
            )
        step, here, place = _step(here, match, place)
        steps.append(step)
        end = match.end()
    return tuple(steps)


def _step(here: Any, match: re.Match[str], place: str) -> tuple[str | int, Any, str]:
    """One step from what is ``here``, at ``place``: its key, what is there, and its place."""
    name, index, key = match["name"], match["index"], match["key"]
    if isinstance(here, Conf) and name is not None:
        if name not in type(here).options():
            raise _nothing(place, here, f"has no option {name!r}", name, list(type(here).options()))
        return name, getattr(here, name), join(place, name, item=False)
    if isinstance(here, Mapping) and name is None:
        wanted = int(index) if key is None else key
        if wanted not in here:
            raise _nothing(place, here, f"has no key {wanted!r}", wanted, list(here))
        return wanted, here[wanted], join(place, wanted, item=True)
    if _is_sequence(here) and index is not None:
        if not -len(here) <= int(index) < len(here):
            raise ConfigError(f"{place} has no item {index}; it has {len(here)}, from {place}[0]", path=place)
        position = int(index) % len(here)
        return position, here[position], join(place, position, item=True)
    raise _wrong_kind(place, here, match[0])


def _is_sequence(value: Any) -> TypeGuard[Sequence[Any]]:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _nothing(place: str, here: Any, what: str, wanted: str | int, known: Sequence[Any]) -> ConfigError:
    """The error for a name that is not there, with those that are."""
    owner = place or type(here).__name__
    kind = f" ({type(here).__name__})" if place and isinstance(here, Conf) else ""
    near = suggestion(wanted, [word for word in known if isinstance(word, str)])
    inside = next((i for i in _INSIDE if isinstance(here, Conf) and hasattr(getattr(here, i, None), str(wanted))), None)
    if inside:
        near = f" (did you mean {join(place, inside, item=False)}.{wanted}?)"
    listed = ", ".join(map(str, known[:_SHOWN])) + (", ..." if len(known) > _SHOWN else "")
    return ConfigError(f"{owner}{kind} {what}{near}. It has: {listed or 'none'}", path=place or None)


def _wrong_kind(place: str, here: Any, step: str) -> ConfigError:
    """The error for a step that this kind of object does not have."""
    step = step.removeprefix(".")
    if here is None:
        message = f"{place} is None, so that it has no {step}: replace {place} itself"
    elif isinstance(here, Conf):
        owner = place or type(here).__name__
        first = next(iter(type(here).options()), "option")
        message = f"{owner} has no item {step}: it is one {type(here).__name__}, with options such as {join(place, first, item=False)}"
    elif isinstance(here, Mapping):
        message = f"{place} has no option {step}: it is a mapping, with items such as {_example(place, here)}"
    elif _is_sequence(here):
        message = f"{place} has no {step}: it is a sequence of {len(here)}, with items such as {place}[0]"
    else:
        message = f"{place} is {here!r}, which has no {step}: it can only be replaced whole"
    return ConfigError(message, path=place)


def _example(place: str, here: Mapping[Any, Any]) -> str:
    return join(place, next(iter(here), 0), item=True)


def _rebuilt(here: Any, changes: _Changes, place: str) -> Any:
    """What is ``here`` with the changes made."""
    if changes.path:
        return changes.value
    if isinstance(here, Conf):
        parts = {
            str(name): _rebuilt(getattr(here, str(name)), part, join(place, name, item=False))
            for name, part in changes.items()
        }
        try:
            return here.replace(**parts)
        except ConfigError as error:
            about = _of_item(error, type(here).__name__, changes)
            raise about or (relocated(error, type(here).__name__, place) if place else error) from None
    items: Any = dict(here) if isinstance(here, Mapping) else list(here)
    for key, part in changes.items():
        items[key] = _rebuilt(items[key], part, join(place, key, item=True))
    return items


def _of_item(error: ConfigError, name: str, changes: _Changes) -> ConfigError | None:
    """An error about an option of which one item was given, as an error about this item; else nothing."""
    option = (error.path or "").removeprefix(f"{name}.")
    given = changes.get(option)
    if given is None or given.path:
        return None
    while len(given) == 1:
        given = next(iter(given.values()))
    must = error.message.partition(". Received: ")[0].removeprefix(f"{name}.{option} ")
    if not given.path or not must.startswith("must "):
        return None
    return ConfigError(f"{given.path} {_IN_ITEM.sub('', must)}. Received: {given.value!r}", path=given.path)
