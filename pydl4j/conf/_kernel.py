"""`Conf`: what every configuration class is made of.

A configuration class is a docstring and annotated options. An instance is frozen, keyword-only, hashable, comparable
and picklable; its values are checked when it is made; its ``repr`` shows what was set and evaluates to an equal object.
Options map to DL4J's JSON keys by one rule (``kernel_size``: ``kernelSize``); the exceptions are a class's ``keys``.
"""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self, dataclass_transform, get_origin, get_type_hints

from pydl4j.conf._codecs import Codec, Mismatch, codec_of, squash
from pydl4j.conf._java import MAX_DEPTH
from pydl4j.conf._reading import At
from pydl4j.errors import ConfigError, GuardError, UnknownOptionError, shown, suggestion

if TYPE_CHECKING:
    import inspect

__all__ = ["Conf", "Option", "guard", "in_call", "java_class", "refuse", "relocated"]


def refuse(path: str, must: str, received: Any) -> ConfigError:
    """The error for a value: where it is, what it must be, what it was."""
    return ConfigError(f"{path} {must}. Received: {shown(received)}", path=path)


def guard(path: str, must: str, received: Any) -> GuardError:
    """`refuse`, for what DL4J lets pass and should not."""
    return GuardError(f"{path} {must}. Received: {shown(received)}", path=path)


class Option:
    """One option of a configuration class."""

    __slots__ = ("codec", "default", "key", "name", "required", "schedule_key")

    def __init__(self, name: str, key: str | None, codec: Codec, schedule_key: str | None) -> None:
        self.name = name
        self.key = key
        """The key in JSON; ``None`` for an option that only Python has."""
        self.codec = codec
        self.schedule_key = schedule_key
        """Where the option takes a number or a schedule: the key of the schedule."""
        self.required = True
        self.default: Any = None

    def coerce(self, value: Any, path: str) -> Any:
        """``value`` in canonical form, checked."""
        if self.schedule_key is not None and isinstance(value, Conf):
            return _SCHEDULE[0].checked(value, f"{path}.{self.name}")
        try:
            return self.codec.coerce(value)
        except Mismatch as mismatch:
            raise refuse(f"{path}.{self.name}", str(mismatch), value) from None

    def write(self, value: Any, tree: dict[str, Any]) -> None:
        """Put ``value`` into the JSON object ``tree``."""
        assert self.key is not None
        if self.schedule_key is None:
            tree[self.key] = self.codec.write(value)
            return
        scheduled = isinstance(value, Conf)
        tree[self.key] = math.nan if scheduled else self.codec.write(value)
        tree[self.schedule_key] = value.to_tree() if scheduled else None

    def is_in(self, tree: Mapping[str, Any]) -> bool:
        """Whether the JSON object ``tree`` has the value."""
        return self.key in tree or (self.schedule_key is not None and tree.get(self.schedule_key) is not None)

    def read(self, tree: Mapping[str, Any], at: At) -> Any:
        """The value in the JSON object ``tree``, which has it."""
        assert self.key is not None
        here = at.member(self.name)
        if self.schedule_key is not None and tree.get(self.schedule_key) is not None:
            return _SCHEDULE[0].read(tree[self.schedule_key], here)
        return self.codec.read(tree[self.key], here)


_ELSEWHERE = {
    "filters": "n_out",
    "in_channels": "n_in",
    "in_features": "n_in",
    "input_dim": "n_in",
    "lr": "learning_rate",
    "out_channels": "n_out",
    "out_features": "n_out",
    "units": "n_out",
    "use_bias": "has_bias",
}
"""Names that Keras and PyTorch have for options, and DL4J's."""

_LISTED = 10
"""Options of a class that are all listed where none is meant; of more, those that are required or its own."""

_SCHEDULE: list[type["Conf"]] = []
"""The family of schedules, put here by its module: the kernel cannot import it."""

_BY_JAVA_NAME: dict[str, type["Conf"]] = {}


def java_class(name: str) -> "type[Conf] | None":
    """The configuration class that stands for a Java class; ``None`` if there is none."""
    return _BY_JAVA_NAME.get(name)


@dataclass_transform(kw_only_default=True, frozen_default=True)
class Conf:
    """A frozen configuration object, described by the annotations of its class."""

    java_name: ClassVar[str] = ""
    """The DL4J class; empty for a class that only groups others."""

    _keys: ClassVar[Mapping[str, str | None]] = {}
    _first: ClassVar[Sequence[str]] = ()
    _absent: ClassVar[Mapping[str, Any]] = {}
    _schedules: ClassVar[Mapping[str, str]] = {}
    _omit_null: ClassVar[bool] = False
    _type_key: ClassVar[str] = "@class"
    _alias: ClassVar[str] = ""
    _named: ClassVar[dict[str, Callable[[], "Conf"]]] = {}
    _ignored: ClassVar[Collection[str]] = ()
    """JSON keys that older versions of DL4J wrote for nothing, and that it ignores since."""
    _unreadable: ClassVar[Mapping[str, str]] = {}
    """Java classes of the family that DL4J writes and cannot read back, and what to use instead."""

    def __init_subclass__(
        cls,
        *,
        java: str = "",
        alias: str = "",
        keys: Mapping[str, str | None] | None = None,
        first: Sequence[str] = (),
        absent: Mapping[str, Any] | None = None,
        schedules: Mapping[str, str] | None = None,
        **kwargs: Any,
    ) -> None:
        """Describe a configuration class.

        Args:
            java: Name of the DL4J class.
            alias: Name that stands for an instance without options, such as ``relu``.
            keys: JSON keys of options that do not follow the rule; ``None`` for options that only Python has.
            first: JSON keys that Jackson writes first (parameters of the Java constructor).
            absent: Values that DL4J takes for options that a document lacks, where they are not the defaults.
            schedules: Options that take a number or a schedule, with the JSON key of the schedule.
            kwargs: For other classes in the hierarchy.

        """
        super().__init_subclass__(**kwargs)
        cls.java_name = java
        if Conf in cls.__bases__:
            cls._named = {}  # the names of a family
        cls._alias = alias
        cls._keys = {**cls._keys, **(keys or {})}
        cls._absent = {**cls._absent, **(absent or {})}
        cls._schedules = {**cls._schedules, **(schedules or {})}
        cls._first = first or cls._first
        if java:
            _BY_JAVA_NAME[java] = cls
        if alias:
            cls._named[squash(alias)] = cls

    if not TYPE_CHECKING:  # type checkers derive the signature from the annotations

        def __init__(self, *args: Any, **options: Any) -> None:
            cls = type(self)
            if args:
                options = cls.options().values()
                example = next((option.name for option in sorted(options, key=lambda o: not o.required)), "option")
                raise UnknownOptionError(
                    f"{cls.__name__} takes its options by keyword, such as {example}=... Received: {args[0]!r}",
                    path=cls.__name__,
                )
            self._set(cls._complete(cls._prepare(options)))
            if self.nesting > MAX_DEPTH:
                must = f"must have at most {MAX_DEPTH} objects and sequences inside one another"
                raise refuse(cls.__name__, must, self)
            self.validate(cls.__name__)

    @classmethod
    def _prepare(cls, given: Mapping[str, Any]) -> Mapping[str, Any]:
        """The options in canonical form where a class takes a shorter one that spans several."""
        return given

    @classmethod
    def options(cls) -> dict[str, Option]:
        """The options of this class by name, those of its base classes first."""
        own = cls.__dict__.get("_options")
        if own is None:
            hints = get_type_hints(cls, include_extras=True)
            own = {name: cls._option(name, hint) for name, hint in hints.items() if get_origin(hint) is not ClassVar}
            cls._options = own
        return own

    _options: ClassVar[dict[str, Option]]

    @classmethod
    def _option(cls, name: str, annotation: Any) -> Option:
        key = cls._keys[name] if name in cls._keys else _camel(name)
        schedule_key = cls._schedules.get(name)
        option = Option(name, key, codec_of(annotation, number_only=schedule_key is not None), schedule_key)
        option.required = not hasattr(cls, name)
        if not option.required:
            option.default = option.coerce(getattr(cls, name), cls.__name__) if getattr(cls, name) is not None else None
            setattr(cls, name, option.default)  # what an instance shows for an option that was not set
        return option

    @classmethod
    def _complete(cls, given: Mapping[str, Any]) -> dict[str, Any]:
        """The options that differ from their defaults, checked."""
        options = cls.options()
        values = {}
        for name, value in given.items():
            option = options.get(name)
            if option is None:
                raise cls._unknown(name)
            canonical = option.coerce(value, cls.__name__)
            if option.required or canonical != option.default or type(canonical) is not type(option.default):
                values[name] = canonical
        missing = [name for name, option in options.items() if option.required and name not in values]
        if missing:
            raise ConfigError(f"{cls.__name__}.{missing[0]} is required", path=f"{cls.__name__}.{missing[0]}")
        return values

    @classmethod
    def _unknown(cls, name: str) -> UnknownOptionError:
        """The error for an option that there is not: with the one that was meant, else the class's own."""
        options = cls.options()
        near = suggestion(name, list(options))
        meant = _ELSEWHERE.get(name)
        if meant in options:
            near = f" (here it is {meant!r})"
        elif not near and options:
            from inspect import get_annotations

            own = [name for name, option in options.items() if option.required or name in get_annotations(cls)]
            listed = own if own and len(options) > _LISTED else list(options)
            more = f", and those of its bases: help({cls.__name__})" if len(listed) < len(options) else ""
            near = f". It has: {', '.join(listed)}{more}"
        return UnknownOptionError(f"{cls.__name__} has no option {name!r}{near}", path=cls.__name__)

    def _set(self, values: dict[str, Any]) -> None:
        self.__dict__.update(values)

    def validate(self, path: str) -> None:
        """Check what no single option shows. ``path`` names this object in errors."""

    @classmethod
    def checked(cls, value: Any, path: str) -> Self:
        """``value`` if it is of this class, else an error."""
        if isinstance(value, cls):
            return value
        raise refuse(path, f"must be {_article(cls.__name__)}", value)

    @classmethod
    def convert(cls, value: Any) -> Any:
        """An instance from a name. Raises `Mismatch`."""
        make = cls._named.get(squash(value)) if isinstance(value, str) else None
        if make is not None:
            return make()
        wanted = _article(cls.__name__)
        if isinstance(value, type) and issubclass(value, cls):
            needs = any(option.required for option in value.options().values())
            raise Mismatch(f"must be {wanted}: write {value.__name__}({'...' if needs else ''})")
        if cls._named:
            wanted += f" or one of {', '.join(sorted(map(repr, cls._named)))}{suggestion(value, list(cls._named))}"
        raise Mismatch(f"must be {wanted}")

    def replace(self, parts: "Mapping[str, Any] | None" = None, /, **changes: Any) -> Self:
        """A copy with some options changed, or ``parts`` at any depth by path: ``{"layers[2].n_out": 50}``.

        Every path leads to something that is there, and sizes that were inferred are inferred again (but not in a
        configuration that was read from a document, which lists them all).
        """
        if parts is not None:
            from pydl4j.conf._paths import replaced

            if not isinstance(parts, Mapping):
                raise refuse("replace", "must have options by path", parts)
            return replaced(self, {**parts, **changes})
        return type(self)(**{**self._given(), **changes})

    __replace__ = replace

    def _with(self, **changes: Any) -> Self:
        """`replace` for values that are canonical and fit: neither they nor the copy are checked."""
        copy = object.__new__(type(self))
        values = self._given()
        options = type(self).options()
        for name, value in changes.items():
            default = options[name].default
            if value == default and type(value) is type(default) and not options[name].required:
                values.pop(name, None)
            else:
                values[name] = value
        copy.__dict__.update(values)
        return copy

    def _given(self) -> dict[str, Any]:
        """The options that were set, in the order of the class."""
        own = self.__dict__
        return {name: own[name] for name in type(self).options() if name in own}  # own has cached values, too

    @cached_property
    def nesting(self) -> int:
        """Objects and sequences inside one another, this one included."""
        return 1 + max(map(_nesting_of, self._given().values()), default=0)

    def _values(self) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name in type(self).options())

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._values() == other._values()

    def __hash__(self) -> int:
        return hash((type(self), self._values()))

    def shown(self) -> str:
        """This object as a value in a call: its short name where it has one."""
        return repr(self._alias) if self._alias and not self._given() else repr(self)

    def __repr__(self) -> str:
        given = ", ".join(f"{name}={in_call(value)}" for name, value in self._given().items())
        return f"{type(self).__name__}({given})"

    if not TYPE_CHECKING:  # type checkers know from the transform that instances are frozen

        def __setattr__(self, name: str, value: Any) -> None:
            raise AttributeError(f"{type(self).__name__} is frozen: use replace({name}=...)")

        def __delattr__(self, name: str) -> None:
            raise AttributeError(f"{type(self).__name__} is frozen: its options cannot be deleted")

    def __getstate__(self) -> dict[str, Any]:
        return self._given()

    def to_tree(self) -> dict[str, Any]:
        """This object as DL4J writes it: dictionaries, lists and scalars in the order of its JSON."""
        members: dict[str, Any] = {}
        for option in type(self).options().values():
            if option.key is not None:
                option.write(getattr(self, option.name), members)
        members.update(self.derived())
        if self._omit_null:
            members = {key: value for key, value in members.items() if value is not None}
        tree = {self._type_key: self.java_name} if self.java_name else {}
        tree.update({key: members.pop(key) for key in self._first if key in members})
        tree.update(sorted(members.items()))
        return tree

    def derived(self) -> dict[str, Any]:
        """Keys that DL4J writes and does not read."""
        return {}

    @classmethod
    def read(cls, tree: Any, at: At) -> Self:
        """An object of this family from JSON. ``at`` is its place in the configuration.

        Raises:
            ConfigError: An unknown class, key or value, or one of another family.

        """
        if not isinstance(tree, Mapping):
            raise refuse(at.path, f"must be {_article(cls.__name__)} as a JSON object", tree)
        return cls._class_of(tree, at).read_members(tree, at)

    @classmethod
    def read_members(cls, tree: Mapping[str, Any], at: At) -> Self:
        """An object of this class from a JSON object."""
        members = {key: value for key, value in tree.items() if key != cls._type_key}
        values = cls.read_options(members, at)
        known = {key for option in cls.options().values() for key in (option.key, option.schedule_key) if key}
        unknown = set(members) - known
        try:
            instance = cls(**values)
        except ConfigError as error:
            if error.message.endswith(" is required"):  # perhaps it is there, misspelled
                at.unknown([key for key in unknown if suggestion(key, known)], cls.java_name or cls.__name__, known)
            raise relocated(error, cls.__name__, at.path) from None
        if unknown:  # what is derived takes time to compute
            at.unknown(unknown - {*instance.derived(), *cls._ignored}, cls.java_name or cls.__name__, known)
        return instance

    @classmethod
    def _class_of(cls, tree: Mapping[str, Any], at: At) -> "type[Self]":
        if cls.java_name and cls._type_key not in tree:
            return cls
        java_name = tree.get(cls._type_key)
        if not isinstance(java_name, str):
            raise ConfigError(
                f"{at.path}: expected a DL4J class name under {cls._type_key!r}. Received: {shown(java_name)}",
                path=at.path,
            )
        if java_name in cls._unreadable:
            message = f"{at.path}: DL4J itself cannot read a {java_name} from a document: {cls._unreadable[java_name]}"
            raise ConfigError(message, path=at.path)
        concrete = _BY_JAVA_NAME.get(java_name) or cls._custom_class(java_name, at)
        if concrete is None:
            raise ConfigError(f"{at.path}: pydl4j does not support the Java class {shown(java_name)}", path=at.path)
        if not issubclass(concrete, cls):
            raise ConfigError(f"{at.path} must be {_article(cls.__name__)}. Received: {java_name}", path=at.path)
        return concrete

    @classmethod
    def _custom_class(cls, java_name: str, at: At) -> "type[Self] | None":
        """The class that stands for a Java class of the user's own; families that allow these override it."""
        return None

    @classmethod
    def read_options(cls, members: Mapping[str, Any], at: At) -> dict[str, Any]:
        """The options that are in a JSON object, for the constructor."""
        values = {}
        for name, option in cls.options().items():
            if option.is_in(members):
                values[name] = option.read(members, at)
            elif name in cls._absent:
                values[name] = cls._absent[name]
        return values


def relocated(error: ConfigError, name: str, path: str) -> ConfigError:
    """An error found while an object was made, with the object's place in the configuration."""
    inside = error.message.startswith(f"{name}.")
    message = path + error.message.removeprefix(name) if inside else f"{path}: {error.message}"
    return type(error)(message, path=path + (error.path or "").removeprefix(name))


def _nesting_of(value: Any) -> int:
    """Objects and sequences inside one another."""
    if isinstance(value, Conf):
        return value.nesting
    if isinstance(value, dict | tuple):
        return 1 + max(map(_nesting_of, value.values() if isinstance(value, dict) else value), default=0)
    return 0


def _camel(name: str) -> str:
    head, *rest = name.split("_")
    return head + "".join(word.capitalize() for word in rest)


def _article(name: str) -> str:
    return f"an {name}" if name[0] in "AEIOUL" and name[:2] not in {"Lo", "La"} else f"a {name}"


def in_call(value: Any) -> str:
    """A value as it is written in a call: the short name where an object has one."""
    if isinstance(value, Conf):
        return value.shown()
    if isinstance(value, tuple):
        items = ", ".join(map(in_call, value))
        return f"({items},)" if len(value) == 1 else f"({items})"
    return repr(value)


class Signature:
    """The constructor's signature, for ``help()`` and completion; made when asked for."""

    def __get__(self, instance: Any, owner: type[Conf]) -> "inspect.Signature":
        import inspect

        parameters = [
            inspect.Parameter(
                o.name, inspect.Parameter.KEYWORD_ONLY, default=inspect.Parameter.empty if o.required else o.default
            )
            for o in owner.options().values()
        ]
        return inspect.Signature(sorted(parameters, key=lambda p: p.default is not inspect.Parameter.empty))


Conf.__signature__ = Signature()  # type: ignore[attr-defined]
