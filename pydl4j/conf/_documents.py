"""`DocumentMethods`: reading and writing, the same for everything that is a document of its own."""

from collections.abc import Collection
from typing import Any, Self

from pydl4j.conf import _java
from pydl4j.conf._reading import At, Rules


class DocumentMethods:
    """``to_json``, ``from_json``, ``to_yaml``, ``from_yaml`` over ``to_tree`` and ``read``."""

    def to_tree(self) -> dict[str, Any]:
        """The document: dictionaries, lists and scalars in the order of its JSON. Raises `ConfigError`."""
        raise NotImplementedError

    @classmethod
    def read(cls, tree: Any, at: At) -> Self:
        """The object that a document describes. Raises `ConfigError`."""
        raise NotImplementedError

    def to_json(self) -> str:
        """DL4J's JSON of this configuration.

        Raises:
            ConfigError: DL4J has no JSON for it, or as `resolve` where there is one.

        """
        return _java.dumps(self.to_tree())

    @classmethod
    def from_json(cls, text: str, *, lenient: bool = False, custom: Collection[str] = ()) -> Self:
        """The configuration that DL4J's JSON describes; ``to_json()`` writes it back identically.

        What was read lists all that layers inherit and infer. So it does not equal the configuration that was written,
        though `diff` of the two finds nothing.

        Args:
            text: A document of DL4J 1.0.
            lenient: Leave out JSON keys that DL4J 1.0.0-M2.1 does not have, with a `ConfigWarning`.
            custom: Names of Java layer or vertex classes of your own that the document may contain.

        Raises:
            ConfigError: Not JSON, another kind of document, a class or key that DL4J does not have, or a wrong value.

        """
        return cls.read(_java.loads(text), At(cls.__name__, Rules(lenient, custom)))

    def to_yaml(self) -> str:
        """DL4J's YAML of this configuration. Raises `ConfigError` as `to_json`."""
        from pydl4j.conf import _yaml

        return _yaml.dumps(self.to_tree())

    @classmethod
    def from_yaml(cls, text: str, *, lenient: bool = False, custom: Collection[str] = ()) -> Self:
        """The configuration that DL4J's YAML describes. Arguments and errors as `from_json`."""
        from pydl4j.conf import _yaml

        return cls.read(_yaml.loads(text), At(cls.__name__, Rules(lenient, custom)))
