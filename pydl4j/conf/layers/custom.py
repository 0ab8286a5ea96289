"""Layers of the user's own, written in Java."""

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Self

from pydl4j.conf._codecs import CodecBase, FrozenMap, Mismatch, number_of
from pydl4j.conf._java import MAX_DEPTH
from pydl4j.conf._kernel import Conf, refuse
from pydl4j.conf._reading import At
from pydl4j.conf.inputs import InputType
from pydl4j.conf.layers.base import Layer, ParamShapes, Positive
from pydl4j.errors import ConfigError

if TYPE_CHECKING:
    from pydl4j.conf.options import NetworkOptions

__all__ = ["CustomLayer"]

MAX_NAME = 200
DL4J = ("org.deeplearning4j.", "org.nd4j.", "org.datavec.")
_JAVA_NAME = re.compile(r"([A-Za-z_$][\w$]*\.)+[A-Za-z_$][\w$]*")


class _Json(CodecBase):
    """Members of a JSON object, with configuration objects in them if need be."""

    def coerce(self, value: Any) -> Any:
        return _members(value, 1)

    def write(self, value: Any) -> Any:
        return {key: _written(item) for key, item in value.items()}

    def read(self, tree: Any, at: At) -> Any:
        return tree


def _members(value: Any, depth: int) -> FrozenMap:
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise Mismatch("must be a mapping from JSON keys")
    return FrozenMap({key: _coerced(item, depth) for key, item in value.items()})


def _coerced(value: Any, depth: int) -> Any:
    """``value``, inside of ``depth`` mappings and sequences, as it is kept."""
    if value is None or isinstance(value, bool | int | float | str | Conf):
        return value
    if isinstance(value, Mapping | Sequence) and depth >= MAX_DEPTH:  # such as one that holds itself
        raise Mismatch(f"must have at most {MAX_DEPTH} mappings and sequences inside one another")
    if isinstance(value, Mapping):
        return _members(value, depth + 1)
    if isinstance(value, Sequence):
        return tuple(_coerced(item, depth + 1) for item in value)
    number = number_of(value)
    if number is None:
        raise Mismatch("must hold what JSON has: numbers, strings, lists, mappings; or configuration objects")
    return number


def _written(value: Any) -> Any:
    if isinstance(value, Conf):
        return value.to_tree()
    if isinstance(value, Mapping):
        return _Json().write(value)
    return [_written(item) for item in value] if isinstance(value, tuple) else value


class CustomLayer(Layer):
    """A layer of your own, written in Java: ``java_class`` with ``fields``, which are written as they are given.

    Nothing is inherited and no preprocessor is added: give every field that the Java class reads, such as ``layerName``
    and ``iupdater``. What comes out of the layer and which parameters it has is known to Python only as far as ``output``
    and ``parameters`` tell; without ``output``, the layers that follow need their sizes. The class must be on the JVM's
    class path. Documents that name it are read with ``from_json(text, custom=["com.acme.MyLayer"])``.

    >>> CustomLayer(java_class="com.acme.MyLayer", fields={"nin": 4, "nout": 3}, output=InputType.feed_forward(3))
    CustomLayer(java_class='com.acme.MyLayer', fields={'nin': 4, 'nout': 3}, output=InputType.feed_forward(size=3))
    """

    java_class: str
    """Full name of the Java class."""
    fields: Annotated[Mapping[str, object], _Json()] = FrozenMap()
    """Members of its JSON object: what JSON has, or configuration objects, such as activation functions."""
    output: InputType | None = None
    """Type of the activations."""
    parameters: Mapping[str, Sequence[Positive]] | None = None
    """Shapes of the parameters by their keys, in the order of the flat vector."""

    def validate(self, path: str) -> None:
        if not _JAVA_NAME.fullmatch(self.java_class):
            raise refuse(
                f"{path}.java_class", 'must be the full name of a class, such as "com.acme.MyLayer"', self.java_class
            )
        if self.java_class.startswith(DL4J):
            raise refuse(f"{path}.java_class", "must be a class of your own, not one of DL4J's", self.java_class)
        if "@class" in self.fields:
            raise refuse(f"{path}.fields", "must not have @class, which is java_class", self.fields["@class"])

    @classmethod
    def allowed(cls, java_name: str, at: At) -> "type[CustomLayer] | None":
        """This class for a name that the reader allows; ``None`` for one of DL4J's packages, and for what is no name.

        Raises:
            ConfigError: Another name.

        """
        if java_name in at.rules.custom:
            return cls
        if java_name.startswith(DL4J) or not _JAVA_NAME.fullmatch(java_name) or len(java_name) > MAX_NAME:
            return None
        message = (
            f"{at.path}: the Java class {java_name!r} is not one of DL4J's. "
            f"from_json(..., custom=[{java_name!r}]) reads it as a CustomLayer"
        )
        raise ConfigError(message, path=at.path)

    def output_type(self, input_type: InputType, path: str = "") -> InputType | None:
        return self.output

    def param_shapes(self) -> ParamShapes:
        return {key: tuple(shape) for key, shape in (self.parameters or {}).items()}

    def inherit(self, network: "NetworkOptions", name: str) -> Self:
        return self._with(name=self.name or name)

    def constrained(self, network: "NetworkOptions") -> Self:
        return self

    def check(self, path: str) -> None:
        for option in ("dropout", "constraints", "constrain_all", "constrain_weights", "constrain_bias"):
            if getattr(self, option) is not None:
                raise refuse(
                    f"{path}.{option}", "must be given among the fields, under its JSON key", getattr(self, option)
                )

    def to_tree(self) -> dict[str, Any]:
        return {"@class": self.java_class, **_Json().write(self.fields)}

    @classmethod
    def read_members(cls, tree: Mapping[str, Any], at: At) -> Self:
        name = tree.get("layerName")
        fields = {key: value for key, value in tree.items() if key != "@class"}
        return cls(java_class=tree["@class"], fields=fields, name=name if isinstance(name, str) else None)
