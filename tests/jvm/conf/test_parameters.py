"""Networks of recurrent, wrapped and special layers are initialized by DL4J with the parameters that Python foretells."""

import pytest

from pydl4j import InputType, MultiLayerConfiguration
from pydl4j.layers import (
    LSTM,
    AutoEncoder,
    Bidirectional,
    CenterLossOutputLayer,
    ElementWiseMultiplicationLayer,
    EmbeddingLayer,
    FrozenLayer,
    GravesBidirectionalLSTM,
    LastTimeStep,
    LearnedSelfAttentionLayer,
    MaskZeroLayer,
    OCNNOutputLayer,
    OutputLayer,
    PReLULayer,
    RnnOutputLayer,
    SelfAttentionLayer,
    SimpleRnn,
    VariationalAutoencoder,
)

ROWS = InputType.feed_forward(6)
SEQUENCES = InputType.recurrent(6, time_series_length=4)
NETWORKS = {
    "auto_encoder": (ROWS, [AutoEncoder(n_out=3), OutputLayer(n_out=2)]),
    "center_loss": (ROWS, [CenterLossOutputLayer(n_out=3)]),
    "element_wise": (ROWS, [ElementWiseMultiplicationLayer(n_out=6), OutputLayer(n_out=2)]),
    "embedding": (ROWS, [EmbeddingLayer(n_out=3, has_bias=True), OutputLayer(n_out=2)]),
    "one_class": (ROWS, [OCNNOutputLayer(hidden_size=3)]),
    "prelu": (ROWS, [PReLULayer(input_shape=[6]), OutputLayer(n_out=2)]),
    "variational": (ROWS, [VariationalAutoencoder(n_out=2, encoder_layer_sizes=[5, 4]), OutputLayer(n_out=2)]),
    "attention": (SEQUENCES, [SelfAttentionLayer(n_heads=2, n_out=4, project_input=True), RnnOutputLayer(n_out=2)]),
    "learned_attention": (SEQUENCES, [LearnedSelfAttentionLayer(n_heads=1, n_queries=3), RnnOutputLayer(n_out=2)]),
    "bidirectional": (SEQUENCES, [Bidirectional(layer=LSTM(n_out=3)), RnnOutputLayer(n_out=2)]),
    "graves": (SEQUENCES, [GravesBidirectionalLSTM(n_out=3), RnnOutputLayer(n_out=2)]),
    "simple": (SEQUENCES, [LastTimeStep(layer=SimpleRnn(n_out=3, has_layer_norm=True)), OutputLayer(n_out=2)]),
    "frozen": (SEQUENCES, [FrozenLayer(layer=MaskZeroLayer(layer=LSTM(n_out=3))), RnnOutputLayer(n_out=2)]),
}


@pytest.mark.parametrize("name", NETWORKS)
def test_parameters_are_those_of_an_initialized_network(jvm, name):
    input_type, layers = NETWORKS[name]
    conf = MultiLayerConfiguration(seed=1, layers=layers, input_type=input_type)
    network = jvm.call("nn.Networks.create", conf.to_json())
    assert jvm.get(jvm.call("nn.Networks.params", network)).size == conf.resolve().n_params
    read = MultiLayerConfiguration.from_json(jvm.call("nn.Networks.configuration", network))
    places = conf.resolve().layers
    keys = [set() if isinstance(place.layer, LastTimeStep) else set(place.param_shapes) for place in places]  # unlisted
    assert [set(state.variables) for state in read.layer_states] == keys
