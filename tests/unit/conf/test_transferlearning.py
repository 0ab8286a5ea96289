"""Transfer learning as data; what DL4J makes of it is in tests/jvm/test_transfer_learning.py."""

import json
import pickle

import pytest

from pydl4j import (
    InputType,
    MultiLayerConfiguration,
    activations,
    dropout,
    layers,
    regularization,
    transferlearning,
    updaters,
)
from pydl4j.conf.transfer_plan import plan
from pydl4j.errors import ConfigError
from pydl4j.layers import BatchNormalization, ConvolutionLayer, DenseLayer, OutputLayer, SubsamplingLayer
from pydl4j.noise import DropConnect
from pydl4j.transferlearning import FineTuneConfiguration, NInReplace, NOutReplace, TransferLearning

LENET = MultiLayerConfiguration(
    seed=1,
    updater="adam",
    layers=[
        ConvolutionLayer(n_out=4, kernel_size=3, name="conv"),
        SubsamplingLayer(kernel_size=2),
        DenseLayer(n_out=10, name="wide"),
        OutputLayer(n_out=3, activation="softmax"),
    ],
    input_type=InputType.convolutional(height=8, width=8, channels=1),
)


def planned(conf=LENET, **changes):
    return json.loads(plan(TransferLearning(**changes), conf).document)


def test_it_is_a_value():
    changes = TransferLearning(
        fine_tune_configuration=FineTuneConfiguration(updater=updaters.Sgd(learning_rate=0.5), dropout=0.5, l2=0),
        set_feature_extractor="wide",
        n_out_replace=[NOutReplace(layer=2, n_out=5, weight_init="relu")],
        remove_output_layer=True,
        add_layers=[OutputLayer(n_out=2, activation="softmax")],
    )
    names = {}
    for module in (activations, dropout, layers, regularization, transferlearning, updaters):
        names |= vars(module)
    assert pickle.loads(pickle.dumps(changes)) == changes
    assert eval(repr(changes), names) == changes


def test_added_layers_get_their_sizes_and_preprocessors():
    made = planned(remove_layers_from_output=2, add_layers=[DenseLayer(n_out=7), OutputLayer(n_out=2)])
    assert [layer["nin"] for layer in made["add_layers"]] == [36, 7]
    assert [layer["layerName"] for layer in made["add_layers"]] == ["layer2", "layer3"]
    assert list(made["input_preprocessors"]) == ["2"]


def test_a_preprocessor_of_a_removed_layer_does_not_stay():
    made = planned(
        remove_layers_from_output=2, add_layers=[ConvolutionLayer(n_out=2, kernel_size=2), OutputLayer(n_out=2)]
    )
    assert list(made["input_preprocessors"]) == ["3"]
    assert made["add_layers"][1]["nin"] == 2 * 2 * 2


def test_added_layers_take_the_fine_tuning_and_not_the_network():
    tune = FineTuneConfiguration(activation="elu", l2=0.5, weight_decay_bias=0.25, dropout=0.5)
    added = [DenseLayer(n_out=2, l1=1), OutputLayer(n_out=2)]
    layer = planned(remove_output_layer=True, fine_tune_configuration=tune, add_layers=added)["add_layers"][0]
    assert layer["activationFn"]["@class"].endswith("ELU")
    assert layer["iupdater"]["@class"].endswith("Sgd")
    assert [list(penalty)[-1] for penalty in layer["regularization"]] == ["l1", "l2"]
    assert [list(penalty)[-1] for penalty in layer["regularizationBias"]] == ["coeff"]
    assert layer["idropout"]["p"] == 0.5


def test_the_layer_after_a_resized_one_fits():
    made = planned(n_out_replace=[NOutReplace(layer="wide", n_out=5, weight_init="relu", weight_init_next="zero")])
    (change,) = made["n_out_replace"]
    assert (change["layer"], change["n_out"]) == (2, 5)
    assert change["weight_init_next"]["value"] == 0
    assert planned(set_feature_extractor="wide")["feature_extractor"] == 2
    assert planned(set_feature_extractor=0)["feature_extractor"] == 0


NORMALIZED = MultiLayerConfiguration(layers=[DenseLayer(n_in=4, n_out=8), BatchNormalization(), OutputLayer(n_out=3)])


@pytest.mark.parametrize(
    ("conf", "changes", "path", "message"),
    [
        (
            LENET,
            {"set_feature_extractor": 4},
            "set_feature_extractor",
            "must be below 4, the number of layers. Received: 4",
        ),
        (LENET, {"set_feature_extractor": 3}, "set_feature_extractor", "must be below 3, the index of the last layer"),
        (
            LENET,
            {"set_feature_extractor": "wid"},
            "set_feature_extractor",
            "must be one of the layers 'conv', 'layer1', 'wide', 'layer3'",
        ),
        (
            LENET,
            {"set_feature_extractor": -1},
            "TransferLearning.set_feature_extractor",
            "must be the index of a layer",
        ),
        (
            LENET,
            {"set_feature_extractor": True},
            "TransferLearning.set_feature_extractor",
            "must be the index of a layer",
        ),
        (
            LENET,
            {"remove_layers_from_output": 4},
            "remove_layers_from_output",
            "must leave a layer of the network's 4. Received: 4",
        ),
        (
            LENET.replace(layers=LENET.layers[-1:]),
            {"remove_layers_from_output": 1},
            "remove_layers_from_output",
            "must leave a layer of the network's 1. Received: 1",
        ),
        (
            LENET.replace(layers=LENET.layers[-1:]),
            {"remove_output_layer": True},
            "remove_output_layer",
            "must leave a layer of the network's 1. Received: 1",
        ),
        (
            LENET,
            {"remove_layers_from_output": 1, "remove_output_layer": True},
            "TransferLearning.remove_layers_from_output",
            "counts the output layer, too",
        ),
        (
            LENET,
            {"n_out_replace": [NOutReplace(layer=1, n_out=2, weight_init="relu")]},
            "n_out_replace[0].layer",
            "must be a layer with n_out. Received: 'SubsamplingLayer'",
        ),
        (
            LENET,
            {"n_out_replace": [NOutReplace(layer=3, n_out=2, weight_init="relu")], "remove_output_layer": True},
            "n_out_replace[0].layer",
            "must be a layer that is not removed",
        ),
        (
            LENET,
            {"n_in_replace": [NInReplace(layer="wide", n_in=2, weight_init="relu")]},
            "layers[2].n_in",
            "must be 36, the size of the layer's input",
        ),
        (
            LENET,
            {"n_out_replace": [NOutReplace(layer="conv", n_out=2, weight_init="relu")]},
            "layers[2].n_in",
            "must be 18, the size of the layer's input",
        ),
        (
            NORMALIZED,
            {"n_out_replace": [NOutReplace(layer=0, n_out=2, weight_init="relu")]},
            "layers[1].n_out",
            "must be 2, the size of the layer's input",
        ),
        (
            LENET,
            {"remove_output_layer": True, "add_layers": [OutputLayer(n_in=9, n_out=2)]},
            "add_layers[0].n_in",
            "must be 10, the size of the layer's input (or left out). Received: 9",
        ),
        (
            LENET,
            {"remove_output_layer": True, "add_layers": [OutputLayer(n_out=1, activation="softmax")]},
            "add_layers[0]",
            "softmax",
        ),
        (
            MultiLayerConfiguration.from_json(LENET.to_json()),
            {"remove_output_layer": True, "add_layers": [OutputLayer(n_out=2)]},
            "add_layers[0].n_in",
            "must be given, or the network's input_type",
        ),
    ],
)
def test_changes_that_cannot_be_made(conf, changes, path, message):
    with pytest.raises(ConfigError) as caught:
        plan(TransferLearning(**changes), conf)
    assert caught.value.path.startswith(path)
    assert message in str(caught.value)


def test_the_input_type_of_a_network_from_a_file_can_be_told():
    read = MultiLayerConfiguration.from_json(LENET.to_json())
    made = planned(read, input_type=LENET.input_type, remove_output_layer=True, add_layers=[OutputLayer(n_out=2)])
    assert made["add_layers"][0]["nin"] == 10


def test_penalties_are_taken_away_with_zero():
    tune = FineTuneConfiguration(l1=0, weight_decay_bias=0, l2_bias=0.5)
    tree = json.loads(tune.to_json())
    assert [key for key, value in tree.items() if value is True] == ["removeL1", "removeWDBias"]
    assert tree["regularizationBias"][0]["l2"]["value"] == 0.5
    read = FineTuneConfiguration.from_json(tune.to_json())
    assert (read.l1, read.weight_decay_bias, read.l2) == (0, 0, None)
    assert read.to_json() == tune.to_json()


@pytest.mark.parametrize(
    "lost",
    [
        {"dropout": 0.5},
        {"weight_noise": DropConnect(weight_retain_prob=0.5)},
        {"gradient_normalization": "clip_l2_per_layer"},
    ],
)
def test_a_document_that_would_lose_something_is_refused(lost):
    (name,) = lost
    with pytest.raises(ConfigError, match=rf"^FineTuneConfiguration\.{name} cannot be written: DL4J's JSON"):
        FineTuneConfiguration(**lost).to_json()


def test_what_a_document_lost_is_told():
    text = json.dumps({"regularization": [], "regularizationBias": [], "dropout": {"present": True}})
    with pytest.raises(ConfigError, match=r"FineTuneConfiguration\.dropout is lost") as caught:
        FineTuneConfiguration.from_json(text)
    assert caught.value.path == "FineTuneConfiguration.dropout"
    with pytest.raises(ConfigError, match="has no JSON key 'drpout'"):
        FineTuneConfiguration.from_json('{"drpout": {"present": false}}')


def test_nothing_is_kept_in_documents():
    tune = FineTuneConfiguration(dropout=0, constraints=(), gradient_normalization="none", remove_weight_noise=True)
    assert FineTuneConfiguration.from_json(tune.to_json()) == tune
    assert FineTuneConfiguration.from_yaml(tune.to_yaml()) == tune


@pytest.mark.parametrize(
    ("options", "path"),
    [({"l2": 1, "weight_decay": 1}, "weight_decay"), ({"l2_bias": 1, "weight_decay_bias": 1}, "weight_decay_bias")],
)
def test_contradictory_penalties(options, path):
    with pytest.raises(ConfigError, match="of which DL4J keeps the last") as caught:
        FineTuneConfiguration(**options)
    assert caught.value.path == f"FineTuneConfiguration.{path}"
