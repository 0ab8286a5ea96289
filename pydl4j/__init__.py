"""Deeplearning4j from Python.

Importing starts nothing and loads nothing of size: public names are resolved on first use.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from pydl4j._version import __version__

if TYPE_CHECKING:
    from pydl4j import errors as errors
    from pydl4j import normalizers as normalizers

# public name -> module that defines it; a module's own name maps to itself
_NAMES: dict[str, str] = {}
_MODULES: tuple[str, ...] = ("errors", "normalizers")

__all__ = ["__version__", "errors", "normalizers"]


def __getattr__(name: str) -> Any:
    if name in _NAMES:
        return getattr(import_module(_NAMES[name]), name)
    if name in _MODULES:
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module 'pydl4j' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_NAMES, *_MODULES})
