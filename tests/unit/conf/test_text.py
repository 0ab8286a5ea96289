"""Documents as text: what DL4J would write, and what is refused when somebody else wrote it.

The texts of awkward strings are compared with DL4J's own mappers by tests/jvm.
"""

import io
import time
from contextlib import contextmanager

import pytest
import yaml

from pydl4j import MultiLayerConfiguration
from pydl4j.conf import _java, _yaml
from pydl4j.conf._numbers import Float32, IntKey
from pydl4j.errors import ConfigError

LOADERS = [yaml.SafeLoader, yaml.CSafeLoader] if yaml.__with_libyaml__ else [yaml.SafeLoader]


@pytest.fixture(params=LOADERS, ids=lambda loader: loader.__name__)
def parser(request, monkeypatch):
    """Both of PyYAML's parsers, which read the same."""
    monkeypatch.setattr(_yaml, "_LOADER", request.param)
    return request.param


@contextmanager
def refused(message):
    started = time.monotonic()
    with pytest.raises(ConfigError, match=message) as caught:
        yield caught
    assert type(caught.value) is ConfigError
    assert len(str(caught.value)) < 500
    assert time.monotonic() - started < 5  # it takes a tenth of it, but the machine may be busy


# Writing


def test_json_is_as_jacksons_pretty_printer_writes_it():
    tree = {"a": {}, "b": [], "c": [[], {"x": (1, 2)}], "": None, "t": True, "n": Float32(0.1), "u": float("nan")}
    assert _java.dumps(tree) == (
        '{\n  "a" : { },\n  "b" : [ ],\n  "c" : [ [ ], {\n    "x" : [ 1, 2 ]\n  } ],\n'
        '  "" : null,\n  "t" : true,\n  "n" : 0.1,\n  "u" : "NaN"\n}'
    )


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ('a"b\\c/', '"a\\"b\\\\c/"'),
        ("\b\t\n\f\r", '"\\b\\t\\n\\f\\r"'),
        ("\0\x0b\x1f\x7f\x85", '"\\u0000\\u000B\\u001F\x7f\x85"'),
        ("é\u2028日\U0001f600", '"é\u2028日\U0001f600"'),
    ],
)
def test_only_what_must_be_is_escaped_in_json(text, written):
    assert _java.scalar(text) == written
    assert _java.loads(f"[{written}]") == [text]


def test_subclasses_of_scalars_are_written_as_their_bases():
    numpy = pytest.importorskip("numpy")
    tree = [numpy.float64(0.5), numpy.str_("a"), type("Size", (int,), {})(3)]
    assert _java.dumps(tree) == '[ 0.5, "a", 3 ]'


@pytest.mark.parametrize(
    ("tree", "text"),
    [
        ({}, "--- {}\n"),
        ({"a": {}, "b": [], "c": 1.0e-8, "d": float("-inf")}, "---\na: {}\nb: []\nc: 1.0E-8\nd: -Infinity\n"),
        ({"a": [[1, [2]], {"k": {"z": None}}]}, "---\na:\n- - 1\n  - - 2\n- k:\n    z: null\n"),
        ({"@class": "x.Y", "a": 1}, "--- !<x.Y>\na: 1\n"),
        ({"l": [{"@class": "x.Y", "a": 1}, {"@class": "x.Y"}]}, "---\nl:\n- !<x.Y>\n  a: 1\n- !<x.Y> {}\n"),
        ({"d": {"type": "x.conf.distribution.Y", "a": 1}}, "---\nd: !<x.conf.distribution.Y>\n  a: 1\n"),
        ({"n": 1, "0": 1, "true": 1, "a b": 1, "a: b": 1, "it's ": 1}, None),
        ({"s": {IntKey(0): 0.1, IntKey(10): 0.2}}, "---\ns:\n  0: 0.1\n  10: 0.2\n"),
        ({"": {"a": 1}, "x\ny": [1, 2]}, '---\n? ""\n: a: 1\n? "x\\ny"\n: - 1\n  - 2\n'),
    ],
)
def test_yaml_is_as_jackson_writes_it(tree, text, parser):
    text = text or "---\n\"n\": 1\n\"0\": 1\n\"true\": 1\na b: 1\n'a: b': 1\n'it''s ': 1\n"
    assert _yaml.dumps(tree) == text
    assert _yaml.loads(text) == _java.loads(_java.dumps(tree))


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("NO", '"NO"'),
        ('a\tb\\"\0\x0b\x1b\x7f', '"a\\tb\\\\\\"\\0\\v\\e\\x7f"'),
        ("é\x85\xa0\u2028\U0001f600\uffff", '"é\\N\\_\\L\\U0001f600\\uffff"'),
        ("x" * 100, f'"{"x" * 100}"'),
        ("word " * 20, f'"{"word " * 15}word\\\n  \\ word word word word "'),
    ],
)
def test_strings_in_yaml_are_quoted_and_folded(text, written):
    assert _yaml.dumps({"k": text}) == f"---\nk: {written}\n"
    assert _yaml.loads(_yaml.dumps({"k": text.replace("\uffff", "")})) == {"k": text.replace("\uffff", "")}


def test_long_keys_stand_alone():
    key = "some words " * 12 + "end"
    text = _yaml.dumps({key: "v", "x" * 127: 1})
    folded = f"{'some words ' * 7}some\n  words {'some words ' * 4}end"
    assert text == f'---\n? {folded}\n: "v"\n{"x" * 127}: 1\n'
    assert _yaml.loads(text)[key] == "v"


# Reading

PLAIN = {
    "true": True,
    "True": True,
    "FALSE": False,
    "null": None,
    "~": None,
    "": None,
    "12": 12,
    "+1": 1,
    "1_000": 1000,
    "0x1F": 31,
    "-0x10": -16,
    "0b11": 3,
    "012": 10,
    "1.0E-8": 1e-8,
    "1e5": 1e5,
    ".5": 0.5,
    "-.5": -0.5,
    "5.": 5.0,
    "1_0.5": 10.5,
    "NaN": "NaN",
    "-Infinity": "-Infinity",
    "NO": "NO",
    "on": "on",
    "y": "y",
    "08": "08",
    "0o10": "0o10",
    "1:30": "1:30",
    "190:20:30": "190:20:30",
    "2001-01-01": "2001-01-01",
    "2001-12-14t21:59:43.10-05:00": "2001-12-14t21:59:43.10-05:00",
    ".inf": ".inf",
    "0x": "0x",
    "1.5.2": "1.5.2",
    "--1": "--1",
    "1L": "1L",
    "\u0661": "\u0661",
    "'5'": "5",
    '"true"': "true",
    "a=b": "a=b",
}


@pytest.mark.parametrize("plain", PLAIN)
def test_plain_scalars_are_read_as_jackson_reads_them(plain, parser):
    value = _yaml.loads(f"k: {plain}")["k"]
    assert value == PLAIN[plain]
    assert type(value) is type(PLAIN[plain])


def test_keys_are_text_and_nothing_is_merged(parser):
    assert _yaml.loads("1: a\ntrue: b\n<<: {c: 1}\n") == {"1": "a", "true": "b", "<<": {"c": 1}}


def test_json_is_yaml(parser):
    text = '{"a" : [1, 2.0E-8, "x\\n\\u00e9\\/", null], "b" : {"@class" : "x.Y", "n" : "NaN"}}'
    assert _yaml.loads(text) == _java.loads(text)


def test_a_byte_order_mark_before_yaml_is_skipped(parser):
    assert _yaml.loads("\ufeffa: 1") == {"a": 1}


def test_the_limits_are_far_from_what_is_written():
    tree = {"a": [[]]}
    for _ in range(_java.MAX_DEPTH - 3):
        tree = {"a": tree}
    tree = {"deep": tree["a"], "text": "x" * 1_000_000, "many": list(range(50_000))}
    assert _java.loads(_java.dumps(tree)) == tree
    assert _yaml.loads(_yaml.dumps(tree)) == tree


JSON = {
    "bytes": (b"{}", r"^expected a JSON document as text. Received: bytes. Decode it first: .decode\('utf-8'\)$"),
    "a file": (io.StringIO("{}"), r"^expected a JSON document as text. Received: StringIO$"),
    "nothing": ("", r"^expected a JSON document. Received: an empty text$"),
    "white space": (" \n", r"^expected a JSON document. Received: an empty text$"),
    "byte order mark": (
        "\ufeff{}",
        r"^not a JSON document: it starts with a byte order mark. Decode it with 'utf-8-sig'",
    ),
    "truncated": ('{"a": {"b": [1, ', r"^not a JSON document: the text ends too early at line 1 column 17$"),
    "a comma too many": ('{"a": 1,\n}', r"^not a JSON document: .* at line \d column \d$"),
    "two": ("{} {}", r"^not a JSON document: Extra data at line 1 column 4$"),
    "a comment": ("/**/ {}", r"^not a JSON document: Expecting value at line 1 column 1$"),
    "Python": ("{'a': 1}", r"^not a JSON document: Expecting property name .* at line 1 column 2$"),
    "control character": ('{"a": "\0"}', r"^not a JSON document: Invalid control character at at line 1 column 8$"),
    "key twice": ('{"a": [{}, {"b": 1, "c": 1, "b": 1}]}', r"^a\[1\]: the key 'b' occurs twice$"),
    "key twice at the top": ('{"a": 1, "a": 1}', r"^the document: the key 'a' occurs twice$"),
    "long key twice": (f'{{"{"k" * 9999}": 1, "{"k" * 9999}": 1}}', r"^the document: the key 'k{299}... occurs twice$"),
    "NaN": ('{"a": NaN}', r'^a: expected a number. Received: NaN, which JSON does not have; DL4J writes "NaN"$'),
    "Infinity": ('{"a": -Infinity}', r"^a: expected a number. Received: -Infinity, which JSON does not have"),
    "1e400": ('{"a": [1, 1e400]}', r"^a\[1\]: expected a number that a double holds. Received: 1e400$"),
    "-1e400": ('{"a": -1e400}', r"^a: expected a number that a double holds. Received: -1e400$"),
    "many decimals": (
        f'{{"a": {"1" * 9999}.5}}',
        r"^a: expected a number that a double holds. Received: 1{20}...1{8}.5$",
    ),
    "many digits": (f'{{"a": {"1" * 5000}}}', r"^a: expected a number. Received: an integer of 5,000 digits$"),
    "million digits": (
        f'{{"a": {"1" * 1_000_000}}}',
        r"^a: expected a number. Received: an integer of 1,000,000 digits$",
    ),
    "half a pair": ("\ud800", r"^expected a JSON document in Unicode. Received: text with half of a surrogate pair$"),
    "half a pair, escaped": (
        '{"a": "\\ud800x"}',
        r"^a: expected text. Received: '\\ud800x', half of a surrogate pair$",
    ),
    "half a pair in a key": (
        '{"a": {"\\uDFFF": 1}}',
        r"^a: expected text. Received: '\\udfff', half of a surrogate pair$",
    ),
    "deep objects": (
        '{"a": ' * 10_000 + "1" + "}" * 10_000,
        r"^expected a JSON document with at most 100 objects and arrays inside one another$",
    ),
    "deep arrays": ("[" * 101 + "]" * 101, r"with at most 100 objects and arrays inside one another$"),
    "very deep arrays": ("[" * 1_000_000, r"with at most 100 objects and arrays inside one another$"),
    "huge": (
        f'{{"a": "{"x" * 2**24}"}}',
        r"^expected a JSON document of at most 16,777,216 characters. Received: 16,777,225$",
    ),
    "many values": ("[" + "1," * 4_000_000 + "1]", r"^expected a JSON document of at most 100,000 values$"),
}


@pytest.mark.parametrize("case", JSON)
def test_hostile_json_is_refused(case):
    text, message = JSON[case]
    with refused(message):
        MultiLayerConfiguration.from_json(text)


BOMB = "a: &a [x,x,x,x,x,x,x,x]\n" + "".join(
    f"{name}: &{name} [{','.join([f'*{before}'] * 9)}]\n" for before, name in zip("abcdefghi", "bcdefghij", strict=True)
)
YAML = {
    "bytes": (b"a: 1", r"^expected a YAML document as text. Received: bytes"),
    "nothing": ("", r"^expected a YAML document. Received: an empty text$"),
    "a comment": ("# a\n", r"^expected a YAML document. Received: comments only$"),
    "truncated": ("a: [1, 2", r"^not a YAML document: .* at line \d column \d"),
    "open quote": ("a: 'x", r"^not a YAML document: found unexpected end of stream at line 1 column 6$"),
    "tab": ("\ta: 1", r"^not a YAML document: found character .*that cannot start any token at line 1 column 1$"),
    "control character": ("a: \0", r"^not a YAML document: unacceptable character #x0000"),
    "number of a version": (f"%YAML {'9' * 5000}.1\n---\na: 1", r"^not a YAML document: "),
    "no character": ('a: "\\U00110000"', r"^not a YAML document: "),
    "two": ("a: 1\n---\nb: 2\n", r"^expected one YAML document. Received: a second one at line 2 column 1$"),
    "alias": ("a: &x 1\nb: *x\n", r"^expected a value. Received: the alias \*x, .* at line 2 column 4$"),
    "alias bomb": (BOMB, r"^expected a value. Received: the alias \*a, .* at line 2 column 8$"),
    "Python object": (
        "a: !!python/object:os.x {b: 1}",
        r"^expected the name of a class of DL4J as a tag. Received: tag:yaml.org,2002:python/object:os.x at line 1",
    ),
    "Python call": (
        "!!python/object/apply:os.system ['touch x']",
        r"^expected members under the tag .*os.system. Received: a sequence at line 1 column 1$",
    ),
    "Python name": (
        "a: !!python/name:os.system",
        r"^expected members under the tag .* Received: '' at line 1 column 4$",
    ),
    "Java call": (
        "!!javax.script.ScriptEngineManager [!!java.net.URLClassLoader [[!!java.net.URL ['http://x']]]]",
        r"^expected members under the tag .*ScriptEngineManager. Received: a sequence",
    ),
    "local tag": ("a: !foo {}", r"^expected the name of a class of DL4J as a tag. Received: !foo at line 1 column 4$"),
    "binary": ("a: !!binary aGk=", r"^expected members under the tag .*binary. Received: 'aGk=' at line 1 column 4$"),
    "class twice": ("!<a.B> {'@class': a.C}", r"^the key '@class' occurs twice at line 1 column 9$"),
    "key twice": ("a: 1\nb:\n  c: 1\n  c: 2\n", r"^the key 'c' occurs twice at line 4 column 3$"),
    "key twice as text": ("1: 1\n'1': 2\n", r"^the key '1' occurs twice at line 2 column 1$"),
    "no simple key": ("? [1]\n: 2", r"^expected a key at line 1 column 3$"),
    "1e400": ("a:\n- 1e400", r"^expected a number that a double holds. Received: 1e400 at line 2 column 3$"),
    "many digits": (
        f"a: {'1' * 5000}",
        r"^expected a number. Received: an integer of 5,000 digits at line 1 column 4$",
    ),
    "hexadecimal digits": (f"a: 0x{'f' * 5000}", r"^expected a number. Received: an integer of 5,000 digits"),
    "half a pair": (
        "a: \ud800",
        r"^expected a YAML document in Unicode. Received: text with half of a surrogate pair$",
    ),
    "half a pair, escaped": (
        'a: "\\ud800"',
        r"(found invalid Unicode character escape code|half of a surrogate pair) at line 1 column \d",
    ),
    "deep sequences": ("[" * 5000, r"^expected a YAML document with at most 100 objects and arrays .* column 101$"),
    "deep mappings": ("{a: " * 10_000, r"^expected a YAML document with at most 100 objects and arrays inside"),
    "deep block": ("- " * 10_000 + "1", r"^expected a YAML document with at most 100 objects and arrays inside"),
    "huge": (f"a: {'x' * 2**22}", r"^expected a YAML document of at most 4,194,304 characters. Received: 4,194,307$"),
}


@pytest.mark.parametrize("case", YAML)
def test_hostile_yaml_is_refused(case, parser):
    text, message = YAML[case]
    with refused(message):
        MultiLayerConfiguration.from_yaml(text)


@pytest.mark.skipif(not yaml.__with_libyaml__, reason="PyYAML's own parser takes its time")
@pytest.mark.parametrize("text", ["x: [" + "1," * 2_000_000, "- 1\n" * 1_000_000, "a: [" + "&b c," * 700_000])
def test_yaml_of_many_values_is_refused(text):
    with refused(r"^expected a YAML document of at most 100,000 values at line "):
        _yaml.loads(text)


@pytest.mark.parametrize("read", [MultiLayerConfiguration.from_json, MultiLayerConfiguration.from_yaml])
@pytest.mark.parametrize("text", ["[]", "5", '"x"', "null", "true"])
def test_what_is_no_object_is_refused(text, read):
    with refused(
        r"^MultiLayerConfiguration: expected DL4J's document of a multi-layer network.* this is another document"
    ):
        read(text)
