"""What DL4J takes for numbers is taken; what would change silently is not."""

import json
import math

import pytest

from pydl4j import InputType, MultiLayerConfiguration
from pydl4j.conf._literals import as_bool, as_float, as_int
from pydl4j.errors import ConfigError
from pydl4j.layers import DenseLayer, EmbeddingSequenceLayer, OutputLayer


@pytest.mark.parametrize(("tree", "value"), [(4, 4), ("4", 4), (" -4 ", -4), (4.0, 4), (1e2, 100)])
def test_an_int_in_other_clothes_is_taken(tree, value):
    assert as_int(tree) == value
    assert type(as_int(tree)) is int


@pytest.mark.parametrize(
    "tree", [4.7, "4.0", "4.7", "", "null", "0x4", "1_0", "x", "NaN", "9" * 20, "\u0661", None, [4]]
)
def test_no_int_is_made_of_anything_else(tree):
    assert as_int(tree) is tree


@pytest.mark.parametrize(
    ("tree", "value"),
    [("4", 4.0), (" 4.5 ", 4.5), ("1e5", 1e5), (".5", 0.5), ("Infinity", math.inf), ("-INF", -math.inf)],
)
def test_a_float_in_quotes_is_taken(tree, value):
    assert as_float(tree) == value
    assert math.isnan(as_float("NaN"))


@pytest.mark.parametrize("tree", ["", "nan", ".inf", "1e400", "0x1p3", "1f", "1_0", "x", "null", None, [1.0], {}])
def test_no_float_is_made_of_anything_else(tree):
    assert as_float(tree) is tree


@pytest.mark.parametrize(("tree", "value"), [("true", True), ("TRUE", True), ("False", False), (True, True)])
def test_a_bool_in_quotes_is_taken(tree, value):
    assert as_bool(tree) is value


@pytest.mark.parametrize("tree", ["yes", "1", "", "tRUE", 1, 0.0, None, []])
def test_no_bool_is_made_of_anything_else(tree):
    assert as_bool(tree) is tree


def changed(key, value):
    layers = [DenseLayer(n_out=3), OutputLayer(n_out=2)]
    tree = json.loads(MultiLayerConfiguration(layers=layers, input_type=InputType.feed_forward(4)).to_json())
    tree["confs"][0]["layer"][key] = value
    return json.dumps(tree)


@pytest.mark.parametrize(
    ("key", "value", "option", "read"),
    [
        ("nout", "3", "n_out", 3),
        ("nin", 4.0, "n_in", 4),
        ("biasInit", "0.5", "bias_init", 0.5),
        ("hasBias", "True", "has_bias", True),
    ],
)
def test_a_document_with_other_literals_is_read(key, value, option, read):
    layer = MultiLayerConfiguration.from_json(changed(key, value)).layers[0]
    assert getattr(layer, option) == read
    assert type(getattr(layer, option)) is type(read)


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("nout", 3.5, r"^layers\[0\].n_out must be an int. Received: 3.5$"),
        ("nout", 2**63, r"^layers\[0\].n_out must be an int of 64 bits. Received: 9223372036854775808$"),
        ("biasInit", [0.5], r"^layers\[0\].bias_init must be a number. Received: \[0.5\]$"),
        ("biasInit", "x" * 9999, r"^layers\[0\].bias_init must be a number. Received: 'x{299}...$"),
        ("hasBias", 1, r"^layers\[0\].has_bias must be True or False. Received: 1$"),
        ("hasBias", "yes", r"^layers\[0\].has_bias must be True or False. Received: 'yes'$"),
        ("layerName", 4, r"^layers\[0\].name must be a string. Received: 4$"),
        ("kn" * 999, 4, r"^layers\[0\]: .* has no JSON key '(kn)*k?\.\.\."),
    ],
)
def test_a_document_with_wrong_literals_is_refused(key, value, message):
    with pytest.raises(ConfigError, match=message):
        MultiLayerConfiguration.from_json(changed(key, value))


def test_a_name_must_be_unicode():
    with pytest.raises(ConfigError, match=r"^DenseLayer.name must be a string without halves of surrogate pairs"):
        DenseLayer(n_out=3, name="\ud800")


def test_ints_have_the_bits_of_dl4js() -> None:
    assert DenseLayer(n_out=2**40).n_out == 2**40
    with pytest.raises(
        ConfigError, match=r"^EmbeddingSequenceLayer.input_length must be an int of 32 bits. Received: 21"
    ):
        EmbeddingSequenceLayer(n_out=1, input_length=2**31)
