"""Columns of sequences of varying lengths: padded and masked, they train as arrays with masks do."""

import logging

import numpy as np
import pytest
from local_spark import on_spark

import pydl4j as dl
from pydl4j.errors import ConfigError, DataError
from pydl4j.layers import LSTM, Convolution1DLayer, GlobalPoolingLayer, LastTimeStep, OutputLayer, RnnOutputLayer
from pydl4j.spark import load_dataset, save_dataset

SIZE, LONGEST = 3, 7
RNG = np.random.default_rng(4)
LENGTHS = np.array([1, 7, 3, 5, 2, 7, 4, 6, 1, 3, 2, 5])
SEQUENCES = [RNG.normal(size=(length, SIZE)).astype("f4") for length in LENGTHS]
LABELS = np.arange(len(LENGTHS)) % 2
MASK = (np.arange(LONGEST) < LENGTHS[:, None]).astype("f4")
FLOATS = "array<array<float>>"


def network(form="ncw", length=None, last=None):
    lstm = LSTM(n_out=4, data_format=form)
    output = OutputLayer(n_out=2, loss="mcxent", activation="softmax")
    if last is not None:
        layers = [lstm, last]
    elif form == "nwc":  # DL4J's pooling takes masks for ncw
        layers = [LastTimeStep(layer=lstm), output]
    else:
        layers = [lstm, GlobalPoolingLayer(pooling_type="avg"), output]
    given = dl.InputType.recurrent(SIZE, time_series_length=length, format=form)
    return dl.MultiLayerConfiguration(
        seed=5, input_type=given, layers=layers, updater=dl.updaters.Adam(learning_rate=0.01)
    )


def frame(spark, sequences=SEQUENCES, kind=FLOATS):
    rows = [(i, [step.tolist() for step in one], int(LABELS[i])) for i, one in enumerate(sequences)]
    return spark.createDataFrame(spark.sparkContext.parallelize(rows, 2), f"id int, clicks {kind}, y int")


def of_vectors(spark):
    from pyspark.ml.linalg import SparseVector, Vectors

    def vector(step, i):
        return SparseVector(SIZE, range(SIZE), step.tolist()) if i % 2 else Vectors.dense(step.tolist())

    rows = [(i, [vector(step, j) for j, step in enumerate(one)], int(LABELS[i])) for i, one in enumerate(SEQUENCES)]
    return spark.createDataFrame(rows, ["id", "clicks", "y"]).coalesce(2)


def as_taken(form="ncw", length=LONGEST):
    x = np.zeros((len(SEQUENCES), length, SIZE), "f4")
    for row, one in zip(x, SEQUENCES, strict=True):
        row[: len(one)] = one
    return x if form == "nwc" else np.ascontiguousarray(x.transpose(0, 2, 1))


@pytest.mark.parametrize(("form", "length"), [("ncw", None), ("nwc", None), ("ncw", 9)])
def test_trains_and_looks_as_arrays_with_masks_do(spark, form, length):
    x = as_taken(form, length or LONGEST)
    mask = np.pad(MASK, ((0, 0), (0, (length or LONGEST) - LONGEST)))
    expected, net = (on_spark(spark, network(form, length), batch_size_per_worker=3) for _ in range(2))
    expected.fit(x, LABELS, features_mask=mask, progress=False)
    data = frame(spark)
    net.fit(data, "y", features="clicks", validation=data, progress=False)
    np.testing.assert_array_equal(net.network.params, expected.network.params)
    found = [row["output"] for row in net.output(data, features="clicks").orderBy("id").collect()]
    np.testing.assert_allclose(np.array(found, "f4"), expected.output(x, features_mask=mask), rtol=1e-5, atol=1e-7)
    assert not np.array_equal(np.array(found, "f4"), expected.output(x))  # padding would count
    assert net.score(data, "y", features="clicks") == expected.score(x, LABELS, features_mask=mask)


@pytest.mark.parametrize("kind", ["array<array<double>>", "vectors"])
def test_a_prepared_dataset_has_the_masks(spark, tmp_path, caplog, kind):
    data = of_vectors(spark) if kind == "vectors" else frame(spark, kind=kind)
    with caplog.at_level(logging.INFO):
        prepared = save_dataset(
            data.orderBy("id"), tmp_path / "d", "y", features="clicks", network=network(), progress=False
        )
    assert "sequences of at most 7 time steps; 45 % of the features are padding" in caplog.text
    assert load_dataset(tmp_path / "d").shapes == {"features": (SIZE, 7), "labels": (2,), "features_mask": (7,)}
    found = prepared.to_numpy()
    np.testing.assert_array_equal(found["features"], as_taken())
    np.testing.assert_array_equal(found["features_mask"], MASK)
    expected, net = (on_spark(spark, network(), batch_size_per_worker=3) for _ in range(2))
    expected.fit(as_taken(), LABELS, features_mask=MASK, progress=False)
    net.fit(prepared, progress=False)
    np.testing.assert_array_equal(net.network.params, expected.network.params)


@pytest.mark.parametrize(
    ("one", "length", "message"),
    [
        ([], None, "a sequence without time steps"),
        ([[1.0, 2.0, 3.0], [1.0, 2.0]], None, "2 numbers at time step 1; expected 3"),
        ([[1.0, 2.0, 3.0], None], None, "a null at time step 1"),
        ([[1.0, 2.0, None]], None, "a null among the numbers of time step 0"),
        ([[1.0, 2.0, float("nan")]], None, "NaN among the features"),
        ([[1.0, 2.0, 3.0]] * 5, 4, "a sequence of 5 time steps; expected at most 4"),
        (None, None, "a null"),
    ],
)
def test_bad_sequences_are_told(spark, one, length, message):
    rows = [(SEQUENCES[0].tolist(), 0), (one, 1)]
    data = spark.createDataFrame(rows, f"clicks {FLOATS}, y int").coalesce(1)
    with pytest.raises(DataError, match=rf"column 'clicks' has {message}.*\(row 1 of partition 0"):
        on_spark(spark, network(length=length)).fit(data, "y", features="clicks", progress=False)


def test_what_cannot_be(spark):
    data = frame(spark)
    with pytest.raises(DataError, match="the DataFrame is empty"):
        on_spark(spark, network()).fit(data.limit(0), "y", features="clicks", progress=False)
    with pytest.raises(DataError, match="has no sequence with time steps"):
        on_spark(spark, network()).fit(frame(spark, [[], []]), "y", features="clicks", progress=False)
    layers = [Convolution1DLayer(n_out=2, kernel_size=3, convolution_mode="truncate"), RnnOutputLayer(n_out=2)]
    given = dl.InputType.recurrent(SIZE)
    net = on_spark(spark, dl.MultiLayerConfiguration(seed=5, input_type=given, layers=layers))
    with pytest.raises(ConfigError, match="needs one output per row, or one for each time step of the features"):
        net.output(data.where("size(clicks) > 2"), features="clicks")
