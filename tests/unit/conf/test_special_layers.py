"""Embeddings, autoencoders, attention and special outputs: shapes, and refusals of what DL4J fails at."""

import pytest

from pydl4j import InputType, MultiLayerConfiguration
from pydl4j.conf._reading import At
from pydl4j.constraints import MaxNormConstraint
from pydl4j.errors import ConfigError, GuardError
from pydl4j.initializers import Distribution, NormalDistribution, WeightInitEmbedding
from pydl4j.layers import (
    LSTM,
    AutoEncoder,
    BernoulliReconstructionDistribution,
    CenterLossOutputLayer,
    CompositeReconstructionDistribution,
    DenseLayer,
    ElementWiseMultiplicationLayer,
    EmbeddingLayer,
    EmbeddingSequenceLayer,
    GaussianReconstructionDistribution,
    LearnedSelfAttentionLayer,
    OCNNOutputLayer,
    OutputLayer,
    PReLULayer,
    RecurrentAttentionLayer,
    RepeatVector,
    RnnLossLayer,
    RnnOutputLayer,
    SelfAttentionLayer,
    VariationalAutoencoder,
)
from pydl4j.losses import LossMCXENT, LossMSE
from pydl4j.preprocessors import (
    ComposableInputPreProcessor,
    FeedForwardToCnn3DPreProcessor,
    KerasFlattenRnnPreprocessor,
    PermutePreprocessor,
    ReshapePreprocessor,
    RnnToFeedForwardPreProcessor,
)

ROWS = InputType.feed_forward(12)
SEQUENCES = InputType.recurrent(6, time_series_length=9)


def resolved(layer, input_type=ROWS, **options):
    return MultiLayerConfiguration(layers=[layer], input_type=input_type, **options).resolve().layers[0]


def refused(*layers, input_type=ROWS, **options):
    with pytest.raises(ConfigError) as caught:
        MultiLayerConfiguration(layers=layers, input_type=input_type, **options)
    return caught.value


def test_the_first_embedding_tells_the_number_of_words():
    layers = [EmbeddingLayer(n_in=100, n_out=5), OutputLayer(n_out=2)]
    assert MultiLayerConfiguration(layers=layers).resolve().layers[1].layer.n_in == 5


def test_sequences_of_words():
    place = resolved(EmbeddingSequenceLayer(n_in=12, n_out=5, infer_input_length=False, input_length=7))
    assert place.output_type == InputType.recurrent(5, time_series_length=7)
    assert place.layer.infer_input_length
    assert resolved(EmbeddingSequenceLayer(n_out=5), SEQUENCES).preprocessor is None


@pytest.mark.parametrize("cls", [EmbeddingLayer, EmbeddingSequenceLayer])
def test_an_embedding_of_another_number_of_words_is_refused(cls):
    error = refused(cls(n_in=100, n_out=5), input_type=InputType.feed_forward(20))
    assert isinstance(error, GuardError)
    assert error.message == (
        "layers[0].n_in must be 20, the size of the input type, which DL4J takes as the number of words (or left out). "
        "Received: 100"
    )


def test_vectors_of_an_embedding_are_not_in_a_configuration():
    error = refused(EmbeddingLayer(n_out=5, weight_init=WeightInitEmbedding()))
    assert error.path == "layers[0].weight_init"


def test_parameters_of_a_variational_autoencoder():
    layer = VariationalAutoencoder(n_out=2, encoder_layer_sizes=(8, 6), decoder_layer_sizes=(7,))
    shapes = resolved(layer).param_shapes
    weights = {key: shape for key, shape in shapes.items() if key.endswith("W")}
    assert weights == {
        "e0W": (12, 8), "e1W": (8, 6), "pZXMeanW": (6, 2), "pZXLogStd2W": (6, 2), "d0W": (2, 7), "pXZW": (7, 24),
    }  # fmt: skip
    bernoulli = layer.replace(output_distribution=BernoulliReconstructionDistribution())
    assert resolved(bernoulli).param_shapes["pXZW"] == (7, 12)


def test_a_composite_distribution_must_fit_the_data():
    both = [GaussianReconstructionDistribution(), BernoulliReconstructionDistribution()]
    layer = VariationalAutoencoder(
        n_out=2,
        output_distribution=CompositeReconstructionDistribution(
            distribution_sizes=[5, 7], reconstruction_distributions=both
        ),
    )
    assert resolved(layer).param_shapes["pXZb"] == (17,)
    error = refused(layer, input_type=InputType.feed_forward(13))
    assert error.path == "layers[0].output_distribution"
    with pytest.raises(ConfigError, match=r"distribution_sizes must have 2 items"):
        CompositeReconstructionDistribution(distribution_sizes=[5], reconstruction_distributions=both)


@pytest.mark.parametrize(
    ("layer", "constrained"),
    [
        (AutoEncoder(n_out=3), {"W", "b"}),
        (CenterLossOutputLayer(n_out=3), {"W", "b"}),
        (OCNNOutputLayer(hidden_size=3), {"w", "v", "r"}),
        (VariationalAutoencoder(n_out=2), set(resolved(VariationalAutoencoder(n_out=2)).param_shapes)),
    ],
)
def test_constraints_on_all_parameters(layer, constrained):
    layer = layer.replace(constrain_all=[MaxNormConstraint(max_norm=1)])
    assert set(resolved(layer).layer.constraints[0].params) == constrained


@pytest.mark.parametrize(
    ("layer", "path"),
    [
        (ElementWiseMultiplicationLayer(n_out=11), "layers[0].n_out"),
        (PReLULayer(), "layers[0].input_shape"),
        (PReLULayer(input_shape=(12,), shared_axes=(2,)), "layers[0].shared_axes"),
        (OutputLayer(n_out=2, loss=LossMCXENT(weights=[1, 2, 3])), "layers[0].loss.weights"),
    ],
)
def test_what_dl4j_fails_at_is_guarded(layer, path):
    error = refused(layer)
    assert isinstance(error, GuardError)
    assert error.path == path


def test_weights_of_a_loss_are_one_row():
    assert resolved(OutputLayer(n_out=3, loss=LossMSE(weights=[[1, 2, 3]]))).layer.loss.weights.shape == (1, 3)
    with pytest.raises(ConfigError, match=r"^LossMSE\.weights must be one row of numbers"):
        LossMSE(weights=[[1], [2]])


def test_slopes_may_be_shared():
    series = InputType.recurrent(3, time_series_length=4)
    assert resolved(PReLULayer(input_shape=(3, 4), shared_axes=(2,)), series).param_shapes == {"W": (3, 1)}


def test_a_loss_on_sequences_must_have_their_format():
    nwc = InputType.recurrent(6, format="nwc")
    loss = RnnLossLayer(activation="softmax")
    assert resolved(loss, nwc.replace(format="ncw")).output_type == nwc.replace(format="ncw")
    assert refused(loss, input_type=nwc).path == "layers[0].data_format"


def test_a_one_class_layer_is_the_last():
    error = refused(OCNNOutputLayer(hidden_size=3), OutputLayer(n_out=2))
    assert error.message.startswith("layers[0] (OCNNOutputLayer) must be the last layer")


def test_vectors_are_repeated():
    assert resolved(RepeatVector(n=4, data_format="nwc")).output_type == InputType.recurrent(
        12, time_series_length=4, format="nwc"
    )


def test_attention():
    layer = SelfAttentionLayer(n_heads=2, n_out=8, project_input=True)
    place = resolved(layer, SEQUENCES)
    assert place.output_type == InputType.recurrent(8, time_series_length=9)
    assert place.param_shapes == {"Wq": (2, 4, 6), "Wk": (2, 4, 6), "Wv": (2, 4, 6), "Wo": (8, 8)}
    learned = LearnedSelfAttentionLayer(n_heads=1, n_queries=3)
    assert resolved(learned, SEQUENCES).output_type == InputType.recurrent(6, time_series_length=3)
    recurrent = resolved(RecurrentAttentionLayer(n_heads=1, n_out=4), SEQUENCES)
    assert list(recurrent.param_shapes) == ["W", "RW", "Wq", "Wk", "Wv", "Wo", "b"]


@pytest.mark.parametrize(
    ("options", "path"),
    [
        ({"n_heads": 2}, "project_input"),
        ({"n_heads": 0}, "n_heads"),
        ({"n_heads": 1, "project_input": True}, "n_out"),
        ({"n_heads": 1, "n_in": 6, "n_out": 5}, "n_out"),
        ({"n_heads": 2, "n_out": 5, "project_input": True}, "head_size"),
    ],
)
def test_attention_is_refused_as_in_dl4j(options, path):
    assert refused(SelfAttentionLayer(**options), input_type=SEQUENCES).path == f"layers[0].{path}"


def test_attention_works_on_ncw_only():
    error = refused(SelfAttentionLayer(n_heads=1), input_type=InputType.recurrent(6, format="nwc"))
    assert isinstance(error, GuardError)


@pytest.mark.parametrize(
    ("preprocessor", "given", "output"),
    [
        (KerasFlattenRnnPreprocessor(depth=6, ts_length=9), SEQUENCES, InputType.feed_forward(54)),
        (PermutePreprocessor(permutation_indices=[0, 2, 1]), SEQUENCES, InputType.recurrent(9, time_series_length=6)),
        (
            ReshapePreprocessor(input_shape=[12], target_shape=[3, 4], has_mini_batch_dimension=False), ROWS,
            InputType.recurrent(4, time_series_length=3, format="nwc"),
        ),
        (
            ReshapePreprocessor(input_shape=[0, 12], target_shape=[0, 3, 2, 2], has_mini_batch_dimension=True), ROWS,
            InputType.convolutional(height=2, width=2, channels=3),
        ),
        (
            FeedForwardToCnn3DPreProcessor(input_depth=3, input_height=2, input_width=2), ROWS,
            InputType.convolutional_3d(depth=3, height=2, width=2, channels=1),
        ),
        (
            ComposableInputPreProcessor(
                preprocessors=[RnnToFeedForwardPreProcessor(), FeedForwardToCnn3DPreProcessor(input_depth=3, input_height=2, input_width=1)]
            ),
            SEQUENCES,
            InputType.convolutional_3d(depth=3, height=2, width=1, channels=1),
        ),
    ],
)  # fmt: skip
def test_types_after_preprocessors(preprocessor, given, output):
    assert preprocessor.output_type(given, "input_preprocessors[0]") == output


@pytest.mark.parametrize(
    ("preprocessor", "given"),
    [
        (PermutePreprocessor(permutation_indices=[0, 2, 1]), InputType.recurrent(6)),
        (ReshapePreprocessor(input_shape=[2, 6], target_shape=[1, 2, 3, 2], has_mini_batch_dimension=False), ROWS),
        (FeedForwardToCnn3DPreProcessor(input_depth=3, input_height=2, input_width=3), ROWS),
    ],
)
def test_preprocessors_refuse(preprocessor, given):
    with pytest.raises(ConfigError, match=r"^input_preprocessors\[0\]"):
        preprocessor.output_type(given, "input_preprocessors[0]")


def test_old_names_of_distributions_are_read():
    read = Distribution.read({"normal": {"mean": 1.0, "std": 2.0}}, At("layers[0]"))
    assert read == NormalDistribution(mean=1, std=2)


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("org.nd4j.linalg.activations.impl.ActivationPReLU", "use a PReLULayer"),
        ("org.nd4j.linalg.schedule.RampSchedule", "MapSchedule"),
    ],
)
def test_what_dl4j_cannot_read_is_refused_with_advice(text, advice):
    known = {"org.nd4j.linalg.schedule.RampSchedule": "org.nd4j.linalg.schedule.FixedSchedule"}.get(
        text, "org.nd4j.linalg.activations.impl.ActivationReLU6"
    )
    conf = MultiLayerConfiguration(layers=[DenseLayer(n_in=1, n_out=1, activation="relu6", l2=0.5)], seed=1)
    with pytest.raises(ConfigError, match=rf"DL4J itself cannot read a {text} from a document: .*{advice}"):
        MultiLayerConfiguration.from_json(conf.to_json().replace(known, text))


def test_a_chain_over_words():
    layers = [EmbeddingSequenceLayer(n_in=50, n_out=8), LSTM(n_out=6), RnnOutputLayer(n_out=3)]
    places = MultiLayerConfiguration(layers=layers, input_type=InputType.feed_forward(50)).resolve().layers
    assert [place.layer.n_in for place in places] == [50, 8, 6]
