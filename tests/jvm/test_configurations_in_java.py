"""DL4J reads what Python writes, keeps it, and initializes the parameters that Python foretells."""

import json
import sys
from pathlib import Path

import pytest

from pydl4j import InputType, MultiLayerConfiguration
from pydl4j.conf.options import NeuralNetConfiguration
from pydl4j.layers import BatchNormalization, DenseLayer, OutputLayer

sys.path.insert(0, str(Path(__file__).parents[1] / "unit" / "conf"))
from vectors import BUILT, VECTORS

HALF = "data_type_half"  # initialization draws numbers that the CPU backend has not in half precision


def after_initialization(jvm, conf):
    network = jvm.call("nn.Networks.create", conf.to_json())
    return jvm.call("nn.Networks.configuration", network), jvm.get(jvm.call("nn.Networks.params", network)).size


@pytest.mark.parametrize("name", sorted(set(BUILT) - {HALF}))
def test_dl4j_keeps_what_python_writes(jvm, name):
    conf = VECTORS[name]()
    text, n_params = after_initialization(jvm, conf)
    read = MultiLayerConfiguration.from_json(text)
    assert read.to_json() == text
    assert read.replace(layer_states=()).to_json() == conf.to_json()
    keys = [set(place.param_shapes) for place in conf.resolve().layers]
    assert [set(state.variables) for state in read.layer_states or [NeuralNetConfiguration()] * len(keys)] == keys
    assert n_params == conf.resolve().n_params


@pytest.mark.parametrize("use_log_std", [True, False])
def test_dl4j_keeps_the_form_of_the_variance(jvm, use_log_std):
    layers = [DenseLayer(n_out=3), BatchNormalization(use_log_std=use_log_std), OutputLayer(n_out=2)]
    conf = MultiLayerConfiguration(layers=layers, input_type=InputType.feed_forward(4))
    text, _ = after_initialization(jvm, conf)
    kept = json.loads(text)["confs"][1]
    assert kept["layer"]["useLogStd"] is use_log_std
    assert kept["variables"] == ["gamma", "beta", "mean", "log10stdev" if use_log_std else "var"]
