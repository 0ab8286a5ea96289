"""What ``dir()`` and completion show of a public module."""

from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

__all__ = ["public"]


def public(module: Mapping[str, Any]) -> Callable[[], list[str]]:
    """The ``__dir__`` of a module with these globals: its ``__all__``, or else what is neither private nor a module."""

    def names() -> list[str]:
        own = [name for name, value in module.items() if name[0] != "_" and not isinstance(value, ModuleType)]
        return sorted(module.get("__all__", own))

    return names
