"""`At`: a place in a document that is read, with the reader's rules."""

from collections.abc import Collection
from typing import NamedTuple

from pydl4j.errors import ConfigError, ConfigWarning, shown, suggestion

__all__ = ["At", "Rules"]


class Rules(NamedTuple):
    """What a reader does with what pydl4j does not know."""

    lenient: bool = False
    """Leave out JSON keys that DL4J 1.0.0-M2.1 does not have, with a warning, as DL4J does without one."""
    custom: Collection[str] = ()
    """Java classes of the user's own that the document may name."""


class At(NamedTuple):
    """A place, spelled as in errors: ``layers[3].updater``, ``vertices["fc"].layer``."""

    path: str
    rules: Rules = Rules()

    def member(self, name: str) -> "At":
        return At(f"{self.path}.{name}" if self.path else name, self.rules)

    def item(self, index: int) -> "At":
        return At(f"{self.path}[{index}]", self.rules)

    def key(self, key: str) -> "At":
        return At(f'{self.path}["{key}"]', self.rules)

    def unknown(self, keys: Collection[str], owner: str, known: Collection[str] = ()) -> None:
        """Refuse JSON keys that ``owner`` does not have, or warn of them.

        Raises:
            ConfigError: There are such keys, and the rules are not lenient.

        """
        if not keys:
            return
        key = min(keys)
        message = f"{self.path}: {owner} has no JSON key {shown(key)}{suggestion(key, known)}"
        if not self.rules.lenient:
            raise ConfigError(f"{message}. from_json(..., lenient=True) leaves such keys out", path=self.path)
        import warnings

        warnings.warn(f"{message}; left out", ConfigWarning, stacklevel=2)
