"""Numbers and documents look as Java and DL4J's own mappers write them."""

import json
import random
import sys
from pathlib import Path

import jpype
import pytest

from pydl4j import InputType, MultiLayerConfiguration
from pydl4j.conf import _java, _yaml
from pydl4j.conf._literals import as_bool, as_float, as_int
from pydl4j.conf._numbers import Float32, IntKey, format_double, format_float
from pydl4j.conf._reading import At
from pydl4j.errors import ConfigError
from pydl4j.layers import DenseLayer, Layer, OutputLayer

sys.path.insert(0, str(Path(__file__).parents[1] / "unit" / "conf"))
from java_numbers import DOUBLE, FLOAT

KINDS = [(DOUBLE, "JDouble", format_double), (FLOAT, "JFloat", format_float)]


@pytest.fixture(autouse=True)
def _running(jvm):
    """Java is there."""


def printed(java_type, numbers):
    array = jpype.JArray(getattr(jpype, java_type))(numbers)
    return str(jpype.JClass("java.util.Arrays").toString(array))[1:-1].split(", ")


@pytest.mark.parametrize("count", [30_000, pytest.param(1_000_000, marks=pytest.mark.nightly)])
@pytest.mark.parametrize(("kind", "java_type", "form"), KINDS)
def test_numbers_are_printed_as_java_prints_them(kind, java_type, form, count):
    numbers = kind.numbers(seed=count, count=count)
    expected = printed(java_type, numbers)
    differing = [row for row in zip(numbers, expected, map(form, numbers), strict=True) if row[1] != row[2]]
    assert len(expected) == count
    assert differing == []


@pytest.mark.parametrize(("kind", "java_type", "form"), KINDS)
def test_the_checked_in_sample_is_javas(kind, java_type, form):
    sample = kind.sample()
    assert kind.path.read_text() == kind.lines(sample, printed(java_type, sample))


# Text

PIECES = [chr(code) for code in range(0xA3)] + [*" '\":#-?,[]{}\n\\é日 ab"] * 6
PIECES += ["\U0001f600", "\ue000", "\ufffd", "\uffff", "\u2028", "\ud7ff", *"abc def " * 20]
STRINGS = [
    *("", "true", "NO", "on", "y", "null", "~", "1", "1_000", "0x10", "012", "1:30", "1.0E-8", ".5", ".inf", "NaN"),
    *("2001-01-01", "<<", "=", "-", "- a", "-a", "? a", "?", "&a", "*a", "!a", "|", ">", "%a", "@a", "`a", "#", "a #b"),
    *(" a", "a ", "a: b", "a:", ":a", "::", "[a]", "{a}", "a,b", "---", "...", "'", '"', "it's ", "\\", "a\nb\n", "\t"),
    *("\0", "\x7f", "\x85", "\xa0", "\uffff", "é", "日本", "\U0001f600", "x" * 127, "x" * 128, "x" * 300, "word " * 60),
    *("w\"'ord " * 40, " " * 200, "a\n" * 90, "\U0001f600 " * 40, "é" * 200, "a  b " * 50, "it's: " * 40, "@class"),
]
OTHER_BREAKS = str.maketrans("", "", "\x85\u2028\u2029")
"""Characters that SnakeYAML writes into a key so that it cannot read it back; Python escapes them."""


def string(rng):
    ways = (
        lambda: rng.choice(STRINGS),
        lambda: "".join(rng.choices(PIECES, k=rng.choice([1, 2, 3, 8, 20, 90, 130, 300]))),
        lambda: "".join(rng.choices("ab :#-'\"", k=rng.randrange(200))),
        lambda: "".join(rng.choices("ab\n\t \U0001f600é", k=rng.randrange(200))),
    )
    return rng.choice(ways)()


def tree(rng, depth):
    kind = rng.randrange(5) if depth else 2
    if kind == 0:
        return members(rng, depth)
    if kind == 1:
        return [tree(rng, depth - 1) for _ in range(rng.randrange(4))]
    numbers = [rng.randrange(-5, 10**12), DOUBLE.random(rng), Float32(FLOAT.random(rng))]
    return rng.choice([string(rng), string(rng), *numbers, float("nan"), None, True])


def members(rng, depth):
    keys = [string(rng).translate(OTHER_BREAKS) for _ in range(rng.randrange(4))] + ["plain"]
    return {key: tree(rng, depth - 1) for key in keys if key != "@class"}


def java_string(text):
    return str_of_bytes(text.encode("utf-16-le"), "UTF-16LE")


def str_of_bytes(data, charset):
    return jpype.JClass("java.lang.String")(jpype.JArray(jpype.JByte)(list(memoryview(data).cast("b"))), charset)


def in_java(value):
    """The same tree of Java objects."""
    if isinstance(value, dict):
        java = jpype.JClass("java.util.LinkedHashMap")()
        for key, member in value.items():
            java.put(jpype.JInt(int(key)) if isinstance(key, IntKey) else java_string(key), in_java(member))
        return java
    if isinstance(value, list):
        java = jpype.JClass("java.util.ArrayList")()
        for item in value:
            java.add(in_java(item))
        return java
    wraps = {str: java_string, bool: jpype.JBoolean, int: jpype.JLong, float: jpype.JDouble, Float32: jpype.JFloat}
    return None if value is None else wraps[type(value)](value)


@pytest.fixture(scope="module")
def mappers():
    """DL4J's mappers for JSON and YAML."""
    mappers = jpype.JClass("org.deeplearning4j.nn.conf.serde.JsonMappers")
    return {_java: mappers.getMapper(), _yaml: mappers.getMapperYaml()}


@pytest.mark.parametrize("language", [_java, _yaml])
def test_awkward_strings_are_written_as_dl4js_mapper_writes_them(mappers, language):
    awkward = {"values": STRINGS, **{key: [{key: key}] for key in STRINGS if key.translate(OTHER_BREAKS) == key}}
    awkward["numbers"] = {IntKey(0): Float32(0.1), IntKey(-1): 1e-8}
    del awkward["@class"]
    text = language.dumps(awkward)
    assert text == str(mappers[language].writeValueAsString(in_java(awkward)))
    assert language.loads(text)["values"] == STRINGS


@pytest.mark.parametrize("count", [300, pytest.param(5000, marks=pytest.mark.nightly)])
@pytest.mark.parametrize("language", [_java, _yaml])
def test_random_trees_are_written_as_dl4js_mapper_writes_them(mappers, language, count):
    rng = random.Random(count)
    for _ in range(count):
        made = members(rng, 4)
        assert language.dumps(made) == str(mappers[language].writeValueAsString(in_java(made)))


def test_layers_with_awkward_names_are_read_and_written_by_dl4j():
    layers = [*(DenseLayer(n_out=3, name=name) for name in STRINGS), OutputLayer(n_out=2)]
    conf = MultiLayerConfiguration(layers=layers, input_type=InputType.feed_forward(4))
    read = jpype.JClass("org.deeplearning4j.nn.conf.MultiLayerConfiguration")
    java = read.fromJson(java_string(conf.to_json()))
    assert str(java.toJson()) == conf.to_json()
    assert str(java.toYaml()) == conf.to_yaml()
    assert str(read.fromYaml(java_string(conf.to_yaml())).toJson()) == conf.to_json()
    assert MultiLayerConfiguration.from_yaml(conf.to_yaml()).to_json() == conf.to_json()


# Reading

PLAIN = [
    *("true", "True", "FALSE", "y", "n", "null", "~", "", "1", "+1", "-1", "007", "012", "-012", "0", "1_000", "0x1F"),
    *("0xAG", "0b11", "0o10", "1:30", "190:20:30", "1.0E-8", "1e5", "1.e5", "1.5e+5", ".5", "5.", "-.5", "+1.5", "NaN"),
    *("Infinity", "-Infinity", "2001-01-01", "2001-12-14t21:59:43.10-05:00", "=", "_", "1_0.5", "1__0", "_1", "1,000"),
    *("9223372036854775808", "0.1e", "1E", "e5", "1.5.2", "--1", "+-1", "0x", "1.0f", "1L", "'5'", '"true"', "a#b"),
]


def test_plain_scalars_are_read_as_dl4js_mapper_reads_them(mappers):
    for plain in PLAIN:
        node = mappers[_yaml].readTree(f"k: {plain}").get("k")
        value = _yaml.loads(f"k: {plain}")["k"]
        assert (type(value), json.dumps(value)) == (type(json.loads(str(node))), json.dumps(json.loads(str(node)))), (
            plain
        )


JSON_VALUES = [
    *("4", '"4"', '" 4 "', "4.0", '"4.0"', "1e2", '"0x4"', '"1_0"', '"x"', '"NaN"', "[4]", "99999999999", "true"),
    *('"4.5"', '"Infinity"', '"-INF"', '"nan"', '".inf"', '"1e5"', '"true"', '"TRUE"', '"False"', '"yes"', '"1"', "{}"),
    *("9223372036854775808", '"99999999999999999999"', "NaN", "-1e400", '{"a": 1, "a": 1}'),
]
TAKEN_BY_DL4J_ONLY = {
    "nin": set(),
    "biasInit": {"-1e400", '"Infinity"', '"-INF"'},
    "hasBias": {"4", "99999999999", "9223372036854775808"},
}
"""Infinities, and what DL4J makes another value of than the document has: True of other numbers."""


@pytest.mark.parametrize("key", ["nin", "biasInit", "hasBias"])
def test_dl4j_and_python_take_the_same_literals(mappers, key):
    codec = {"nin": as_int, "biasInit": as_float, "hasBias": as_bool}[key]
    layer = jpype.JClass("org.deeplearning4j.nn.conf.layers.Layer").class_
    for value in JSON_VALUES:
        text = f'{{"@class": "org.deeplearning4j.nn.conf.layers.DenseLayer", "{key}": {value}}}'
        try:
            expected = json.loads(str(mappers[_java].writeValueAsString(mappers[_java].readValue(text, layer))))[key]
        except jpype.JException:
            expected = None
        assert taken(codec, text, key) == (None if value in TAKEN_BY_DL4J_ONLY[key] else expected), value


def taken(codec, text, key):
    """The value that Python reads, as DL4J writes it; nothing if it is refused."""
    try:
        codec(_java.loads(text)[key])
        layer = Layer.read({**DenseLayer(n_out=1).to_tree(), **_java.loads(text)}, At("layer"))
    except ConfigError:
        return None
    return json.loads(_java.dumps(layer.to_tree()))[key]
