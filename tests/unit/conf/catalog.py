"""Compares Python's configuration classes with DL4J's, which CatalogDump.java wrote to tests/golden/conf/catalog.json."""

import json
import re
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

from catalog_exceptions import NEEDED, SAMPLES

import pydl4j.conf
from pydl4j.conf import _codecs, _java
from pydl4j.conf._kernel import _BY_JAVA_NAME, Conf
from pydl4j.conf._reading import At
from pydl4j.conf.arrays import NDArray

DUMP = json.loads((Path(__file__).parents[2] / "golden" / "conf" / "catalog.json").read_text())
CLASSES = DUMP["classes"]
for module in walk_packages(pydl4j.conf.__path__, "pydl4j.conf."):
    import_module(module.name)
CONCRETE = {name: entry for name, entry in CLASSES.items() if "abstract" not in entry["flags"]}


def subclasses(cls):
    for sub in cls.__subclasses__():
        yield sub
        yield from subclasses(sub)


def simple(java_name):
    return java_name.rsplit(".", 1)[-1].rsplit("$", 1)[-1]


PYTHON = {name: cls for name, cls in _BY_JAVA_NAME.items() if cls.__module__.startswith("pydl4j.")}
DOCUMENTS = {
    name: cls
    for name in CONCRETE
    for cls in subclasses(Conf)
    if cls.__name__ == simple(name) and name not in PYTHON and not cls.java_name and not cls.__subclasses__()
}
"""Classes of documents that do not name their type."""


# Samples of values


def sample(codec):
    """A value that an option takes."""
    if isinstance(codec, _codecs._Optional | _codecs._Repeated):
        return sample(codec.item)
    if isinstance(codec, _codecs._Sequence):
        return (sample(codec.item),) * (codec.length or 1)
    if isinstance(codec, _codecs._Map):
        return {0 if codec.key is int else "a": sample(codec.item)}
    if isinstance(codec, _codecs._Object):
        return sample_of(codec.family)
    candidates = (1, 2, 0.5, True, "a", *getattr(codec, "words", ()))
    return next(value for value in candidates if fits(codec, value))


def fits(codec, value):
    try:
        codec.coerce(value)
    except _codecs.Mismatch:
        return False
    return True


@cache
def sample_of(family):
    """An object of a family, the one with the fewest options that must be given."""
    concrete = [cls for cls in {family, *subclasses(family)} if cls.java_name or not cls.__subclasses__()]
    return make(min(concrete, key=lambda cls: (len(required(cls)), cls.__name__)))


def required(cls):
    return {name: option for name, option in cls.options().items() if option.required}


def make(cls):
    """An object of a class with nothing set that need not be."""
    return cls(**{name: sample(option.codec) for name, option in required(cls).items()} | SAMPLES.get(cls.__name__, {}))


# Types

SCALARS = {
    _codecs._Bool: {"boolean", "Boolean"},
    _codecs._Int: {"int", "long", "Integer", "Long"},
    _codecs._Float: {"double", "float", "Double", "Float"},
    _codecs._Text: {"String"},
}


def type_problem(codec, java):
    """What is wrong with a codec for a Java type, if anything."""
    inner, of = inside(codec, java)
    if of is not None and inner is not codec:
        return type_problem(inner, of)
    if of is not None and isinstance(codec, _codecs._Choice):
        return choices_problem(set(codec.to_java.values()), java)
    fits = of is not None and of in names_of(codec)
    return None if fits else f"type: {java} in DL4J, {type(codec).__name__.strip('_')} here"


def inside(codec, java):
    """What a codec of several values takes, and what the Java type holds: ``None`` if it holds nothing like that."""
    if isinstance(codec, _codecs._Optional):
        return codec.item, java
    if isinstance(codec, _codecs._Sequence | _codecs._Repeated):
        held = re.fullmatch(r"(?:List|Set|Collection)<(.*)>|(.*)\[]", java)
        return codec.item, held and (held[1] or held[2])
    if isinstance(codec, _codecs._Map):
        held = re.fullmatch(r"Map<(?:Integer|String), (.*)>", java)
        return codec.item, held and held[1]
    return codec, java


def names_of(codec):
    """The Java types that a codec stands for."""
    if isinstance(codec, _codecs._Object):
        return {name for name in CLASSES if simple(name) == codec.family.__name__} | JAVA_TYPES.get(codec.family, set())
    return next(
        (types for kind, types in SCALARS.items() if isinstance(codec, kind)), {getattr(codec, "java_type", "")}
    )


JAVA_TYPES = {NDArray: {"org.nd4j.linalg.api.ndarray.INDArray"}}


def choices_problem(words, java):
    if java not in DUMP["enums"]:
        return f"type: {java} in DL4J, a choice here"
    constants = set(DUMP["enums"][java])
    missing, extra = sorted(constants - words), sorted(words - constants)
    return f"choices: {missing} are missing, {extra} are not DL4J's" if missing or extra else None


# One class


def problems(java_name, cls):
    """What differs between a Python class and DL4J's: ``key:what ...`` lines."""
    properties = CLASSES[java_name]["properties"]
    made = make(cls)
    options = {key: option for option in cls.options().values() for key in (option.key, option.schedule_key) if key}
    derived = made.derived()
    if java_name in DOCUMENTS:  # options of a network are not all written at its top
        options = {key: option for key, option in options.items() if key in made.to_tree()}
    found = [line for key, entry in properties.items() for line in key_problems(key, entry, options, derived)]
    found += [f"{key}:extra DL4J has no such key" for key in sorted({*options, *derived} - set(properties))]
    return found + value_problems(java_name, cls, made, options)


def key_problems(key, entry, options, derived):
    if key in derived:
        if entry["read"] != "no":
            yield f"{key}:derived DL4J reads it, by {entry['read']}; it is derived here"
    elif key not in options:
        yield f"{key}:missing DL4J has it: {entry}"
    elif entry["read"] == "no":
        yield f"{key}:extra DL4J writes it and does not read it; it is an option here"
    else:
        option = options[key]
        if key == option.schedule_key:
            wrong = simple(entry["type"]) != "ISchedule" and f"type: {entry['type']} in DL4J, a schedule here"
        else:
            wrong = type_problem(option.codec, entry["type"])
        if wrong:
            yield f"{key}:{wrong}"


def value_problems(java_name, cls, made, options):
    properties = CLASSES[java_name]["properties"]
    tree = plain(made.to_tree())
    given = {option.key for option in required(cls).values()}
    needed = {*given, *CLASSES[java_name]["required"], cls._type_key, *NEEDED.get(cls.__name__, ())}
    document = {key: value for key, value in tree.items() if key in needed}
    reader = cls.read_members if cls.read.__func__ is Conf.read.__func__ else cls.read
    read = plain(reader(document, At("document")).to_tree())
    found = []
    for key, entry in properties.items():
        if key not in options or entry["written"] == "no":
            continue
        if key in given or key in NEEDED.get(cls.__name__, ()):
            if not entry.get("given") and entry["default"] not in (0, None, [], 0.0):
                found.append(f"{key}:default {entry['default']} in DL4J, required here")
            continue
        if not entry.get("given") and not same(tree.get(key), entry["default"]):
            found.append(f"{key}:default {entry['default']} in DL4J, {tree.get(key)} here")
        if entry.get("given"):
            found.append(f"{key}:default none in DL4J, {tree.get(key)} here")
        if "absent" in entry and not same(read.get(key), entry["absent"]):
            unknown = entry["absent"] is None and not isinstance(options[key].codec, _codecs._Optional)
            what = "null" if unknown else "absent"
            found.append(f"{key}:{what} {entry['absent']} in DL4J, {read.get(key)} here")
    return found


def plain(tree):
    """A tree as JSON has it."""
    return json.loads(_java.dumps(tree))


def same(one, other):
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def names(java_name):
    """The names under which a class's exceptions may be listed."""
    entry = CLASSES[java_name]
    return [simple(name) for name in (java_name, *entry["extends"], entry["family"])]
