"""Compares Python's configuration classes with DL4J's, which CatalogDump.java wrote to tests/golden/conf/catalog.json."""

import json
import re
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

from catalog_exceptions import CODEC_SAMPLES, SAMPLES

import pydl4j.conf
from pydl4j.conf import _codecs, _java
from pydl4j.conf._kernel import _BY_JAVA_NAME, Conf
from pydl4j.conf._reading import At
from pydl4j.conf.arrays import NDArray
from pydl4j.errors import ConfigError, GuardError

DUMP = json.loads((Path(__file__).parents[2] / "golden" / "conf" / "catalog.json").read_text())
CLASSES = DUMP["classes"]
CONCRETE = {name: entry for name, entry in CLASSES.items() if "abstract" not in entry["flags"]}
for module in walk_packages(pydl4j.conf.__path__, "pydl4j.conf."):
    import_module(module.name)


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
"""Classes whose JSON does not name its type."""


# Samples of values

SCALAR_SAMPLES = (1, 2, 0.5, True, "a", ["a"], {"a": "a"}, {"a": 1})


def sample(codec):
    """A value that an option takes."""
    if isinstance(codec, _codecs._Optional | _codecs._Repeated):
        return sample(codec.item)
    if isinstance(codec, _codecs.SequenceCodec):
        return (sample(codec.item),) * (codec.length or 1)
    if isinstance(codec, _codecs.MapCodec):
        return {0 if codec.key is int else "a": sample(codec.item)}
    if isinstance(codec, _codecs._Object):
        return sample_of(codec.family)
    for value in (*CODEC_SAMPLES.get(type(codec).__name__, ()), *getattr(codec, "words", ()), *SCALAR_SAMPLES):
        if takes(codec, value):
            return value
    raise LookupError(f"no sample of {type(codec).__name__}: give one in catalog_exceptions.CODEC_SAMPLES")


def takes(codec, value):
    try:
        codec.coerce(value)
    except _codecs.Mismatch:
        return False
    return True


@cache
def sample_of(family):
    """An object of a family, one with as few options that must be given as possible."""
    concrete = [cls for cls in {family, *subclasses(family)} if cls.java_name or not cls.__subclasses__()]
    for cls in sorted(concrete, key=lambda c: (len(required(c)), c.__name__)):
        if (made := try_to_make(cls)) is not None:
            return made
    raise LookupError(f"no sample of {family.__name__}: give one in catalog_exceptions.SAMPLES")


def try_to_make(cls):
    try:
        return make(cls)
    except ConfigError:
        return None


def required(cls):
    return {name for name, option in cls.options().items() if option.required}


def make(cls):
    """An object of a class with nothing set that need not be."""
    given = {name: sample(cls.options()[name].codec) for name in required(cls)}
    return cls(**given | SAMPLES.get(cls.__name__, {}))


# Types

SCALARS = {
    _codecs._Bool: {"boolean", "Boolean"},
    _codecs.FloatCodec: {"double", "float", "Double", "Float"},
    _codecs.TextCodec: {"String", "Locale", "TimeZone", "org.joda.time.DateTimeZone"},
}
INTS = {8: {"byte", "Byte"}, 32: {"int", "Integer"}, 64: {"long", "Long"}}
"""Java's types of ints by their bits."""
JAVA_TYPES = {NDArray: {"org.nd4j.linalg.api.ndarray.INDArray"}}
JSON_TYPES = {
    "bool": r"boolean|Boolean",
    "int": r"byte|int|long|Integer|Long|double",
    "float": r"double|float|Double|Float",
    "str": r"String|char|byte\[]|Locale|.*TimeZone|" + "|".join(map(re.escape, DUMP["enums"])),
    "list": r".*\[]|(List|Set|Collection)<.*",
    "dict": r"Map<.*|org\..*",
}


def type_problem(codec, java):
    """What is wrong with a codec for a Java type, if anything."""
    java = re.sub(r"^org\.nd4j\.common\.primitives\.Optional<(.*)>$", r"\1", java)
    inner, of = inside(codec, java)
    if of is not None and inner is not codec:
        return type_problem(inner, of)
    if of is not None and isinstance(codec, _codecs._Choice):
        return choices_problem(set(codec.to_java.values()), java)
    if isinstance(codec, _codecs.CodecBase):
        kind = type(plain(codec.write(codec.coerce(sample(codec))))).__name__
        fits = re.fullmatch(JSON_TYPES[kind], java)
    else:
        fits = of is not None and of.split("<")[0] in names_of(codec)
    return None if fits else f"type: {java} in DL4J, {type(codec).__name__.strip('_')} here"


def inside(codec, java):
    """What a codec of several values takes, and what the Java type holds: ``None`` if it holds nothing like that."""
    if isinstance(codec, _codecs._Optional):
        return codec.item, java
    if isinstance(codec, _codecs.SequenceCodec | _codecs._Repeated):
        held = re.fullmatch(r"(?:List|Set|Collection)<(.*)>|(.*)\[]", java)
        return codec.item, held and (held[1] or held[2])
    if isinstance(codec, _codecs.MapCodec):
        held = re.fullmatch(r"Map<(?:Integer|String|Character), (.*)>", java)
        return codec.item, held and held[1]
    return codec, java


def names_of(codec):
    """The Java types that a codec of one value stands for."""
    if isinstance(codec, _codecs._Object):
        alike = {name for name in CLASSES if simple(name) == codec.family.__name__}
        return alike | {CLASSES[name]["family"] for name in alike} | JAVA_TYPES.get(codec.family, set())
    if isinstance(codec, _codecs._Int):
        return INTS[codec.bits.bits]
    return next(types for kind, types in SCALARS.items() if isinstance(codec, kind))


def choices_problem(words, java):
    if java not in DUMP["enums"]:
        return f"type: {java} in DL4J, a choice here"
    constants = set(DUMP["enums"][java])
    missing, extra = sorted(constants - words), sorted(words - constants)
    return f"choices: {missing} are missing, {extra} are not DL4J's" if missing or extra else None


# One class


def problems(java_name, cls):
    """What differs between a Python class and DL4J's: ``key:what ...`` lines."""
    entry = CLASSES[java_name]
    properties = entry["properties"]
    try:
        made = make(cls)
    except GuardError:
        if "cannot be read" in entry:
            return []  # what DL4J writes only is refused
        raise
    options = {key: option for option in cls.options().values() for key in (option.key, option.schedule_key) if key}
    if java_name in DOCUMENTS:  # options of a network are not all at its top
        options = {key: option for key, option in options.items() if key in properties}
    derived = made.derived()
    given = {cls.options()[name].key for name in {*required(cls), *SAMPLES.get(cls.__name__, ())}}
    found = list(default_problems(properties, made, options, given))
    if "cannot be read" not in entry:
        found += [line for key in properties for line in key_problems(key, properties[key], options, derived)]
        found += [f"{key}:extra DL4J has no such key" for key in sorted({*options, *derived} - set(properties))]
        found += absent_problems(entry, made, options, given)
        found += type_key_problems(java_name, plain(made.to_tree()))
    return found


def type_key_problems(java_name, tree):
    expected = CLASSES[java_name]["type key"]
    names = {key: name for key, name in tree.items() if key in {"@class", "type"} and name == java_name}
    if expected != "wrapper" and names != ({expected: java_name} if expected else {}):
        yield f"{expected}:type DL4J's key of the class's name; {tree} here"


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


def default_problems(properties, made, options, given):
    tree = members(made)
    for key in options:
        entry = properties.get(key, {"written": "no"})
        if entry["written"] == "no":
            continue
        default = "none" if entry.get("given") else entry["default"]
        if key in given:
            if default not in ("none", 0, None, []):  # no usable default, either
                yield f"{key}:default {default} in DL4J, required here"
        elif default == "none" or not same(tree.get(key), default):
            yield f"{key}:default {default} in DL4J, {tree.get(key)} here"


def absent_problems(entry, made, options, given):
    """What an object has that is read from as little as possible."""
    tree = members(made)
    needed = {*given, *entry["required"], type(made)._type_key}
    document = {key: value for key, value in tree.items() if key in needed}
    read = None
    while read is None:
        try:
            read = members(read_document(type(made), document))
        except ConfigError as error:
            path = (error.path or error.message).removeprefix("document.")
            refused = {key for key, option in options.items() if re.match(rf"{option.name}\b", path) and key in tree}
            refused = (refused or set(tree) - set(options)) - set(document)  # an option may be under another key
            if not refused:
                raise
            yield from (f"{key}:refused absent is {entry['properties'][key].get('absent')} in DL4J" for key in refused)
            document.update({key: tree[key] for key in refused})
            given = {*given, *refused}
    for key in set(options) - given:
        theirs = entry["properties"].get(key, {})
        if "absent" in theirs and not same(read.get(key), theirs["absent"]):
            unknown = theirs["absent"] is None and not isinstance(options[key].codec, _codecs._Optional)
            yield f"{key}:{'null' if unknown else 'absent'} {theirs['absent']} in DL4J, {read.get(key)} here"


def read_document(cls, document):
    own = cls.read.__func__ is not Conf.read.__func__ and not cls.java_name
    return (cls.read if own else cls.read_members)(document, At("document"))


def plain(tree):
    """A tree as JSON has it."""
    return json.loads(_java.dumps(tree))


def members(made):
    """What an object writes, without the name that some classes have around it."""
    tree = plain(made.to_tree())
    return tree.get(type(made).__name__, tree)


def same(one, other):
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def names(java_name):
    """The names under which a class's exceptions may be listed."""
    entry = CLASSES[java_name]
    return [simple(name) for name in (java_name, *entry["extends"], entry["family"])]
