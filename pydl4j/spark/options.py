"""Checks of options, for the classes that hold those of a training master."""

from dataclasses import fields
from functools import wraps
from typing import Any, TypeVar

from pydl4j.errors import ConfigError, UnknownOptionError, suggestion

T = TypeVar("T")


def options_named(cls: type[T]) -> type[T]:
    """Let the class refuse options that it does not have with their names."""
    init = cls.__init__
    known = [item.name for item in fields(cls)]  # type: ignore[arg-type]  # a dataclass

    @wraps(init)
    def checked(self: T, **options: Any) -> None:
        for name in options:
            if name not in known:
                raise UnknownOptionError(
                    f"{cls.__name__} has no option {name!r}{suggestion(name, known)}; expected one of: {', '.join(known)}",
                    path=cls.__name__,
                )
        init(self, **options)

    cls.__init__ = checked  # type: ignore[assignment]
    return cls


class Options:
    """What dataclasses of options have in common."""

    def to_dict(self) -> dict[str, Any]:
        """The options by name, and the class' own name as ``@class``."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]  # a dataclass
        written = {name: value.to_dict() if isinstance(value, Options) else value for name, value in values.items()}
        return {"@class": type(self).__name__} | written

    def _check_int(self, name: str, least: int, most: int = 2**31 - 1, *, optional: bool = False) -> None:
        value = getattr(self, name)
        if value is None and optional:
            return
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            limits = f"an int >= {least}" if most == 2**31 - 1 else f"an int from {least} to {most}"
            raise self._error(name, f"{limits}{' or None' if optional else ''}")

    def _check_number(
        self, name: str, *, above: float, below: float = float("inf"), least: float | None = None
    ) -> None:
        value = getattr(self, name)
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if not number or not (value > above or value == least) or not value < below:
            low = f"> {above:g}" if least is None else f">= {least:g}"
            high = "" if below == float("inf") else f" and < {below:g}"
            raise self._error(name, f"a number {low}{high}")

    def _check_choice(self, name: str, choices: tuple[str, ...], *, optional: bool = False) -> None:
        value = getattr(self, name)
        if value not in choices and not (optional and value is None):
            raise self._error(name, f"one of {', '.join(choices)}{' or None' if optional else ''}")

    def _check_bool(self, name: str) -> None:
        if not isinstance(getattr(self, name), bool):
            raise self._error(name, "True or False")

    def _check_class(self, name: str, *classes: type) -> None:
        if not isinstance(getattr(self, name), classes):
            raise self._error(name, " or ".join(cls.__name__ for cls in classes))

    def _error(self, name: str, expected: str) -> ConfigError:
        path = f"{type(self).__name__}.{name}"
        return ConfigError(f"{path}: expected {expected}. Received: {getattr(self, name)!r}", path=path)
