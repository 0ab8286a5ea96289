"""What Python writes is byte for byte what DL4J's builders wrote for the same network (see ConfigurationVectors.java)."""

import hashlib
import json
import pickle
from functools import partial
from pathlib import Path

import pytest
from vectors import BUILT, IMAGES, UNTRAINABLE, VECTORS

import pydl4j.layers
from pydl4j import (
    InputType,
    MultiLayerConfiguration,
    activations,
    constraints,
    dropout,
    initializers,
    inputs,
    losses,
    noise,
    preprocessors,
    regularization,
    schedules,
    updaters,
)
from pydl4j.errors import ConfigError, GuardError
from pydl4j.layers import ConvolutionLayer, OutputLayer, SubsamplingLayer

GOLDEN = Path(__file__).parents[2] / "golden" / "conf" / "vectors"
DOUBLED = "weight_decay_in_network"  # DL4J lists a network's weight decay twice
SHAPES = dict(line.split(" ", 1) for line in (GOLDEN / "shapes.txt").read_text().splitlines())
MODULES = (
    pydl4j.layers, activations, constraints, dropout, initializers, inputs, losses, noise, preprocessors, regularization,
    schedules, updaters,
)  # fmt: skip
NAMES = {name: value for module in MODULES for name, value in vars(module).items() if isinstance(value, type)}
NAMES |= {"MultiLayerConfiguration": MultiLayerConfiguration, "InputType": InputType}


def document(name):
    return (GOLDEN / f"{name}.json").read_text()


def test_every_document_is_built():
    assert {path.stem for path in GOLDEN.glob("*.json")} == {*VECTORS, "trained"}


@pytest.mark.parametrize("name", sorted(set(BUILT) - {DOUBLED}))
def test_document_is_dl4js(name):
    assert VECTORS[name]().to_json() == document(name)


@pytest.mark.parametrize("name", sorted(UNTRAINABLE))
def test_a_network_that_dl4j_cannot_train_is_refused(name):
    with pytest.raises(GuardError):
        VECTORS[name]()


def test_weight_decay_of_the_network_is_applied_once():
    expected = json.loads(document(DOUBLED))
    for conf in expected["confs"]:
        once = {entry["@class"]: entry for entry in conf["layer"]["regularization"]}
        assert len(once) < len(conf["layer"]["regularization"]) or len(once) == 2
        conf["layer"]["regularization"] = list(once.values())
    assert json.loads(VECTORS[DOUBLED]().to_json()) == expected


@pytest.mark.parametrize("name", [*VECTORS, "trained"])
def test_document_is_read_and_written_back(name):
    conf = MultiLayerConfiguration.from_json(document(name))
    assert conf.to_json() == document(name)


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.yaml")), ids=lambda path: path.stem)
def test_yaml_is_dl4js(path):
    assert VECTORS[path.stem]().to_yaml() == path.read_text()
    assert MultiLayerConfiguration.from_yaml(path.read_text()).to_json() == document(path.stem)


@pytest.mark.parametrize("name", sorted(SHAPES))
def test_parameter_shapes_are_those_of_an_initialized_network(name):
    expected = json.loads(SHAPES[name])
    n_params = expected.pop("n_params")
    built = [] if name in UNTRAINABLE else [VECTORS[name]()]
    for conf in (*built, MultiLayerConfiguration.from_json(document(name))):
        resolution = conf.resolve()
        shapes = {f"{p.index}_{key}": list(shape) for p in resolution.layers for key, shape in p.param_shapes.items()}
        assert shapes == expected
        assert list(shapes) == list(expected)
        assert resolution.n_params == n_params


@pytest.mark.parametrize("name", BUILT)
def test_instances_are_values(name):
    conf, other = VECTORS[name](), VECTORS[name]()
    assert conf == other
    assert hash(conf) == hash(other)
    assert pickle.loads(pickle.dumps(conf)) == conf
    assert eval(repr(conf), dict(NAMES)) == conf


@pytest.mark.parametrize("mode", ["Strict", "Truncate", "Same"])
def test_convolution_arithmetic_is_dl4js(mode):
    for line in (GOLDEN / "grid.txt").read_text().splitlines():
        if line.startswith(mode):
            check_convolution_arithmetic(*line.split())


def check_convolution_arithmetic(mode, *pairs_and_expected):
    *pairs, expected = pairs_and_expected
    kernel, stride, padding, dilation = (tuple(map(int, pair.split(","))) for pair in pairs)
    window = {"kernel_size": kernel, "stride": stride, "padding": padding, "dilation": dilation}
    layers = [ConvolutionLayer(n_out=3, **window), SubsamplingLayer(**window), OutputLayer(n_out=2)]
    made = partial(MultiLayerConfiguration, seed=42, convolution_mode=mode, input_type=IMAGES, layers=layers)
    if expected in {"refused", "empty"}:  # DL4J lets images without pixels pass
        option = "kernel_size must fit" if expected == "empty" else "(stride must divide|kernel_size must fit)"
        with pytest.raises(ConfigError, match=rf"^layers\[[01]\]\.{option}"):
            made()
    else:
        assert hashlib.sha256(made().to_json().encode()).hexdigest() == expected, pairs_and_expected
