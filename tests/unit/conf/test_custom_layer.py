"""Layers of the user's own: written as given, read back only where the reader allows it."""

import pickle

import pytest

from pydl4j import InputType, MultiLayerConfiguration
from pydl4j.errors import ConfigError
from pydl4j.layers import CustomLayer, FrozenLayer, OutputLayer
from pydl4j.updaters import Adam

NAME = "com.acme.MyLayer"
CUSTOM = CustomLayer(
    java_class=NAME,
    fields={"z": [1, 2.5, None], "a": {"on": True}, "iupdater": Adam()},
    output=InputType.feed_forward(4),
    parameters={"W": (3, 4)},
)
CONF = MultiLayerConfiguration(seed=1, layers=[CUSTOM, OutputLayer(n_out=2)], input_type=InputType.feed_forward(3))


def test_fields_are_written_as_given():
    tree = CONF.to_tree()["confs"][0]["layer"]
    assert list(tree) == ["@class", "z", "a", "iupdater"]
    assert tree["@class"] == NAME
    assert tree["z"] == [1, 2.5, None]
    assert tree["iupdater"] == Adam().to_tree()


def test_types_and_parameters_are_those_that_were_told():
    places = CONF.resolve().layers
    assert places[0].output_type == InputType.feed_forward(4)
    assert [place.n_params for place in places] == [12, 10]


def test_types_after_a_layer_that_tells_none_are_unknown():
    layers = [CustomLayer(java_class=NAME), OutputLayer(n_in=4, n_out=2)]
    places = MultiLayerConfiguration(layers=layers, input_type=InputType.feed_forward(3)).resolve().layers
    assert [place.output_type for place in places] == [None, None]
    with pytest.raises(ConfigError, match=r"^layers\[1\]\.n_in must be given"):
        MultiLayerConfiguration(layers=[CustomLayer(java_class=NAME), OutputLayer(n_out=2)])


def test_values():
    assert pickle.loads(pickle.dumps(CONF)) == CONF
    assert hash(CUSTOM) == hash(CUSTOM.replace())


@pytest.mark.parametrize("layer", [CUSTOM, FrozenLayer(layer=CUSTOM)])
def test_reading_must_be_allowed(layer):
    text = CONF.replace(layers=[layer, OutputLayer(n_out=2)]).to_json()
    with pytest.raises(ConfigError, match=rf"^layers\[0\].*'{NAME}' is not one of DL4J's\. from_json\(\.\.\., custom="):
        MultiLayerConfiguration.from_json(text)
    with pytest.raises(ConfigError, match="is not one of DL4J's"):
        MultiLayerConfiguration.from_json(text, custom=["com.acme.Another"])
    assert MultiLayerConfiguration.from_json(text, custom=[NAME]).to_json() == text


def test_yaml():
    text = CONF.to_yaml()
    assert MultiLayerConfiguration.from_yaml(text, custom=[NAME]).to_yaml() == text


def test_a_class_is_only_read_where_a_layer_is():
    text = CONF.to_json().replace("org.nd4j.linalg.activations.impl.ActivationSoftmax", NAME)
    with pytest.raises(ConfigError, match=NAME):
        MultiLayerConfiguration.from_json(text, custom=[NAME])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"java_class": "MyLayer"}, r'java_class must be the full name of a class, such as "com.acme.MyLayer"'),
        ({"java_class": "com.acme.My Layer"}, r"java_class must be the full name"),
        ({"java_class": "org.deeplearning4j.nn.conf.layers.DenseLayer"}, r"java_class must be a class of your own"),
        ({"java_class": NAME, "fields": {"@class": "x"}}, r"fields must not have @class"),
        ({"java_class": NAME, "fields": {"x": object()}}, r"fields must hold what JSON has"),
        ({"java_class": NAME, "fields": {1: 2}}, r"fields must be a mapping from JSON keys"),
    ],
)
def test_refusals(options, message):
    with pytest.raises(ConfigError, match=rf"^CustomLayer\.{message}"):
        CustomLayer(**options)


def test_options_of_other_layers_have_no_place():
    with pytest.raises(ConfigError, match=r"^layers\[0\]\.dropout must be given among the fields"):
        MultiLayerConfiguration(layers=[CustomLayer(java_class=NAME, dropout=0.5)])


@pytest.mark.parametrize("inside", [dict, list])
def test_fields_that_hold_themselves_are_refused(inside):
    endless = inside()
    if isinstance(endless, dict):
        endless["again"] = endless
    else:
        endless.append(endless)
    with pytest.raises(ConfigError, match=r"fields must have at most 100 mappings and sequences inside one another"):
        CustomLayer(java_class=NAME, fields={"x": endless})
