"""Transfer learning in this process: what DL4J's builder makes, and what it should make."""

import json

import numpy as np
import pytest
from sklearn.datasets import load_iris

import pydl4j as dl
from pydl4j import MultiLayerConfiguration
from pydl4j.constraints import NonNegativeConstraint
from pydl4j.earlystopping import EarlyStoppingConfiguration
from pydl4j.errors import ConfigError
from pydl4j.initializers import NormalDistribution
from pydl4j.layers import (
    LSTM,
    ConvolutionLayer,
    DenseLayer,
    FrozenLayer,
    OutputLayer,
    RnnOutputLayer,
    SubsamplingLayer,
)
from pydl4j.noise import DropConnect
from pydl4j.transferlearning import FineTuneConfiguration, NInReplace, NOutReplace, TransferLearning

IRIS = load_iris()
X, Y = IRIS.data.astype("f4"), IRIS.target
TWO = (Y > 0).astype(int)
N_FIRST = 4 * 16 + 16  # parameters of the first layer
N_KEPT = N_FIRST + 16 * 8 + 8

_TL = "org.deeplearning4j.nn.transferlearning"
_LAYERS = "org.deeplearning4j.nn.conf.layers"


def java(name: str):
    import jpype

    return jpype.JClass(name)


def jlong(value: int):
    import jpype

    return jpype.JLong(value)


def typed_null(name: str):
    import jpype

    return jpype.JObject(None, java(name))


@pytest.fixture(scope="module")
def net() -> dl.MultiLayerNetwork:
    layers = [
        DenseLayer(n_out=16, activation="tanh", name="first"),
        DenseLayer(n_out=8, activation="tanh", l1=0.001),
        OutputLayer(n_out=3, activation="softmax"),
    ]
    conf = dl.MultiLayerConfiguration(
        seed=7, updater="adam", l2=0.01, layers=layers, input_type=dl.InputType.feed_forward(4)
    )
    made = dl.MultiLayerNetwork(conf)
    made.fit(X, Y, epochs=5, progress=False)
    return made


def for_two(**options) -> TransferLearning:
    return TransferLearning(
        **{
            "set_feature_extractor": 0,
            "remove_output_layer": True,
            "add_layers": [DenseLayer(n_out=5, activation="relu"), OutputLayer(n_out=2, activation="softmax")],
            **options,
        }
    )


# -- documents -------------------------------------------------------------------------------------------------------------------------


def fine_tuning(**options):
    builder = java(f"{_TL}.FineTuneConfiguration$Builder")()
    for method, argument in options.items():
        getattr(builder, method)(argument)
    return builder.build()


def pairs() -> dict:
    adam, sgd = dl.updaters.Adam(learning_rate=0.5), dl.updaters.Sgd(learning_rate=0.25)
    updaters = "org.nd4j.linalg.learning.config"
    conf = "org.deeplearning4j.nn.conf"
    return {
        "nothing": (FineTuneConfiguration(), dict),
        "updaters": (
            FineTuneConfiguration(updater=adam, bias_updater=sgd, seed=2**40),
            lambda: {
                "updater": java(f"{updaters}.Adam")(0.5),
                "biasUpdater": java(f"{updaters}.Sgd")(0.25),
                "seed": jlong(2**40),
            },
        ),
        "penalties": (
            FineTuneConfiguration(l1=0.1, l2=0.2, l1_bias=0.3, weight_decay_bias=0.4),
            lambda: {"l1": 0.1, "l2": 0.2, "l1Bias": 0.3, "weightDecayBias": 0.4},
        ),
        "no penalties": (
            FineTuneConfiguration(l2=0, weight_decay=0, l1_bias=0, l2_bias=0, weight_decay_bias=0),
            lambda: dict.fromkeys(("l2", "weightDecay", "l1Bias", "l2Bias", "weightDecayBias"), 0.0),
        ),
        "nothing left": (
            FineTuneConfiguration(dropout=0, constraints=(), remove_weight_noise=True),
            lambda: {
                "dropout": typed_null("org.deeplearning4j.nn.conf.dropout.IDropout"),
                "constraints": typed_null("java.util.List"),
                "weightNoise": typed_null("org.deeplearning4j.nn.conf.weightnoise.IWeightNoise"),
            },
        ),
        "the rest": (
            FineTuneConfiguration(
                activation="leakyrelu",
                weight_init=NormalDistribution(mean=0, std=0.5),
                bias_init=0.5,
                gradient_normalization_threshold=2,
                convolution_mode="same",
                cudnn_algo_mode="no_workspace",
                mini_batch=False,
                minimize=False,
                optimization_algo="lbfgs",
                max_num_line_search_iterations=3,
                step_function="negative_gradient",
                pretrain=True,
                backprop=False,
                backprop_type="truncated_bptt",
                tbptt_fwd_length=7,
                tbptt_back_length=6,
                training_workspace_mode="none",
                inference_workspace_mode="enabled",
            ),
            lambda: {
                "activation": java("org.nd4j.linalg.activations.Activation").LEAKYRELU,
                "weightInit": java(f"{conf}.distribution.NormalDistribution")(0.0, 0.5),
                "biasInit": 0.5,
                "gradientNormalizationThreshold": 2.0,
                "convolutionMode": java(f"{conf}.ConvolutionMode").Same,
                "cudnnAlgoMode": java(f"{conf}.layers.ConvolutionLayer$AlgoMode").NO_WORKSPACE,
                "miniBatch": False,
                "minimize": False,
                "optimizationAlgo": java("org.deeplearning4j.nn.api.OptimizationAlgorithm").LBFGS,
                "maxNumLineSearchIterations": 3,
                "stepFunction": java(f"{conf}.stepfunctions.NegativeGradientStepFunction")(),
                "pretrain": True,
                "backprop": False,
                "backpropType": java(f"{conf}.BackpropType").TruncatedBPTT,
                "tbpttFwdLength": 7,
                "tbpttBackLength": 6,
                "trainingWorkspaceMode": java(f"{conf}.WorkspaceMode").NONE,
                "inferenceWorkspaceMode": java(f"{conf}.WorkspaceMode").ENABLED,
            },
        ),
    }


@pytest.mark.usefixtures("jvm")
@pytest.mark.parametrize("name", pairs())
def test_fine_tuning_has_dl4js_documents(name: str) -> None:
    mine, options = pairs()[name]
    theirs = fine_tuning(**options())
    assert mine.to_json() == str(theirs.toJson())
    assert mine.to_yaml() == str(theirs.toYaml())
    assert FineTuneConfiguration.from_yaml(mine.to_yaml()).to_yaml() == mine.to_yaml()
    assert FineTuneConfiguration.from_json(mine.to_json()).to_json() == mine.to_json()
    read = java(f"{_TL}.FineTuneConfiguration").fromJson(mine.to_json())
    assert str(read.toJson()) == mine.to_json()


@pytest.mark.usefixtures("jvm")
@pytest.mark.parametrize("option", ["dropOut", "gradientNormalization"])
def test_what_dl4js_document_loses_is_not_read_as_nothing(option: str) -> None:
    clip = java("org.deeplearning4j.nn.conf.GradientNormalization").ClipL2PerLayer
    text = str(fine_tuning(**{option: 0.5 if option == "dropOut" else clip}).toJson())
    with pytest.raises(ConfigError, match="is lost: DL4J's JSON says that there was one"):
        FineTuneConfiguration.from_json(text)


# -- the same as DL4J's builder --------------------------------------------------------------------------------------------------------


def builder(net: dl.MultiLayerNetwork, **options):
    java("org.nd4j.linalg.factory.Nd4j").getRandom().setSeed(jlong(7))
    made = java(f"{_TL}.TransferLearning$Builder")(net._java)
    made.fineTuneConfiguration(fine_tuning(**{"seed": jlong(7), **options}))
    return made


def same(jvm, mine: dl.MultiLayerNetwork, theirs) -> None:
    assert json.loads(mine.conf.to_json()) == json.loads(str(theirs.getLayerWiseConfigurations().toJson()))
    assert np.array_equal(mine.params, jvm.get(theirs.params()).reshape(-1))


def test_new_output_layers(jvm, net) -> None:
    tune = FineTuneConfiguration(updater=dl.updaters.Sgd(learning_rate=0.1), seed=7, l2=0, bias_init=0.5)
    mine = net.transfer_learning(for_two(fine_tune_configuration=tune))
    sgd = java("org.nd4j.linalg.learning.config.Sgd")(0.1)
    theirs = builder(net, updater=sgd, l2=0.0, biasInit=0.5).setFeatureExtractor(0).removeOutputLayer()
    dense = java(f"{_LAYERS}.DenseLayer$Builder")().nIn(8).nOut(5)
    dense.activation(java("org.nd4j.linalg.activations.Activation").RELU)
    output = java(f"{_LAYERS}.OutputLayer$Builder")().nIn(5).nOut(2)
    same(jvm, mine, theirs.addLayer(dense.build()).addLayer(output.build()).build())
    assert np.array_equal(mine.params[:N_KEPT], net.params[:N_KEPT])
    assert [type(layer) for layer in mine.conf.layers] == [FrozenLayer, DenseLayer, DenseLayer, OutputLayer]


def test_other_sizes(jvm, net) -> None:
    changes = TransferLearning(
        fine_tune_configuration=FineTuneConfiguration(seed=7),
        n_out_replace=[
            NOutReplace(layer="first", n_out=10, weight_init="relu", weight_init_next=NormalDistribution(mean=0, std=2))
        ],
        n_in_replace=[NInReplace(layer=0, n_in=2, weight_init="ones")],
    )
    mine = net.transfer_learning(changes)
    enum = java("org.deeplearning4j.nn.weights.WeightInit")
    normal = java("org.deeplearning4j.nn.conf.distribution.NormalDistribution")(0.0, 2.0)
    theirs = builder(net).nOutReplace(0, 10, enum.RELU, normal).nInReplace(0, 2, enum.ONES)
    same(jvm, mine, theirs.build())
    assert mine.conf.resolve().layers[1].layer.n_in == 10
    assert np.array_equal(mine.params[-27:], net.params[-27:])
    assert mine.conf.input_type == dl.InputType.feed_forward(2)
    mine.fit(X[:, :2], Y, progress=False)


def test_what_documents_lose_reaches_the_layers(jvm, net) -> None:
    tune = FineTuneConfiguration(
        seed=7,
        dropout=0.5,
        weight_noise=DropConnect(weight_retain_prob=0.75),
        gradient_normalization="clip_l2_per_layer",
        constraints=[NonNegativeConstraint(params=["b"])],
    )
    mine = net.transfer_learning(TransferLearning(fine_tune_configuration=tune))
    constraint = java("org.deeplearning4j.nn.conf.constraint.NonNegativeConstraint")()
    constraint.setParams(java("java.util.Collections").singleton("b"))
    clip = java("org.deeplearning4j.nn.conf.GradientNormalization").ClipL2PerLayer
    options = {
        "dropOut": 0.5,
        "weightNoise": java("org.deeplearning4j.nn.conf.weightnoise.DropConnect")(0.75),
        "gradientNormalization": clip,
        "constraints": java("java.util.List").of(constraint),
    }
    same(jvm, mine, builder(net, **options).build())
    kept = mine.transfer_learning(TransferLearning())
    assert [layer.dropout for layer in kept.conf.layers] == [dl.dropout.Dropout(p=0.5)] * 3
    nothing = FineTuneConfiguration(dropout=0, constraints=(), remove_weight_noise=True, gradient_normalization="none")
    bare = mine.transfer_learning(TransferLearning(fine_tune_configuration=nothing))
    for layer in bare.conf.layers:
        assert (layer.dropout, layer.constraints, layer.weight_noise) == (None, None, None)
        assert layer.gradient_normalization == "none"


# -- better than DL4J's builder --------------------------------------------------------------------------------------------------------


def test_frozen_layers_stay_and_the_others_learn(net, tmp_path) -> None:
    before = net.params.copy()
    tune = FineTuneConfiguration(updater=dl.updaters.Sgd(learning_rate=0.1), weight_decay=0.1, dropout=0.9)
    new = net.transfer_learning(for_two(fine_tune_configuration=tune))
    start = new.params.copy()
    new.fit(X, TWO, epochs=10, progress=False)
    assert np.array_equal(new.params[:N_FIRST], before[:N_FIRST])
    assert (new.params[N_FIRST:] != start[N_FIRST:]).mean() > 0.9
    assert new.evaluate(X, TWO).accuracy > 0.9
    assert np.array_equal(net.params, before)
    new.save(tmp_path / "new.zip")
    loaded = dl.MultiLayerNetwork.load(tmp_path / "new.zip")
    for model in (new, loaded):
        model.fit(X, TWO, epochs=2, progress=False)
    assert np.array_equal(new.params, loaded.params)
    assert np.array_equal(new.params[:N_FIRST], before[:N_FIRST])


def test_frozen_layers_are_frozen_once(net) -> None:
    new = net.transfer_learning(for_two())
    tune = FineTuneConfiguration(bias_updater="adam", weight_init="relu", l2=1)
    again = new.transfer_learning(TransferLearning(set_feature_extractor=1, fine_tune_configuration=tune))
    assert [type(layer) for layer in again.conf.layers] == [FrozenLayer, FrozenLayer, DenseLayer, OutputLayer]
    assert not any(isinstance(layer.layer, FrozenLayer) for layer in again.conf.layers[:2])
    again.fit(X, TWO, epochs=2, progress=False)
    assert np.array_equal(again.params[:N_KEPT], net.params[:N_KEPT])


def test_early_stopping_of_a_network_with_frozen_layers(net) -> None:
    new = net.transfer_learning(for_two())
    stopped = new.fit(
        X, TWO, epochs=3, validation=(X, TWO), early_stopping=EarlyStoppingConfiguration(), progress=False
    ).early_stopping
    stopped.best_model.fit(X, TWO, progress=False)
    assert np.array_equal(stopped.best_model.params[:N_FIRST], net.params[:N_FIRST])


def test_weight_decay_is_applied_once_and_to_biases(net) -> None:
    tune = FineTuneConfiguration(weight_decay=0.5, weight_decay_bias=0.25)
    new = net.transfer_learning(for_two(fine_tune_configuration=tune, set_feature_extractor=None))
    decay, of_bias = (dl.regularization.WeightDecay(coeff=coeff) for coeff in (0.5, 0.25))
    for layer in new.conf.layers:
        assert (layer.regularization, layer.regularization_bias) == ((decay,), (of_bias,))


def test_a_penalty_of_zero_is_taken_away(net) -> None:
    new = net.transfer_learning(TransferLearning(fine_tune_configuration=FineTuneConfiguration(l1=0)))
    (l2,) = new.conf.layers[1].regularization
    assert isinstance(l2, dl.regularization.L2Regularization)


def test_equal_seeds_make_equal_networks_of_the_networks_type() -> None:
    layers = [DenseLayer(n_out=3), OutputLayer(n_out=3)]
    conf = dl.MultiLayerConfiguration(
        seed=3, data_type="double", layers=layers, input_type=dl.InputType.feed_forward(4)
    )
    net = dl.MultiLayerNetwork(conf)
    one, two = (net.transfer_learning(for_two()) for _ in range(2))
    assert np.array_equal(one.params, two.params)
    assert one.conf == two.conf
    assert one.params.dtype == np.float64
    assert {(state["seed"], state["dataType"]) for state in json.loads(one.conf.to_json())["confs"]} == {(3, "DOUBLE")}


def test_truncated_backpropagation_stays() -> None:
    conf = dl.MultiLayerConfiguration(
        layers=[LSTM(n_out=3), RnnOutputLayer(n_out=2)],
        input_type=dl.InputType.recurrent(4),
        backprop_type="truncated_bptt",
        tbptt_length=5,
        training_workspace_mode="none",
    )
    changes = TransferLearning(remove_output_layer=True, add_layers=[RnnOutputLayer(n_out=3)])
    new = dl.MultiLayerNetwork(conf).transfer_learning(changes).conf
    assert (new.backprop_type, new.tbptt_lengths(), new.training_workspace_mode) == ("truncated_bptt", (5, 5), "none")
    shorter = FineTuneConfiguration(tbptt_back_length=2)
    assert dl.MultiLayerNetwork(conf).transfer_learning(
        TransferLearning(fine_tune_configuration=shorter)
    ).conf.tbptt_lengths() == (5, 2)


def test_convolutions_get_their_preprocessors_anew() -> None:
    layers = [ConvolutionLayer(n_out=4, kernel_size=3), SubsamplingLayer(kernel_size=2), OutputLayer(n_out=10)]
    conf = dl.MultiLayerConfiguration(
        layers=layers, input_type=dl.InputType.convolutional_flat(height=8, width=8, channels=1)
    )
    x, y = dl.datasets.digits()
    new = dl.MultiLayerNetwork(conf).transfer_learning(
        TransferLearning(
            set_feature_extractor="layer1",
            remove_output_layer=True,
            add_layers=[ConvolutionLayer(n_out=6, kernel_size=2), DenseLayer(n_out=8), OutputLayer(n_out=10)],
        )
    )
    assert sorted(new.conf.input_preprocessors) == [0, 3]
    assert MultiLayerConfiguration.from_json(new.conf.to_json()).to_json() == new.conf.to_json()
    new.fit(x[:100], y[:100], progress=False)
    assert new.output(x[:7]).shape == (7, 10)


def test_refusals(net) -> None:
    with pytest.raises(ConfigError, match="changes must be a TransferLearning"):
        net.transfer_learning(FineTuneConfiguration())
    with pytest.raises(ConfigError, match="must be 8, the size of the layer's input") as caught:
        net.transfer_learning(for_two(add_layers=[OutputLayer(n_in=9, n_out=2)]))
    assert caught.value.path == "add_layers[0].n_in"
