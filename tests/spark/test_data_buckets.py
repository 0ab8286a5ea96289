"""Sequences in buckets of similar lengths: each example is trained once, padded to its bucket's length; what is looked at is the same."""

import json

import numpy as np
import pytest
from local_spark import on_spark

import pydl4j as dl
from pydl4j.errors import ConfigError
from pydl4j.layers import LSTM, LastTimeStep, OutputLayer, RnnOutputLayer
from pydl4j.normalizers import NormalizerStandardize
from pydl4j.spark import load_dataset, save_dataset

SIZE, LONGEST, ROWS = 2, 20, 45
RNG = np.random.default_rng(5)
LENGTHS = RNG.integers(1, LONGEST + 1, ROWS)
LENGTHS[0] = LONGEST
THERE = np.arange(LONGEST) < LENGTHS[:, None]
STEPS = np.where(THERE[..., None], RNG.normal(3, 2, size=(ROWS, LONGEST, SIZE)), 0).astype("f4")
CLASS = np.where(THERE, STEPS[..., 0] > 3, 0).astype(int)
KINDS = {"plain": None, "buckets": (5, 12)}


def network(form="ncw", *, each=True):
    lstm = LSTM(n_out=4, data_format=form)
    layers = (
        [lstm, RnnOutputLayer(n_out=2, loss="mcxent", activation="softmax", data_format=form)]
        if each
        else [LastTimeStep(layer=lstm), OutputLayer(n_out=2)]
    )
    given = dl.InputType.recurrent(SIZE, format=form)
    return dl.MultiLayerConfiguration(
        seed=3, input_type=given, layers=layers, updater=dl.updaters.Adam(learning_rate=0.01)
    )


@pytest.fixture(scope="module")
def frame(spark):
    rows = [(STEPS[i, :n].tolist(), CLASS[i, :n].tolist(), int(CLASS[i, 0])) for i, n in enumerate(LENGTHS)]
    return spark.createDataFrame(
        spark.sparkContext.parallelize(rows, 2), "x array<array<float>>, y array<int>, one int"
    )


def save(frame, uri, labels="y", **options):
    options = {"network": network(), "batch_size": 4, "buckets": (5, 12)} | options
    return save_dataset(frame, uri, labels, features="x", progress=False, **options)


@pytest.mark.parametrize("form", ["ncw", "nwc"])
def test_trains_and_looks_at_the_same_examples(spark, frame, tmp_path, form):
    plain, prepared = (save(frame, tmp_path / name, network=network(form), buckets=b) for name, b in KINDS.items())
    expected = {5: LENGTHS <= 5, 12: (LENGTHS > 5) & (LENGTHS <= 12), LONGEST: LENGTHS > 12}
    assert prepared.buckets == {length: rows.sum() for length, rows in expected.items()}
    assert plain.buckets == {}
    assert "in buckets of 5, 12, 20 time steps" in repr(load_dataset(tmp_path / "buckets"))
    assert prepared.shapes == plain.shapes
    whole, buckets = plain.to_numpy(), prepared.to_numpy()
    order = [sorted(range(ROWS), key=lambda i: one["features"][i].tobytes()) for one in (whole, buckets)]
    for name, array in whole.items():
        np.testing.assert_array_equal(buckets[name][order[1]], array[order[0]])
    together = {"batch_size_per_worker": ROWS, "num_workers": 1}  # one minibatch, of all lengths
    ours, theirs = (on_spark(spark, network(form), **together) for _ in range(2))
    ours.fit(plain, epochs=2, progress=False)
    theirs.fit(prepared, epochs=2, progress=False)
    np.testing.assert_allclose(theirs.network.params, ours.network.params, rtol=1e-4, atol=1e-6)
    assert theirs.score(prepared, batch_size=4) == pytest.approx(ours.score(plain), rel=1e-4)
    confusion = theirs.evaluate(prepared, batch_size=4).confusion
    np.testing.assert_array_equal(confusion, theirs.evaluate(plain).confusion)
    assert confusion.sum() == LENGTHS.sum()
    net = on_spark(spark, network(form), batch_size_per_worker=4)
    history = net.fit(prepared, epochs=2, validation=prepared, progress=False)
    assert history["examples"] == [ROWS] * 2
    for counts in net.counts:
        assert counts["given"] == counts["loaded"] == counts["trained"] == ROWS


def test_normalized_sequences_of_one_output_each(spark, frame, tmp_path):
    normalizer = NormalizerStandardize()
    prepared = save(frame, tmp_path / "d", "one", network=network(each=False), normalizer=normalizer, buckets=3)
    np.testing.assert_allclose(normalizer.mean, STEPS[THERE].mean(axis=0), rtol=1e-5)
    assert len(prepared.buckets) == 3
    assert max(prepared.buckets.values()) <= ROWS / 2
    assert max(prepared.buckets) == LONGEST
    net = on_spark(spark, network(each=False), batch_size_per_worker=4)
    net.fit(prepared, progress=False)
    found = prepared.to_numpy()
    expected = net.network
    expected.normalizer = None
    x, mask = found["features"], found["features_mask"]
    output = expected.output(x, features_mask=mask)
    net.network.normalizer = normalizer
    np.testing.assert_allclose(net.output(prepared, batch_size=4), output, rtol=1e-4, atol=1e-6)


def test_files_are_of_one_length(frame, tmp_path):
    save(frame, tmp_path / "d")
    parts = json.loads((tmp_path / "d" / "dataset.json").read_text())["parts"]
    assert sorted(part["length"] for part in parts) == [5, 5, 12, 12, 20, 20]
    assert {part["file"] for part in parts} == {file.name for file in (tmp_path / "d").glob("*.arrow")}


def test_what_cannot_be_in_buckets(spark, frame, tmp_path):
    for buckets in (0, (), (3, 0), True, ("a",)):
        with pytest.raises(ConfigError, match="buckets must be an int from 1, or the lengths"):
            save(frame, tmp_path / "d", buckets=buckets)
    with pytest.raises(ConfigError, match="buckets are for columns of sequences, and a network that does not say"):
        save_dataset(frame.selectExpr("one as x"), tmp_path / "d", features="x", buckets=2, progress=False)
    with pytest.raises(ConfigError, match="buckets are for sequences in a DataFrame of Spark"):
        save_dataset(STEPS, tmp_path / "d", buckets=2, progress=False)
    assert list(tmp_path.iterdir()) == []
    prepared = save(frame, tmp_path / "d")
    with pytest.raises(
        ConfigError, match="outputs for each time step have no one length where sequences are in buckets"
    ):
        on_spark(spark, network()).output(prepared)
