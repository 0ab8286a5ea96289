"""Layers around layers: what passes through them, and what DL4J's builders leave out."""

import pickle
from copy import deepcopy

import pytest

from pydl4j import InputType, MultiLayerConfiguration
from pydl4j.constraints import MaxNormConstraint
from pydl4j.errors import ConfigError, GuardError
from pydl4j.layers import (
    LSTM,
    Bidirectional,
    ConvolutionLayer,
    DenseLayer,
    FrozenLayer,
    FrozenLayerWithBackprop,
    GravesBidirectionalLSTM,
    LastTimeStep,
    MaskZeroLayer,
    OutputLayer,
    RnnOutputLayer,
    SimpleRnn,
    TimeDistributed,
)
from pydl4j.updaters import Sgd

SEQUENCES = InputType.recurrent(5, time_series_length=7)
IMAGES = InputType.convolutional(height=4, width=3, channels=2)
LSTM_5_4 = {"W": (5, 16), "RW": (4, 16), "b": (16,)}


def resolved(layer, input_type=SEQUENCES, **options):
    return MultiLayerConfiguration(layers=[layer], input_type=input_type, **options).resolve().layers[0]


@pytest.mark.parametrize(
    ("layer", "output"),
    [
        (Bidirectional(layer=LSTM(n_out=4)), InputType.recurrent(8)),
        (Bidirectional(layer=LSTM(n_out=4), mode="add"), InputType.recurrent(4, time_series_length=7)),
        (LastTimeStep(layer=LSTM(n_out=4)), InputType.feed_forward(4)),
        (LastTimeStep(layer=Bidirectional(layer=SimpleRnn(n_out=4))), InputType.feed_forward(8)),
        (TimeDistributed(layer=DenseLayer(n_out=4)), InputType.recurrent(4, time_series_length=7)),
        (MaskZeroLayer(layer=LSTM(n_out=4)), InputType.recurrent(4, time_series_length=7)),
        (FrozenLayer(layer=LSTM(n_out=4)), InputType.recurrent(4, time_series_length=7)),
    ],
)
def test_output_types(layer, output):
    assert resolved(layer).output_type == output


def test_sizes_are_those_of_the_layer_inside():
    assert resolved(LastTimeStep(layer=LSTM(n_out=4))).param_shapes == LSTM_5_4
    assert resolved(FrozenLayer(layer=LSTM(n_out=4))).param_shapes == LSTM_5_4
    both = {prefix + key: shape for prefix in "fb" for key, shape in LSTM_5_4.items()}
    assert resolved(Bidirectional(layer=LSTM(n_out=4))).param_shapes == both


def test_a_preprocessor_is_the_one_of_the_layer_inside():
    place = resolved(FrozenLayer(layer=DenseLayer(n_out=3)), IMAGES)
    assert place.preprocessor == resolved(DenseLayer(n_out=3), IMAGES).preprocessor
    assert place.layer.layer.n_in == 24


def test_the_format_of_sequences_is_learned():
    nwc = InputType.recurrent(5, format="nwc")
    assert resolved(TimeDistributed(layer=DenseLayer(n_out=4)), nwc).layer.data_format == "nwc"
    assert resolved(Bidirectional(layer=LSTM(n_out=4)), nwc).layer.derived()["rnndataFormat"] == "NWC"


@pytest.mark.parametrize("cls", [LastTimeStep, MaskZeroLayer, FrozenLayer, FrozenLayerWithBackprop, Bidirectional])
def test_options_are_inherited_by_the_layer_inside(cls):
    layer = resolved(cls(layer=LSTM(n_out=4)), activation="relu", dropout=0.5, l2=0.25).layer
    assert layer.layer.name == layer.name == "layer0"
    assert layer.layer.activation == LSTM(n_out=4, activation="relu").activation
    assert [penalty.l2.value for penalty in layer.layer.regularization] == [0.25]
    assert layer.layer.dropout.p == 0.5


def test_updaters_are_those_of_the_layer_inside():
    assert resolved(FrozenLayer(layer=LSTM(n_out=4))).layer.updater_of("W") is None
    assert resolved(LastTimeStep(layer=LSTM(n_out=4))).layer.updater_of("W") == Sgd()
    assert resolved(Bidirectional(layer=LSTM(n_out=4))).layer.updater_of("bW") == Sgd()


def test_constraints_of_the_network_name_the_parameters_of_both_directions():
    layer = resolved(Bidirectional(layer=LSTM(n_out=4)), constrain_weights=[MaxNormConstraint(max_norm=1)]).layer
    assert set(layer.constraints[0].params) == {"fW", "fRW", "bW", "bRW"}
    assert set(layer.layer.constraints[0].params) == {"W", "RW"}


def refused(layer, input_type=SEQUENCES, **options):
    with pytest.raises(ConfigError) as caught:
        MultiLayerConfiguration(layers=[layer], input_type=input_type, **options)
    return caught.value


def test_a_bidirectional_last_time_step_needs_all_options():
    error = refused(Bidirectional(layer=LastTimeStep(layer=LSTM(n_out=4, activation="tanh"))))
    assert isinstance(error, GuardError)
    assert error.path == "layers[0].layer.layer.weight_init"
    assert "DL4J's builders do not pass the network's options on" in error.message
    assert "weight_init, bias_init, gain_init, updater, gradient_normalization" in error.message


COMPLETE = LSTM(
    n_out=4, activation="tanh", weight_init="xavier", bias_init=0.0, gain_init=1.0, updater="sgd",
    gradient_normalization="none", gradient_normalization_threshold=1.0,
)  # fmt: skip


def test_a_bidirectional_last_time_step_with_all_options_is_taken():
    layer = Bidirectional(layer=LastTimeStep(layer=COMPLETE))
    assert resolved(layer).output_type == InputType.feed_forward(8)
    assert resolved(layer).layer.derived()["nout"] == 4  # as DL4J writes it
    error = refused(layer, l2=0.1)
    assert error.path == "layers[0].layer.layer.regularization"


@pytest.mark.parametrize("layer", [Bidirectional(layer=LSTM(n_out=4)), GravesBidirectionalLSTM(n_out=4)])
def test_layers_of_both_directions_cannot_have_segments(layer):
    error = refused(layer, backprop_type="truncated_bptt")
    assert isinstance(error, GuardError)
    assert error.message.startswith("layers[0] cannot be a layer of both directions with backprop_type")


@pytest.mark.parametrize("option", ["dropout", "constraints", "constrain_weights"])
def test_options_without_effect_are_refused(option):
    value = 0.5 if option == "dropout" else [MaxNormConstraint(max_norm=1)]
    error = refused(LastTimeStep(layer=LSTM(n_out=4), **{option: value}))
    assert error.message.startswith(f"layers[0].{option} must be given to the layer inside: DL4J does nothing with it")


@pytest.mark.parametrize(
    ("inside", "kind"), [(DenseLayer(n_out=3), ConfigError), (MaskZeroLayer(layer=LSTM(n_out=3)), GuardError)]
)
def test_bidirectional_takes_recurrent_layers(inside, kind):
    with pytest.raises(kind, match=r"^Bidirectional\.layer must be a recurrent layer, or a LastTimeStep of one"):
        Bidirectional(layer=inside)


def test_errors_inside_name_the_layer_inside():
    assert refused(FrozenLayer(layer=LSTM(n_in=9, n_out=4))).path == "layers[0].layer.n_in"
    assert refused(TimeDistributed(layer=DenseLayer(n_out=3)), InputType.feed_forward(3)).path == "layers[0]"


def test_both_directions_are_read_back():
    layers = [Bidirectional(layer=LSTM(n_out=4)), RnnOutputLayer(n_out=2)]
    text = MultiLayerConfiguration(layers=layers, input_type=SEQUENCES, seed=1).to_json()
    read = MultiLayerConfiguration.from_json(text)
    assert read.layers[0].bwd is None
    changed = text.replace('"forgetGateBiasInit" : 1.0', '"forgetGateBiasInit" : 2.0', 1)
    differing = MultiLayerConfiguration.from_json(changed)
    assert differing.layers[0].bwd.forget_gate_bias_init == 2.0
    assert differing.to_json() == changed


def test_the_name_inside_is_the_name_outside_where_a_document_has_none():
    layers = [FrozenLayer(layer=ConvolutionLayer(n_out=4, kernel_size=2)), OutputLayer(n_out=2)]
    text = MultiLayerConfiguration(layers=layers, input_type=IMAGES, seed=1).to_json()
    assert text.count('"layerName" : "layer0"') == 2
    lacking = text.replace('"layerName" : "layer0",', "", 1)
    assert MultiLayerConfiguration.from_json(lacking).to_json() == text


def test_layers_deep_in_layers_are_written_in_proportion():
    """Each level once more for the one around it would be 2**40 of them."""
    layer = LSTM(n_out=4)
    for _ in range(40):
        layer = MaskZeroLayer(layer=layer)
    conf = MultiLayerConfiguration(
        layers=[layer, RnnOutputLayer(n_out=2)], input_type=SEQUENCES, gradient_normalization="clip_l2_per_layer"
    )
    text = conf.to_json()
    assert text.count('"gradientNormalization" : "ClipL2PerLayer"') == 42
    assert MultiLayerConfiguration.from_json(text).to_json() == text


def nested(depth: int) -> MaskZeroLayer:
    layer = MaskZeroLayer(layer=LSTM(n_out=4))
    for _ in range(depth - 2):
        layer = MaskZeroLayer(layer=layer)
    return layer


def test_layers_as_deep_as_they_may_be_are_compared_and_copied():
    layer = nested(100)
    assert pickle.loads(pickle.dumps(layer)) == deepcopy(layer) == layer
    assert hash(deepcopy(layer)) == hash(layer)
    assert repr(layer).count("MaskZeroLayer") == 99


def test_layers_too_deep_in_layers_are_refused():
    with pytest.raises(
        ConfigError, match=r"^MaskZeroLayer must have at most 100 objects and sequences inside one another"
    ):
        nested(500)
