"""ComputationGraph in this process: several inputs and outputs, on small real problems."""

from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_iris

import pydl4j as dl
from pydl4j.data.interface import interface, seen
from pydl4j.earlystopping import (
    ClassificationScoreCalculator,
    DataSetLossCalculator,
    EarlyStoppingConfiguration,
    LocalFileModelSaver,
    MaxEpochsTerminationCondition,
    VAEReconErrorScoreCalculator,
)
from pydl4j.errors import ConfigError, DataError, ModelFileError, NaNScoreError, ShapeError
from pydl4j.evaluation import Evaluation
from pydl4j.layers import (
    LSTM,
    ActivationLayer,
    BatchNormalization,
    ConvolutionLayer,
    DenseLayer,
    DropoutLayer,
    EmbeddingSequenceLayer,
    FrozenLayer,
    GlobalPoolingLayer,
    OutputLayer,
    RnnOutputLayer,
)
from pydl4j.normalizers import NormalizerStandardize
from pydl4j.vertices import ElementWiseVertex, MergeVertex

IRIS = load_iris()
X = IRIS.data.astype("f4")
Y = IRIS.target
PARTS = {"sepal": X[:, :2], "petal": X[:, 2:]}
SIZE = X.sum(axis=1)


def iris(**options) -> dl.ComputationGraphConfiguration:
    """Two inputs, and two outputs: which kind, and how large."""
    vertices = {
        "of_sepal": (DenseLayer(n_out=8, activation="tanh"), "sepal"),
        "of_petal": (DenseLayer(n_out=8, activation="tanh"), "petal"),
        "kind": (OutputLayer(n_out=3, activation="softmax", loss="mcxent"), "of_sepal", "of_petal"),
        "size": (OutputLayer(n_out=1, activation="identity", loss="mse"), "of_sepal", "of_petal"),
    }
    return dl.ComputationGraphConfiguration(
        **{
            "seed": 7,
            "updater": dl.updaters.Adam(learning_rate=0.02),
            "inputs": {"sepal": dl.InputType.feed_forward(2), "petal": dl.InputType.feed_forward(2)},
            "vertices": vertices,
            "outputs": ["kind", "size"],
            **options,
        }
    )


def chain(*layers, input_type: dl.InputType | None = None) -> dl.ComputationGraphConfiguration:
    """A graph that is a plain chain."""
    x = dl.Input(input_type or dl.InputType.feed_forward(4))
    y = x
    for layer in layers:
        y = layer(y)
    return dl.ComputationGraphConfiguration(
        seed=7, updater=dl.updaters.Adam(learning_rate=0.02), inputs=[x], outputs=[y]
    )


@pytest.fixture(scope="module")
def net() -> dl.ComputationGraph:
    net = dl.ComputationGraph(iris())
    net.fit(PARTS, {"kind": Y, "size": SIZE}, epochs=40, batch_size=16, progress=False)
    return net


def test_both_outputs_learn(net) -> None:
    evaluation = net.evaluate(PARTS, Y, Evaluation(labels=IRIS.target_names), output="kind")
    assert evaluation.accuracy > 0.94
    assert evaluation.labels == ("setosa", "versicolor", "virginica")
    size = net.output(PARTS)["size"][:, 0]
    assert np.abs(size - SIZE).mean() < 1.0


def test_arrays_come_by_name_or_in_order(net) -> None:
    by_name, in_order = net.output(PARTS), net.output([PARTS["sepal"], PARTS["petal"]])
    assert list(by_name) == ["kind", "size"]
    assert {name: array.shape for name, array in by_name.items()} == {"kind": (150, 3), "size": (150, 1)}
    for name, array in by_name.items():
        np.testing.assert_array_equal(array, in_order[name])
        np.testing.assert_allclose(net.output(PARTS, batch_size=7)[name], array, atol=1e-6)
    predicted = net.predict(PARTS)
    np.testing.assert_array_equal(predicted["kind"], by_name["kind"].argmax(axis=1))
    np.testing.assert_array_equal(predicted["size"], by_name["size"])
    score = net.score(PARTS, [Y, SIZE])
    assert score == net.score(PARTS, {"size": SIZE, "kind": Y})
    assert score == pytest.approx(net.score(PARTS, [Y, SIZE], batch_size=13), rel=1e-5)


def test_an_output_is_evaluated_with_its_labels_or_with_all(net) -> None:
    expected = np.zeros((3, 3), int)
    np.add.at(expected, (Y, net.predict(PARTS)["kind"]), 1)
    for y in (Y, {"kind": Y}, {"kind": Y, "size": SIZE}, [Y, SIZE]):
        np.testing.assert_array_equal(net.evaluate(PARTS, y, output="kind").confusion, expected)


def test_what_is_ambiguous_or_wrong_is_said(net) -> None:
    with pytest.raises(
        ConfigError, match=r"several outputs: name one, as in output='kind'. It has: kind, size"
    ) as caught:
        net.evaluate(PARTS, Y)
    assert caught.value.path == "output"
    with pytest.raises(ConfigError, match=r"no output 'kin' \(did you mean 'kind'\?\). It has: kind, size"):
        net.evaluate(PARTS, Y, output="kin")
    with pytest.raises(ConfigError, match=r"evaluate needs a classifier .*, which the output 'size' is not, unless"):
        net.evaluate(PARTS, Y, output="size")
    with pytest.raises(DataError, match="y has no labels of the output 'kind'"):
        net.evaluate(PARTS, {"size": SIZE}, output="kind")
    with pytest.raises(
        DataError, match="x must be 2 arrays, one per input: a list in the order sepal, petal, or a dict"
    ):
        net.output(X)
    with pytest.raises(DataError, match=r"x: the graph has no input 'petals' \(did you mean 'petal'\?\)"):
        net.output({"sepal": X[:, :2], "petals": X[:, 2:]})
    with pytest.raises(DataError, match=r"x lacks the input 'petal'. It has: sepal"):
        net.output({"sepal": X[:, :2]})
    with pytest.raises(DataError, match=r"y must be 2 arrays, one per output: .* Received: one array"):
        net.score(PARTS, Y)
    with pytest.raises(ShapeError, match=r"x\['petal'\] must have the shape \[examples, 2\], .* Received: \[150, 4\]"):
        net.output([X[:, :2], X])
    with pytest.raises(ShapeError, match=r"150 of 'sepal'. Received: 10 in x\['petal'\]"):
        net.output([X[:, :2], X[:10, 2:]])
    with pytest.raises(
        DataError, match=r"classes in y\['kind'\] must be from 0 to 2, since the output 'kind''s n_out is 3"
    ):
        net.score(PARTS, [Y + 1, SIZE])
    with pytest.raises(DataError, match=r"x\['petal'\] must be finite"):
        net.output([X[:, :2], np.full((150, 2), np.nan)])
    with pytest.raises(ConfigError, match=r"several inputs \(sepal, petal\) has no normalizer"):
        dl.ComputationGraph(iris(), normalizer=NormalizerStandardize())
    with pytest.raises(ConfigError, match=r"expected a ComputationGraphConfiguration. Received: MultiLayerConfig"):
        dl.ComputationGraph(dl.MultiLayerConfiguration(layers=[OutputLayer(n_in=2, n_out=2)]))


def test_outputs_without_a_loss_have_no_labels() -> None:
    silent = dl.ComputationGraph(chain(DenseLayer(n_out=3, name="fc")))
    assert silent.output(X).shape == (150, 3)
    with pytest.raises(ConfigError, match=r'vertices\["fc"\] must be an output layer.*Received: LayerVertex') as caught:
        silent.fit(X, Y)
    assert caught.value.path == 'vertices["fc"]'
    vertices = {"a": (OutputLayer(n_out=3), "in"), "b": (OutputLayer(n_out=3), "a")}
    conf = dl.ComputationGraphConfiguration(
        inputs={"in": dl.InputType.feed_forward(4)}, vertices=vertices, outputs=["b"]
    )
    with pytest.raises(
        ConfigError, match=r'vertices\["a"\] cannot be an output layer: there are labels only for the gr'
    ):
        dl.ComputationGraph(conf).fit(X, Y)


def test_it_says_what_it_is(net) -> None:
    assert repr(net) == "<ComputationGraph: sepal, petal -> kind, size, 6 vertices, 116 parameters>"
    assert "of_petal" in net.summary()
    assert net.params.shape == (116,)


@pytest.mark.parametrize(
    "layers",
    [
        [DenseLayer(n_out=16, activation="tanh"), OutputLayer(n_out=3)],
        [DenseLayer(n_out=8), BatchNormalization(), DropoutLayer(dropout=0.5), OutputLayer(n_out=3)],
    ],
)
def test_a_chain_trains_to_the_parameters_of_a_network_of_layers(layers) -> None:
    conf = dl.MultiLayerConfiguration(
        seed=7, updater=dl.updaters.Adam(learning_rate=0.02), input_type=dl.InputType.feed_forward(4), layers=layers
    )
    normalizers = NormalizerStandardize(), NormalizerStandardize()
    layered = dl.MultiLayerNetwork(conf, normalizer=normalizers[0])
    graph = dl.ComputationGraph(chain(*layers), normalizer=normalizers[1])
    histories = [
        each.fit(X, Y, epochs=3, batch_size=20, validation=(X, Y), progress=False) for each in (layered, graph)
    ]
    np.testing.assert_array_equal(graph.params, layered.params)
    assert histories[0]["score"] == histories[1]["score"]
    assert histories[0]["validation_accuracy"] == histories[1]["validation_accuracy"]
    np.testing.assert_array_equal(graph.predict(X), layered.predict(X))
    np.testing.assert_array_equal(graph.evaluate(X, Y).confusion, layered.evaluate(X, Y).confusion)


def test_training_is_that_of_dl4js_own_loop(jvm) -> None:
    """The same minibatches in Java, by DL4J's own iterator and fit, masks included."""
    import jpype

    rng = np.random.default_rng(0)
    x = {"a": rng.random((12, 2, 5), "f4"), "b": rng.random((12, 3, 5), "f4")}
    y = {"each": rng.integers(0, 3, (12, 5)), "whole": rng.random((12, 2)).astype("f4")}
    kept = (np.arange(5) < rng.integers(1, 6, (12, 1))).astype("f4")
    counted = np.where(np.arange(12) % 4 == 0, 0, 1)
    vertices = {
        "joined": (MergeVertex(), "a", "b"),
        "lstm": (LSTM(n_out=6), "joined"),
        "each": (RnnOutputLayer(n_out=3, loss="mcxent", activation="softmax"), "lstm"),
        "pool": (GlobalPoolingLayer(pooling_type="avg"), "lstm"),
        "whole": (OutputLayer(n_out=2, loss="mse", activation="identity"), "pool"),
    }
    conf = dl.ComputationGraphConfiguration(
        seed=3,
        updater=dl.updaters.Adam(learning_rate=0.01),
        inputs={"a": dl.InputType.recurrent(2), "b": dl.InputType.recurrent(3)},
        vertices=vertices,
        outputs=["each", "whole"],
    )
    ours = dl.ComputationGraph(conf)
    ours.fit(
        x,
        y,
        features_mask={"a": kept},
        labels_mask={"each": kept, "whole": counted},
        epochs=2,
        batch_size=5,
        shuffle=False,
        progress=False,
    )

    one_hot = np.moveaxis(np.eye(3, dtype="f4")[y["each"]], -1, 1)
    arrays = [x["a"] * kept[:, None], x["b"], one_hot * kept[:, None], y["whole"] * counted[:, None].astype("f4")]
    masks = [kept, None, kept, counted[:, None].astype("f4")]
    ndarray = jpype.JClass("org.nd4j.linalg.api.ndarray.INDArray")[:]
    dataset = jpype.JClass("org.nd4j.linalg.dataset.MultiDataSet")

    def row(values, start, end):
        return None if values is None else jvm.put(np.ascontiguousarray(values[start:end]))

    java = jvm.call("nn.Networks.create", conf.to_json())
    for _ in range(2):
        for start, end in ((0, 5), (5, 10), (10, 12)):
            a, b, c, d = (row(values, start, end) for values in arrays)
            e, f, g, h = (row(values, start, end) for values in masks)
            java.fit(dataset(ndarray([a, b]), ndarray([c, d]), ndarray([e, f]), ndarray([g, h])))
    np.testing.assert_array_equal(ours.params, jvm.get(java.params()).reshape(-1))


def test_two_fits_are_one_longer_fit_and_loading_goes_on(tmp_path: Path) -> None:
    data = PARTS, [Y, SIZE]
    halves, whole = dl.ComputationGraph(iris()), dl.ComputationGraph(iris())
    halves.fit(*data, epochs=2, batch_size=20, progress=False)
    halves.save(tmp_path / "half.zip")
    loaded = dl.ComputationGraph.load(tmp_path / "half.zip")
    np.testing.assert_array_equal(loaded.params, halves.params)
    for each in (halves, loaded):
        each.fit(*data, epochs=2, batch_size=20, progress=False)
    whole.fit(*data, epochs=4, batch_size=20, progress=False)
    np.testing.assert_array_equal(halves.params, whole.params)
    np.testing.assert_array_equal(loaded.params, whole.params)


def test_a_file_of_the_other_kind_is_named(net, tmp_path: Path) -> None:
    net.save(tmp_path / "graph.zip")
    with pytest.raises(
        ModelFileError, match=r"holds a ComputationGraph, not a MultiLayerNetwork: use ComputationGraph.load"
    ):
        dl.MultiLayerNetwork.load(tmp_path / "graph.zip")
    layers = dl.MultiLayerNetwork(dl.MultiLayerConfiguration(layers=[OutputLayer(n_in=4, n_out=3)]))
    layers.save(tmp_path / "layers.zip")
    with pytest.raises(
        ModelFileError, match=r"holds a MultiLayerNetwork, not a ComputationGraph: use MultiLayerNetwork.lo"
    ):
        dl.ComputationGraph.load(tmp_path / "layers.zip")


def test_the_normalizer_of_one_input_is_saved(tmp_path: Path) -> None:
    graph = dl.ComputationGraph(chain(OutputLayer(n_out=3)), normalizer=NormalizerStandardize())
    graph.fit({"input": X * 100}, Y, epochs=20, progress=False)
    assert graph.evaluate(X * 100, Y).accuracy > 0.7
    graph.save(tmp_path / "graph.zip")
    loaded = dl.ComputationGraph.load(tmp_path / "graph.zip")
    assert isinstance(loaded.normalizer, NormalizerStandardize)
    np.testing.assert_array_equal(loaded.output(X * 100), graph.output(X * 100))


def test_early_stopping_leaves_the_best_graph(tmp_path: Path) -> None:
    conf = EarlyStoppingConfiguration(
        score_calculator=DataSetLossCalculator(),
        epoch_termination_conditions=[MaxEpochsTerminationCondition(max_epochs=3)],
        model_saver=LocalFileModelSaver(directory=str(tmp_path)),
        save_last_model=True,
    )
    data = PARTS, [Y, SIZE]
    graph = dl.ComputationGraph(iris())
    stopped = graph.fit(*data, validation=data, early_stopping=conf, progress=False).early_stopping
    assert stopped is not None
    assert stopped.total_epochs == 3
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bestGraph.bin", "latestGraph.bin"]
    assert isinstance(stopped.best_model, dl.ComputationGraph)
    np.testing.assert_array_equal(stopped.best_model.params, graph.params)
    np.testing.assert_array_equal(dl.ComputationGraph.load(tmp_path / "bestGraph.bin").params, graph.params)
    assert stopped.best_model_score == pytest.approx(graph.score(*data), rel=1e-5)


def test_early_stopping_in_memory_with_frozen_layers_and_what_scores_one_output() -> None:
    layers = [FrozenLayer(layer=DenseLayer(n_out=8, activation="tanh")), OutputLayer(n_out=3)]
    conf = EarlyStoppingConfiguration(
        score_calculator=ClassificationScoreCalculator(metric="accuracy"),
        epoch_termination_conditions=[MaxEpochsTerminationCondition(max_epochs=4)],
    )
    graph = dl.ComputationGraph(chain(*layers))
    stopped = graph.fit(X, Y, validation=(X, Y), early_stopping=conf, progress=False).early_stopping
    assert stopped.best_model_score == pytest.approx(graph.evaluate(X, Y).accuracy)
    stopped.best_model.fit(X, Y, progress=False)  # frozen once, not twice
    for calculator in (ClassificationScoreCalculator(metric="accuracy"), VAEReconErrorScoreCalculator(metric="mse")):
        with pytest.raises(
            ConfigError, match=r"looks at one of the outputs, and the graph has several. DataSetLossCalc"
        ):
            dl.ComputationGraph(iris()).fit(
                PARTS,
                [Y, SIZE],
                validation=(PARTS, [Y, SIZE]),
                early_stopping=conf.replace(score_calculator=calculator),
            )


def test_a_graph_that_diverges_is_put_back() -> None:
    graph = dl.ComputationGraph(iris(updater=dl.updaters.Sgd(learning_rate=1e30)))
    before = graph.params.copy()
    with pytest.raises(NaNScoreError):
        graph.fit(PARTS, [Y, SIZE], epochs=3, progress=False)
    np.testing.assert_array_equal(graph.params, before)


def test_images_through_residual_blocks() -> None:
    x, y = dl.datasets.digits()
    image = dl.Input(dl.InputType.convolutional_flat(height=8, width=8, channels=1))
    at = ConvolutionLayer(n_out=8, kernel_size=3, convolution_mode="same")(image)
    for _ in range(2):
        block = ConvolutionLayer(n_out=8, kernel_size=3, convolution_mode="same")(at)
        block = ActivationLayer(activation="relu")(BatchNormalization()(block))
        at = ElementWiseVertex(op="add")(at, block)
    out = OutputLayer(n_out=10)(at)
    conf = dl.ComputationGraphConfiguration(
        seed=1, updater=dl.updaters.Adam(learning_rate=1e-2), inputs=[image], outputs=[out]
    )
    graph = dl.ComputationGraph(conf, normalizer=dl.normalizers.NormalizerMinMaxScaler())
    graph.fit(x[:800], y[:800], epochs=3, progress=False)
    assert graph.evaluate(x[800:1200], y[800:1200]).accuracy > 0.7


def test_the_zoos_squeezenet_trains() -> None:
    conf = dl.zoo.SqueezeNet(num_classes=3, input_shape=(3, 48, 48))
    graph = dl.ComputationGraph(conf)
    rng = np.random.default_rng(0)
    x, y = rng.random((4, 3, 48, 48), "f4"), [0, 1, 2, 0]
    before = graph.params.copy()
    (epoch,) = graph.fit(x, y, batch_size=2, progress=False)
    assert np.isfinite(epoch.score)
    assert not np.array_equal(graph.params, before)
    assert graph.predict(x).shape == (4,)


def test_words_of_any_length_beside_numbers() -> None:
    vertices = {
        "words": (EmbeddingSequenceLayer(n_in=20, n_out=4), "text"),
        "lstm": (LSTM(n_out=4), "words"),
        "pool": (GlobalPoolingLayer(pooling_type="max"), "lstm"),
        "read": (DenseLayer(n_out=4), "pool"),
        "out": (OutputLayer(n_out=2), "read", "numbers"),
    }
    conf = dl.ComputationGraphConfiguration(
        inputs={"text": dl.InputType.recurrent(20), "numbers": dl.InputType.feed_forward(3)},
        vertices=vertices,
        outputs=["out"],
    )
    rng = np.random.default_rng(0)
    graph = dl.ComputationGraph(conf)
    for length in (5, 9):
        x = {"text": rng.integers(0, 20, (6, length)), "numbers": rng.random((6, 3))}
        (epoch,) = graph.fit(x, [0, 1] * 3, progress=False)
        assert np.isfinite(epoch.score)
        assert graph.output(x).shape == (6, 2)
    with pytest.raises(
        DataError, match=r"x\['text'\] must be indices: .* the embedding in vertices\[\"words\"\].layer is 20"
    ):
        graph.output({"text": [[20]], "numbers": [[0, 0, 0]]})


def test_sizes_that_only_data_tell() -> None:
    vertices = {
        "lstm": (LSTM(n_out=4), "in"),
        "out": (RnnOutputLayer(n_out=2, loss="mcxent", activation="softmax"), "lstm"),
    }
    conf = dl.ComputationGraphConfiguration(
        seed=1, inputs={"in": dl.InputType.recurrent(3)}, vertices=vertices, outputs=["out"]
    )
    borders = interface(conf)
    assert borders.outputs[0].label_shape == (2, None)
    assert seen(borders, [np.zeros((5, 3, 7), "f4")]).outputs[0].label_shape == (2, 7)
    graph = dl.ComputationGraph(conf)
    with pytest.raises(ShapeError, match=r"as many time steps of labels as of features: 7. Received: 6 in y"):
        graph.score(np.zeros((5, 3, 7), "f4"), np.zeros((5, 2, 6), "f4"))
    read = dl.ComputationGraphConfiguration.from_json(conf.to_json())
    again = dl.ComputationGraph(read)
    x, y = np.random.default_rng(0).random((5, 3, 7), "f4"), np.zeros((5, 7), int)
    assert again.score(x, y) == graph.score(x, y)
