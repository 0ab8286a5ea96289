"""What a configuration is beside its document: values, inheritance, inference, summary."""

import copy
import inspect
import json
import subprocess
import sys
from types import ModuleType

import numpy as np
import pytest

import pydl4j as dl
from pydl4j import InputType, MultiLayerConfiguration
from pydl4j.conf._reading import At
from pydl4j.conf.options import NeuralNetConfiguration
from pydl4j.layers import BatchNormalization, ConvolutionLayer, DenseLayer, OutputLayer, SubsamplingLayer
from pydl4j.regularization import L2Regularization, WeightDecay
from pydl4j.updaters import Adam, Sgd

LENET = MultiLayerConfiguration(
    updater="adam",
    convolution_mode="same",
    layers=[
        ConvolutionLayer(n_out=20, activation="relu"),
        SubsamplingLayer(kernel_size=2),
        DenseLayer(n_out=500, activation="relu", name="wide"),
        OutputLayer(n_out=10),
    ],
    input_type=InputType.convolutional_flat(height=8, width=8, channels=1),
)


def test_repr_shows_what_was_set():
    assert repr(DenseLayer(n_out=10, activation="RELU")) == "DenseLayer(activation='relu', n_out=10)"
    assert repr(DenseLayer(n_out=10, has_bias=True)) == "DenseLayer(n_out=10)"
    assert repr(Adam(learning_rate=0.01)) == "Adam(learning_rate=0.01)"
    assert (
        repr(DenseLayer(n_out=1, updater=Adam(learning_rate=1)))
        == "DenseLayer(updater=Adam(learning_rate=1.0), n_out=1)"
    )
    assert repr(InputType.recurrent(3)) == "InputType.recurrent(size=3)"


def test_names_and_objects_are_the_same():
    assert DenseLayer(n_out=3, activation="relu") == DenseLayer(n_out=3, activation=dl.activations.ActivationReLU())
    assert DenseLayer(n_out=3, weight_init="ones") == DenseLayer(
        n_out=3, weight_init=dl.initializers.WeightInitConstant(value=1)
    )
    assert ConvolutionLayer(n_out=1, kernel_size=3) == ConvolutionLayer(n_out=1, kernel_size=(3, 3))
    assert ConvolutionLayer(n_out=1, convolution_mode="SAME").convolution_mode == "same"


def test_values_of_other_types_of_equal_size_are_equal_but_other_classes_are_not():
    assert DenseLayer(n_out=np.int64(3), bias_init=np.float32(0.5)) == DenseLayer(n_out=3, bias_init=0.5)
    assert DenseLayer(n_out=3) != OutputLayer(n_out=3)
    assert Adam() != dl.updaters.AdaMax()
    assert DenseLayer(n_out=3) != 3


def test_replace_changes_a_copy():
    layer = DenseLayer(n_out=3, activation="relu")
    assert layer.replace(n_out=4) == DenseLayer(n_out=4, activation="relu")
    assert layer.n_out == 3
    assert copy.deepcopy(layer) == layer


def test_resolution_is_made_once():
    assert LENET.resolve() is LENET.resolve()
    assert LENET.replace() == LENET


def test_signature_is_for_completion():
    parameters = inspect.signature(DenseLayer).parameters
    assert next(iter(parameters)) == "n_out"
    assert parameters["has_bias"].default is True
    assert all(parameter.kind is parameter.KEYWORD_ONLY for parameter in parameters.values())


def test_resolved_layers_are_filled_in():
    first, pooling, dense, output = LENET.resolve().layers
    assert first.layer.convolution_mode == pooling.layer.convolution_mode == "same"
    assert first.layer.updater == Adam()
    assert [place.name for place in LENET.resolve().layers] == ["layer0", "layer1", "wide", "layer3"]
    assert (dense.path, dense.layer.n_in, dense.n_params) == ("layers[2]", 320, 320 * 500 + 500)
    assert first.param_shapes == {"b": (20,), "W": (20, 1, 5, 5)}
    assert output.output_type == LENET.resolve().output_type == InputType.feed_forward(10)
    assert LENET.resolve().input_type == LENET.input_type
    assert LENET.resolve().data_type == "float"


def test_summary_is_a_table():
    assert LENET.summary() == (
        "Layer (type)                    nIn, nOut  Parameters  Shapes                   Output shape\n"
        "---------------------------------------------------------------------------------------------\n"
        "input                                                                           [?, 64]\n"
        "  FeedForwardToCnnPreProcessor                                                  [?, 1, 8, 8]\n"
        "0 layer0 (ConvolutionLayer)     1, 20             520  b:[20], W:[20, 1, 5, 5]  [?, 20, 8, 8]\n"
        "1 layer1 (SubsamplingLayer)     -                   0  -                        [?, 20, 4, 4]\n"
        "  CnnToFeedForwardPreProcessor                                                  [?, 320]\n"
        "2 wide (DenseLayer)             320, 500      160,500  W:[320, 500], b:[500]    [?, 500]\n"
        "3 layer3 (OutputLayer)          500, 10         5,010  W:[500, 10], b:[10]      [?, 10]\n"
        "---------------------------------------------------------------------------------------------\n"
        "Total parameters: 166,030 (float)"
    )


def test_summary_of_a_document_without_input_type_shows_what_is_known():
    conf = MultiLayerConfiguration(layers=[ConvolutionLayer(n_in=2, n_out=3, kernel_size=2), SubsamplingLayer()])
    summary = MultiLayerConfiguration.from_json(conf.to_json()).summary()
    assert "0 layer0 (ConvolutionLayer)  2, 3               27  b:[3], W:[3, 2, 2, 2]  ?" in summary


def test_dropout_of_zero_switches_the_networks_off():
    layers = [DenseLayer(n_in=3, n_out=3), DenseLayer(n_out=3, dropout=0), OutputLayer(n_out=2)]
    resolved = MultiLayerConfiguration(layers=layers, dropout=0.5).resolve()
    assert [place.layer.dropout for place in resolved.layers] == [
        dl.dropout.Dropout(p=0.5),
        None,
        dl.dropout.Dropout(p=0.5),
    ]


def test_weight_decay_is_inherited_once_and_not_doubled():
    layers = [DenseLayer(n_in=3, n_out=3), DenseLayer(n_out=3, weight_decay=0.5), DenseLayer(n_out=3, l2=0.25)]
    resolved = MultiLayerConfiguration(layers=layers, weight_decay=0.1).resolve()
    decay = WeightDecay(coeff=0.1)
    expected = [(decay,), (WeightDecay(coeff=0.5),), (L2Regularization(l2=0.25), decay)]
    assert [place.layer.regularization for place in resolved.layers] == expected


def test_variance_as_it_is_lists_the_parameters_so_that_dl4j_keeps_it():
    layers = [BatchNormalization(use_log_std=False), BatchNormalization(), OutputLayer(n_out=2)]
    conf = MultiLayerConfiguration(layers=layers, input_type=InputType.feed_forward(3))
    tree = json.loads(conf.to_json())
    assert [layer["variables"] for layer in tree["confs"]] == [["gamma", "beta", "mean", "var"], [], []]
    assert conf.resolve().layers[0].param_shapes == dict.fromkeys(("gamma", "beta", "mean", "var"), (3,))


def test_states_of_layers_are_written():
    layers = [DenseLayer(n_in=3, n_out=3), OutputLayer(n_out=2)]
    conf = MultiLayerConfiguration(layers=layers, iteration_count=7, epoch_count=2)
    fresh = NeuralNetConfiguration.of(conf).replace(variables=["W", "b"])
    states = [fresh.replace(epoch_count=2), fresh.replace(iteration_count=7)]
    conf = conf.replace(layer_states=states)
    assert MultiLayerConfiguration.from_json(conf.to_json()).layer_states == tuple(states)
    with pytest.raises(dl.errors.ConfigError, match=r"layer_states must have 2 items, one per layer\. Received: 1"):
        conf.replace(layer_states=states[:1])


def test_documents_whose_layers_disagree_are_kept():
    conf = MultiLayerConfiguration(layers=[DenseLayer(n_in=3, n_out=3), OutputLayer(n_out=2)], seed=5)
    tree = json.loads(conf.to_json())
    tree["confs"][1].update(seed=9, stepFunction={"negativeGradient": {}}, cacheMode=None)
    read = MultiLayerConfiguration.read(tree, At("conf"))
    assert read.seed == 5
    assert [state.seed for state in read.layer_states] == [5, 9]
    assert read.layer_states[1].step_function == "negative_gradient"
    assert read.to_tree() == tree
    assert "stepFunction: !<negativeGradient> {}" in read.to_yaml()
    assert MultiLayerConfiguration.from_yaml(read.to_yaml()) == read


def test_unknown_keys_are_left_out_where_asked():
    conf = MultiLayerConfiguration(layers=[DenseLayer(n_in=3, n_out=3), OutputLayer(n_out=2)])
    tree = json.loads(conf.to_json())
    tree["confs"][0]["layer"]["nOut"] = 7
    with pytest.warns(dl.errors.ConfigWarning, match=r"layers\[0\]: .*DenseLayer has no JSON key 'nOut'.*; left out"):
        assert MultiLayerConfiguration.from_json(json.dumps(tree), lenient=True).to_json() == conf.to_json()


def test_constraints_of_the_network_name_the_parameters_of_each_layer():
    norm = dl.constraints.UnitNormConstraint(dimensions=[1])
    layers = [DenseLayer(n_in=3, n_out=3), DenseLayer(n_out=3, constrain_bias=[norm]), OutputLayer(n_out=2)]
    conf = MultiLayerConfiguration(layers=layers, constrain_weights=[norm], constrain_all=[norm])
    first, second, _ = (place.layer.constraints for place in conf.resolve().layers)
    assert [constraint.params for constraint in first] == [("b", "W"), ("W",)]
    assert [constraint.params for constraint in second] == [("b",)]


def test_layers_that_do_not_count_epochs_take_the_networks():
    conf = MultiLayerConfiguration(layers=[DenseLayer(n_in=3, n_out=3), OutputLayer(n_out=2)], epoch_count=4)
    tree = json.loads(conf.to_json())
    tree["confs"][0]["epochCount"] = 3
    del tree["confs"][1]["epochCount"]
    read = MultiLayerConfiguration.read(tree, At("conf"))
    assert [state.epoch_count for state in read.layer_states] == [3, 4]


def test_a_schedule_is_read_without_its_number():
    nesterovs = dl.updaters.Nesterovs(momentum=dl.schedules.FixedSchedule(value=0.9))
    tree = nesterovs.to_tree()
    del tree["momentum"]
    assert dl.updaters.IUpdater.read(tree, At("updater")) == nesterovs


def test_a_schedule_takes_the_place_of_a_number():
    schedule = dl.schedules.FixedSchedule(value=0.1)
    assert Sgd(learning_rate=schedule).learning_rate is schedule
    assert L2Regularization(l2=0.5) == L2Regularization(l2=dl.schedules.FixedSchedule(value=0.5))


@pytest.mark.parametrize("module", ["pydl4j", "pydl4j.layers"])
def test_import_is_light(module):
    heavy = ["jpype", "py4j", "pyspark", "pyarrow", "pandas", "numpy", "yaml"]
    code = f"import sys, {module}; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_every_public_name_is_there():
    for name in dl.__all__:
        assert getattr(dl, name) is not None
    assert set(dl.__all__) <= set(dir(dl))
    with pytest.raises(AttributeError, match="module 'pydl4j' has no attribute 'nonsense'"):
        dl.nonsense  # noqa: B018


@pytest.mark.parametrize("name", [name for name in dl.__all__ if isinstance(getattr(dl, name), ModuleType)])
def test_public_modules_list_public_names_only(name):
    module = getattr(dl, name)
    listed = {name: getattr(module, name) for name in dir(module)}
    assert listed
    assert [name for name, value in listed.items() if name[0] == "_" or isinstance(value, ModuleType)] == []
    assert listed.keys() <= {*vars(module), *getattr(module, "__all__", ())}
