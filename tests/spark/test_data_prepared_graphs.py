"""Prepared datasets of graphs, with several inputs and outputs, and of sequences with masks and labels for each time step."""

import numpy as np
import pandas as pd
import pytest
from local_spark import X, Y, on_spark

import pydl4j as dl
from pydl4j.errors import ConfigError, DataError
from pydl4j.layers import LSTM, DenseLayer, OutputLayer, RnnOutputLayer
from pydl4j.normalizers import NormalizerStandardize
from pydl4j.spark import ParameterAveragingTrainingMaster, SparkComputationGraph, load_dataset, save_dataset

PARTS = {"sepal": X[:, :2], "petal": X[:, 2:]}
SIZE = X.sum(axis=1)
LABELS = {"kind": Y, "size": SIZE}
FEATURES = {"sepal": ["a", "b"], "petal": "petal"}
NAMED = {"kind": "kind", "size": "size"}
TABLE = {"a": X[:, 0], "b": X[:, 1], "petal": X[:, 2:].tolist(), "kind": Y, "size": SIZE}

LENGTHS = np.array([3, 5, 1, 4, 2, 5])
THERE = np.arange(5) < LENGTHS[:, None]
STEPS = np.where(THERE[..., None], np.random.default_rng(1).normal(size=(6, 5, 2)), 0).astype("f4")
CLASS = np.where(THERE, np.arange(30).reshape(6, 5) % 3, 0)
KEPT = THERE & (np.arange(5) != 1)


def graph() -> dl.ComputationGraphConfiguration:
    vertices = {
        "of_sepal": (DenseLayer(n_out=4, activation="tanh"), "sepal"),
        "of_petal": (DenseLayer(n_out=4, activation="tanh"), "petal"),
        "kind": (OutputLayer(n_out=3, activation="softmax", loss="mcxent"), "of_sepal", "of_petal"),
        "size": (OutputLayer(n_out=1, activation="identity", loss="mse"), "of_sepal", "of_petal"),
    }
    inputs = {"sepal": dl.InputType.feed_forward(2), "petal": dl.InputType.feed_forward(2)}
    return dl.ComputationGraphConfiguration(seed=7, inputs=inputs, vertices=vertices, outputs=["kind", "size"])


def made(spark):
    rows = [
        tuple(value.item() if isinstance(value, np.generic) else value for value in row)
        for row in zip(*TABLE.values(), strict=True)
    ]
    return spark.createDataFrame(rows, "a float, b float, petal array<float>, kind int, size float").coalesce(1)


def sequences() -> dl.MultiLayerConfiguration:
    layers = [LSTM(n_out=4), RnnOutputLayer(n_out=3, loss="mcxent", activation="softmax")]
    return dl.MultiLayerConfiguration(seed=7, input_type=dl.InputType.recurrent(2), layers=layers)


def on_graph(spark):
    return SparkComputationGraph(
        spark, graph(), ParameterAveragingTrainingMaster(batch_size_per_worker=16, num_workers=2)
    )


def test_a_graph_has_columns_and_arrays_by_name(spark, tmp_path):
    expected = on_graph(spark)
    expected.fit(PARTS, LABELS, progress=False)
    table = pd.DataFrame(TABLE)
    frame = made(spark)
    kinds = {"frame": (frame, NAMED, FEATURES), "table": (table, NAMED, FEATURES), "arrays": (PARTS, LABELS, None)}
    for kind, (data, labels, features) in kinds.items():
        network = dl.ComputationGraph(graph()) if kind == "table" else graph()
        save_dataset(data, tmp_path / kind, labels, features=features, network=network, progress=False)
        prepared = load_dataset(tmp_path / kind)
        assert prepared.shapes == {"features": (2,), "features_1": (2,), "labels": (3,), "labels_1": (1,)}
        if features is not None:
            assert prepared.columns == {
                "features": ["a", "b"], "features_1": ["petal"], "labels": ["kind"], "labels_1": ["size"]
            }  # fmt: skip
        net = on_graph(spark)
        net.fit(prepared, progress=False)
        np.testing.assert_allclose(net.network.params, expected.network.params, rtol=1e-5, atol=1e-7)
        np.testing.assert_array_equal(
            net.evaluate(prepared, output="kind").confusion, net.evaluate(PARTS, Y, output="kind").confusion
        )


def test_sequences_have_their_masks(spark, tmp_path):
    x = np.ascontiguousarray(STEPS.transpose(0, 2, 1))
    normalizer = NormalizerStandardize()
    rows = [
        (STEPS[i, :n].tolist(), CLASS[i, :n].tolist(), KEPT[i, :n].astype(int).tolist()) for i, n in enumerate(LENGTHS)
    ]
    frame = spark.createDataFrame(rows, "x array<array<float>>, y array<int>, kept array<int>").coalesce(1)
    options = {"network": sequences(), "normalizer": normalizer, "progress": False}
    named = {"features": "x", "features_mask": "kept", "labels_mask": "kept"}
    from_frame = save_dataset(frame, tmp_path / "frame", "y", **named, **options).to_numpy()
    prepared = save_dataset(x, tmp_path / "arrays", CLASS, features_mask=KEPT, labels_mask=KEPT, **options)
    found = prepared.to_numpy()
    assert {name: array.shape[1:] for name, array in found.items()} == load_dataset(tmp_path / "frame").shapes
    assert list(from_frame) == ["features", "labels", "features_mask", "labels_mask"]
    labels = [array["labels"] * array["labels_mask"][:, None] for array in (from_frame, found)]
    np.testing.assert_array_equal(*labels)
    for name, array in found.items():
        if name == "labels":
            continue  # masked classes of arrays are taken for 0
        np.testing.assert_allclose(from_frame[name], array, rtol=1e-5, atol=1e-6)
    np.testing.assert_array_equal(found["labels_mask"], KEPT)
    np.testing.assert_array_equal(from_frame["labels"].argmax(axis=1), np.where(KEPT, CLASS, 0))
    assert not from_frame["features"][~np.repeat(KEPT[:, None], 2, axis=1)].any()  # normalized, padding is still 0
    expected, net = (on_spark(spark, sequences(), batch_size_per_worker=2) for _ in range(2))
    expected.network.normalizer = normalizer
    expected.fit(x, CLASS, features_mask=KEPT, labels_mask=KEPT, progress=False)
    net.fit(prepared, progress=False)
    np.testing.assert_array_equal(net.network.params, expected.network.params)
    assert net.evaluate(prepared).confusion.sum() == KEPT.sum()
    with pytest.raises(DataError, match="a prepared dataset has its labels_mask; leave labels_mask out"):
        net.score(prepared, labels_mask=KEPT)


def test_what_cannot_be_saved(spark, tmp_path):
    table = pd.DataFrame(TABLE)
    frame = made(spark)
    for data in (table, frame):
        with pytest.raises(ConfigError, match="several inputs or outputs are those of a graph: give network, too"):
            save_dataset(data, tmp_path / "d", NAMED, features=FEATURES, progress=False, spark=spark)
    with pytest.raises(ConfigError, match="masks are those of a network's time steps: give network, too"):
        save_dataset(frame, tmp_path / "d", "kind", features="petal", labels_mask="kind", progress=False)
    with pytest.raises(ConfigError, match=r"a graph with several inputs .* has no normalizer"):
        save_dataset(
            PARTS,
            tmp_path / "d",
            LABELS,
            network=graph(),
            normalizer=NormalizerStandardize(),
            progress=False,
            spark=spark,
        )
    assert list(tmp_path.iterdir()) == []
