"""SparkComputationGraph: several inputs and outputs, masks, arrays and tables, as training in this process has them."""

import numpy as np
import pandas as pd
import pytest
from local_spark import IRIS, X, Y

import pydl4j as dl
from pydl4j.earlystopping import EarlyStoppingConfiguration, MaxEpochsTerminationCondition
from pydl4j.errors import ConfigError, DataError, ShapeError
from pydl4j.evaluation import Evaluation, RegressionEvaluation
from pydl4j.layers import LSTM, ConvolutionLayer, DenseLayer, OutputLayer, RnnOutputLayer
from pydl4j.spark import (
    ParameterAveragingTrainingMaster,
    SharedTrainingMaster,
    SparkComputationGraph,
    SparkDl4jMultiLayer,
)
from pydl4j.vertices import MergeVertex

PARTS = {"sepal": X[:, :2], "petal": X[:, 2:]}
SIZE = X.sum(axis=1)
LABELS = {"kind": Y, "size": SIZE}
FEATURES = {"sepal": ["a", "b"], "petal": "petal"}
NAMED = {"kind": "kind", "size": "size"}


def iris() -> dl.ComputationGraphConfiguration:
    vertices = {
        "of_sepal": (DenseLayer(n_out=8, activation="tanh"), "sepal"),
        "of_petal": (DenseLayer(n_out=8, activation="tanh"), "petal"),
        "kind": (OutputLayer(n_out=3, activation="softmax", loss="mcxent"), "of_sepal", "of_petal"),
        "size": (OutputLayer(n_out=1, activation="identity", loss="mse"), "of_sepal", "of_petal"),
    }
    return dl.ComputationGraphConfiguration(
        seed=7,
        updater=dl.updaters.Adam(learning_rate=0.02),
        inputs={"sepal": dl.InputType.feed_forward(2), "petal": dl.InputType.feed_forward(2)},
        vertices=vertices,
        outputs=["kind", "size"],
    )


def on_spark(spark, network=None, **options) -> SparkComputationGraph:
    options = {"batch_size_per_worker": 16, "averaging_frequency": 2, "num_workers": 2} | options
    return SparkComputationGraph(spark, network or iris(), ParameterAveragingTrainingMaster(**options))


@pytest.fixture(scope="module")
def frame(spark):
    rows = [
        (float(a), float(b), petal.tolist(), int(kind), float(size))
        for a, b, petal, kind, size in zip(X[:, 0], X[:, 1], X[:, 2:], Y, SIZE, strict=True)
    ]
    return spark.createDataFrame(rows, "a float, b float, petal array<float>, kind int, size float").coalesce(2)


@pytest.fixture(scope="module")
def trained(spark) -> SparkComputationGraph:
    snet = on_spark(spark)
    history = snet.fit(PARTS, LABELS, epochs=40, validation=([X[:, :2], X[:, 2:]], [Y, SIZE]), progress=False)
    assert history[-1].examples == 150
    assert snet.counts[-1] == {"given": 150, "loaded": 150, "trained": 150, "sent": 10, "applied": 10}
    assert history[-1].validation_score == pytest.approx(snet.network.score(PARTS, LABELS), rel=1e-4)
    assert history[-1].validation_accuracy == snet.network.evaluate(PARTS, Y, output="kind").accuracy
    return snet


def test_one_worker_trains_as_this_process_does(spark, frame) -> None:
    here = dl.ComputationGraph(iris())
    here.fit(PARTS, LABELS, epochs=3, batch_size=16, progress=False)
    for data in ((PARTS, LABELS), ([X[:, :2], X[:, 2:]], [Y, SIZE])):
        there = on_spark(spark, num_workers=1)
        there.fit(*data, epochs=3, progress=False)
        np.testing.assert_array_equal(there.network.params, here.params)
    there = on_spark(spark, num_workers=1)
    there.fit(frame.coalesce(1), NAMED, features=FEATURES, epochs=3, progress=False)
    np.testing.assert_array_equal(there.network.params, here.params)


def test_it_learns_and_looks_as_this_process_does(trained) -> None:
    evaluation = trained.evaluate(PARTS, Y, Evaluation(labels=IRIS.target_names), output="kind")
    assert evaluation.accuracy > 0.93
    here = trained.network
    np.testing.assert_array_equal(evaluation.confusion, here.evaluate(PARTS, Y, output="kind").confusion)
    both = trained.evaluate(PARTS, LABELS, output="kind")
    np.testing.assert_array_equal(both.confusion, evaluation.confusion)
    size = trained.evaluate(PARTS, SIZE, RegressionEvaluation(), output="size")  # labels of the second output alone
    assert size.mean_absolute_error == pytest.approx(
        here.evaluate(PARTS, SIZE, RegressionEvaluation(), output="size").mean_absolute_error
    )
    assert trained.score(PARTS, LABELS) == pytest.approx(here.score(PARTS, LABELS), rel=1e-5)
    for there, ours in ((trained.output(PARTS), here.output(PARTS)), (trained.predict(PARTS), here.predict(PARTS))):
        assert list(there) == ["kind", "size"]
        for name in there:
            np.testing.assert_allclose(there[name], ours[name], atol=1e-6)


def test_tables_have_a_column_or_several_for_each(trained, frame) -> None:
    here = trained.network
    rows = trained.predict(frame, features=FEATURES).collect()
    classes, sizes = here.predict(PARTS)["kind"], here.output(PARTS)["size"][:, 0]
    by_row = {(row.a, row.b, *row.petal): (row.prediction_kind, row.prediction_size[0]) for row in rows}
    for i in range(150):
        kind, size = by_row[tuple(X[i].tolist())]
        assert kind == classes[i]
        assert size == pytest.approx(sizes[i], rel=1e-5)
    outputs = trained.output(frame, features=FEATURES, column="out")
    assert outputs.columns[-2:] == ["out_kind", "out_size"]
    confusion = here.evaluate(PARTS, Y, output="kind").confusion
    for labels in (NAMED, "kind", {"kind": "kind"}):
        seen = trained.evaluate(frame, labels, features=FEATURES, output="kind")
        np.testing.assert_array_equal(seen.confusion, confusion)
    assert trained.score(frame, NAMED, features=FEATURES) == pytest.approx(here.score(PARTS, LABELS), rel=1e-5)
    columns = {"a": X[:, 0], "b": X[:, 1], "petal": X[:, 2:].tolist(), "kind": Y, "size": SIZE}
    table = pd.DataFrame(columns)
    assert trained.score(table, NAMED, features=FEATURES) == pytest.approx(here.score(PARTS, LABELS), rel=1e-5)
    np.testing.assert_array_equal(
        trained.evaluate(table, "kind", features=FEATURES, output="kind").confusion, confusion
    )


def test_what_is_missing_is_named(trained, frame) -> None:
    with pytest.raises(ConfigError, match="several outputs: name one, as in output='kind'"):
        trained.evaluate(PARTS, Y)
    with pytest.raises(DataError, match="x lacks the input 'petal'"):
        trained.output({"sepal": X[:, :2]})
    with pytest.raises(ShapeError, match=r"validation x\['petal'\] must have the shape \[examples, 2\]"):
        trained.fit(PARTS, LABELS, validation=([X[:, :2], X], [Y, SIZE]), progress=False)
    with pytest.raises(
        DataError, match=r"features: the graph has several; name the columns of each, as in features={'se"
    ):
        trained.predict(frame, features=["a", "b"])
    with pytest.raises(DataError, match=r"labels has no columns for 'size'. It has: kind"):
        trained.score(frame, {"kind": "kind"}, features=FEATURES)
    with pytest.raises(DataError, match="the DataFrame has a column 'prediction_size' already"):
        trained.predict(frame.withColumnRenamed("kind", "prediction_size"), features=FEATURES).count()
    with pytest.raises(DataError, match="features_mask and labels_mask of a DataFrame are names"):
        trained.score(frame, NAMED, features=FEATURES, labels_mask={"kind": np.ones(150)})
    with pytest.raises(
        ConfigError, match=r"expected a ComputationGraphConfiguration or a ComputationGraph\. Received: Mul"
    ):
        SparkComputationGraph(
            trained._spark, dl.MultiLayerConfiguration(layers=[OutputLayer(n_in=2, n_out=2)]), trained.master
        )
    with pytest.raises(
        ConfigError, match=r"expected a MultiLayerConfiguration or a MultiLayerNetwork\. Received: Comp"
    ):
        SparkDl4jMultiLayer(trained._spark, iris(), trained.master)
    assert "sepal, petal -> kind, size" in repr(trained)


def test_a_graph_goes_there_and_comes_back(spark, trained, tmp_path) -> None:
    trained.network.save(tmp_path / "graph.zip")
    loaded = dl.ComputationGraph.load(tmp_path / "graph.zip")  # in this process
    np.testing.assert_array_equal(loaded.params, trained.network.params)
    again = on_spark(spark, loaded)
    np.testing.assert_array_equal(again.network.params, loaded.params)
    again.fit(PARTS, LABELS, progress=False)
    assert not np.array_equal(again.network.params, loaded.params)


@pytest.mark.parametrize(
    "master",
    [
        ParameterAveragingTrainingMaster(batch_size_per_worker=32, averaging_frequency=5),
        SharedTrainingMaster(batch_size_per_worker=32),
    ],
    ids=["averaging", "shared"],
)
def test_digits_and_whether_they_are_odd(spark, master) -> None:
    x, y = dl.datasets.digits()
    image = dl.Input(dl.InputType.convolutional_flat(height=8, width=8, channels=1), name="image")
    maps = ConvolutionLayer(n_out=8, kernel_size=3, activation="relu")(image)
    dense = DenseLayer(n_out=32, activation="relu")(maps)
    digit, odd = OutputLayer(n_out=10, name="digit")(dense), OutputLayer(n_out=2, name="odd")(dense)
    conf = dl.ComputationGraphConfiguration(
        seed=1, updater=dl.updaters.Adam(learning_rate=5e-3), inputs=[image], outputs=[digit, odd]
    )
    graph = dl.ComputationGraph(conf, normalizer=dl.normalizers.NormalizerMinMaxScaler())
    snet = SparkComputationGraph(spark, graph, master)
    train, test = slice(0, 1400), slice(1400, None)
    snet.fit(x[train], [y[train], y[train] % 2], epochs=6, progress=False)
    assert snet.evaluate(x[test], y[test], output="digit").accuracy > 0.85
    assert snet.evaluate({"image": x[test]}, y[test] % 2, output="odd").accuracy > 0.85
    assert snet.network.normalizer.is_fitted
    for counts in snet.counts:
        assert counts["given"] == counts["loaded"] == counts["trained"] == 1400
        assert counts["sent"] == counts["applied"] >= 1400 / 32 / 5


def test_masks_travel_with_their_examples(spark) -> None:
    rng = np.random.default_rng(0)
    kept = np.arange(6) < rng.integers(1, 7, (23, 1))
    x = {name: np.where(kept[:, None], rng.random((23, 2, 6)), np.nan).astype("f4") for name in ("left", "right")}
    y = np.where(kept, rng.integers(0, 3, (23, 6)), -1)
    vertices = {
        "both": (MergeVertex(), "left", "right"),
        "lstm": (LSTM(n_out=4), "both"),
        "each": (RnnOutputLayer(n_out=3, loss="mcxent", activation="softmax"), "lstm"),
    }
    conf = dl.ComputationGraphConfiguration(
        seed=2,
        updater=dl.updaters.Adam(learning_rate=0.02),
        inputs={"left": dl.InputType.recurrent(2), "right": dl.InputType.recurrent(2)},
        vertices=vertices,
        outputs=["each"],
    )
    masks = {"features_mask": [kept, kept], "labels_mask": kept}
    here = dl.ComputationGraph(conf)
    ours = here.fit(x, y, **masks, epochs=2, batch_size=5, progress=False)
    there = on_spark(spark, conf, num_workers=1, batch_size_per_worker=5)
    held_out = (x, y, masks["features_mask"], kept)
    theirs = there.fit(x, y, **masks, epochs=2, validation=held_out, progress=False)
    np.testing.assert_array_equal(there.network.params, here.params)
    assert theirs["score"] == pytest.approx(ours["score"])
    assert theirs[-1].validation_score == pytest.approx(here.score(x, y, **masks))
    assert there.score(x, y, **masks) == pytest.approx(here.score(x, y, **masks))
    seen = there.evaluate(x, y, **masks, batch_size=4)
    np.testing.assert_array_equal(seen.confusion, here.evaluate(x, y, **masks).confusion)
    assert seen.confusion.sum() == kept.sum()
    output = there.output(x, features_mask={"left": kept, "right": kept}, batch_size=4)
    np.testing.assert_allclose(output, here.output(x, features_mask=[kept, kept]), atol=1e-6)


def test_each_example_has_a_score(trained, frame):
    """The losses of the outputs, added up."""
    expected = trained.network.score_examples(PARTS, LABELS)
    np.testing.assert_allclose(trained.score_examples(PARTS, LABELS, batch_size=16), expected, rtol=1e-4, atol=1e-6)
    rows = trained.score_examples(frame, NAMED, features=FEATURES, batch_size=16).collect()
    np.testing.assert_allclose([row.score for row in rows], expected, rtol=1e-4, atol=1e-6)
    assert expected.mean() == pytest.approx(trained.network.score(PARTS, LABELS), rel=1e-4)


def test_activations_keep_the_keys_of_their_rows(trained, frame):
    found = trained.feed_forward_with_key(frame, key="b", features=FEATURES)
    assert found.columns == ["b", "output_kind", "output_size"]


def test_early_stopping_leaves_the_best_graph(spark):
    snet = on_spark(spark)
    early = EarlyStoppingConfiguration(
        epoch_termination_conditions=[MaxEpochsTerminationCondition(max_epochs=4)], save_last_model=True
    )
    held_out = ([X[:, :2], X[:, 2:]], [Y, SIZE])
    stopped = snet.fit(PARTS, LABELS, validation=held_out, early_stopping=early, progress=False).early_stopping
    assert isinstance(stopped.best_model, dl.ComputationGraph)
    np.testing.assert_array_equal(stopped.best_model.params, snet.network.params)
    assert stopped.best_model_score == min(stopped.score_vs_epoch.values())
    assert stopped.best_model_score == pytest.approx(snet.network.score(PARTS, LABELS), rel=1e-4)
