"""Prepared datasets: saved once from whatever there is, trained on and looked at as the data would be; whole, or not there."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from local_spark import X, Y, frame, iris, on_spark, run_script

import pydl4j as dl
from pydl4j.errors import ConfigError, DataError, ShapeError
from pydl4j.layers import EmbeddingLayer, OutputLayer
from pydl4j.normalizers import NormalizerMinMaxScaler, NormalizerStandardize
from pydl4j.spark import load_dataset, save_dataset

HERE = str(Path(__file__).parent)


def table() -> pa.Table:
    return pa.table({"x": pa.FixedSizeListArray.from_arrays(X.ravel(), 4), "y": Y})


def parquet(spark, path):
    place = path / "with a space.parquet"
    frame(spark).write.parquet(str(place))
    return place


SOURCES = {
    "DataFrame": lambda spark, _: frame(spark, partitions=3),
    "Parquet": parquet,
    "pandas": lambda *_: pd.DataFrame({"x": list(X), "y": Y}),
    "pyarrow": lambda *_: table(),
    "arrays": lambda *_: X,
}


def save(spark, data, uri, **options):
    options = {"network": iris(), "batch_size": 16, "progress": False} | options
    if isinstance(data, np.ndarray):
        return save_dataset(data, uri, Y, **options)
    return save_dataset(data, uri, "y", features="x", **options)


@pytest.mark.parametrize("kind", SOURCES)
def test_trains_and_looks_as_the_data_do(spark, tmp_path, kind):
    expected = on_spark(spark)
    expected.fit(X, Y, epochs=2, progress=False)
    place = tmp_path / "with a space" / "in train"
    place.parent.mkdir()
    prepared = save(spark, SOURCES[kind](spark, tmp_path), place)
    net = on_spark(spark)
    history = net.fit(prepared.uri, epochs=2, validation=prepared, progress=False)
    assert history["examples"] == [150, 150]
    np.testing.assert_array_equal(net.network.params, expected.network.params)
    assert net.evaluate(prepared).accuracy == expected.evaluate(X, Y).accuracy
    assert net.score(str(place)) == pytest.approx(expected.score(X, Y), rel=1e-6)
    np.testing.assert_allclose(net.output(prepared), expected.output(X), rtol=1e-6)


def test_says_what_it_is(spark, tmp_path):
    prepared = save(spark, frame(spark, partitions=2), tmp_path / "train", normalizer=NormalizerStandardize())
    assert prepared == load_dataset(tmp_path / "train")
    assert prepared.shapes == {"features": (4,), "labels": (3,)}
    assert (prepared.rows, prepared.batch_size, prepared.classes) == (150, 16, 3)
    assert prepared.columns == {"features": ["x"], "labels": ["y"]}
    assert prepared.size == sum(file.stat().st_size for file in (tmp_path / "train").glob("*.arrow"))
    assert "150 rows of features [4], labels [3], batch_size 16" in repr(prepared)
    assert "<NormalizerStandardize: 4 features>" in repr(prepared)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["train"]


def test_files_are_plain_arrow_of_minibatches(spark, tmp_path):
    save(spark, frame(spark), tmp_path / "train")
    (part,) = (tmp_path / "train").glob("*.arrow")
    with pa.ipc.open_file(str(part)) as reader:
        batches = [reader.get_batch(i) for i in range(reader.num_record_batches)]
    assert [batch.num_rows for batch in batches] == [16] * 9 + [6]
    np.testing.assert_array_equal(np.concatenate([b["features"].to_numpy_ndarray() for b in batches]), X)


@pytest.mark.parametrize("make", [NormalizerStandardize, NormalizerMinMaxScaler, lambda: NormalizerMinMaxScaler(-1, 1)])
@pytest.mark.parametrize("kind", ["DataFrame", "arrays"])
def test_statistics_are_computed_by_executors_and_go_to_the_network(spark, tmp_path, kind, make):
    normalizer, expected = make(), make().fit(X)
    prepared = save(spark, SOURCES[kind](spark, tmp_path), tmp_path / "train", normalizer=normalizer)
    for found in (normalizer, prepared.normalizer):
        for name in ("mean", "std") if hasattr(expected, "std") else ("min", "max"):
            np.testing.assert_allclose(getattr(found, name), getattr(expected, name), rtol=1e-6)
            assert getattr(found, name).dtype == np.float32
    np.testing.assert_allclose(prepared.to_numpy()["features"], expected.transform(X), rtol=1e-5, atol=1e-6)
    plain, untouched = on_spark(spark), on_spark(spark, dl.MultiLayerNetwork(iris(), normalizer=make()))
    for net in (plain, untouched):
        net.fit(prepared, progress=False)
        net.network.normalizer.transform(X)
        assert net.evaluate(X, Y).accuracy == net.evaluate(prepared).accuracy
    np.testing.assert_array_equal(plain.network.params, untouched.network.params)


def test_statistics_of_images_are_those_of_channels(spark, tmp_path):
    rows = [([float(i + k) for k in range(8)], i % 2) for i in range(7)]
    data = spark.createDataFrame(spark.sparkContext.parallelize(rows, 3), "x array<double>, y int")
    normalizer = NormalizerStandardize()
    prepared = save_dataset(
        data,
        tmp_path / "t",
        "y",
        features="x",
        feature_shape=(2, 2, 2),
        classes=2,
        normalizer=normalizer,
        progress=False,
    )
    expected = NormalizerStandardize().fit(np.array([x for x, _ in rows]).reshape(7, 2, 2, 2))
    np.testing.assert_allclose(normalizer.mean, expected.mean)
    np.testing.assert_allclose(normalizer.std, expected.std)
    assert normalizer.mean.dtype == np.float64
    assert prepared.shapes == {"features": (2, 2, 2), "labels": (2,)}


def test_a_fit_on_a_dataframe_fits_the_normalizer(spark):
    net = on_spark(spark, dl.MultiLayerNetwork(iris(), normalizer=NormalizerStandardize()))
    net.fit(frame(spark, partitions=3), "y", features="x", progress=False)
    np.testing.assert_allclose(net.network.normalizer.mean, X.mean(axis=0), rtol=1e-6)
    arrays = on_spark(spark, dl.MultiLayerNetwork(iris(), normalizer=NormalizerStandardize()))
    arrays.fit(X, Y, progress=False)
    np.testing.assert_allclose(net.network.params, arrays.network.params, rtol=1e-3, atol=1e-5)


def test_without_a_network(spark, tmp_path):
    for i, (data, labels, features) in enumerate(
        [(frame(spark), "y", "x"), (table(), "y", "x"), (X, Y, None), (X, np.eye(3)[Y], None)]
    ):
        prepared = save_dataset(data, tmp_path / str(i), labels, features=features, classes=3, progress=False)
        found = prepared.to_numpy()
        np.testing.assert_array_equal(found["features"], X)
        np.testing.assert_array_equal(found["labels"], np.eye(3)[Y])
        assert on_spark(spark).fit(prepared, progress=False)[0].examples == 150
    regression = save_dataset(frame(spark), tmp_path / "r", ["y", "y"], features="x", progress=False)
    assert regression.shapes == {"features": (4,), "labels": (2,)}
    net = on_spark(spark, iris(layers=[OutputLayer(n_out=2, loss="xent", activation="sigmoid")]))
    with pytest.raises(DataError, match="save it again, with network="):
        net.fit(regression, progress=False)


@pytest.mark.parametrize(
    ("options", "network", "expected"),
    [
        ({}, iris(layers=[OutputLayer(n_out=5)]), (ShapeError, r"expected labels of shape \[5\].*Received: \[3\] in file:")),
        ({}, iris(data_type="double"), (DataError, "expected features of float64, the network's data_type")),
        ({"normalizer": NormalizerStandardize().fit(X * 2)}, dl.MultiLayerNetwork(iris(), normalizer=NormalizerStandardize().fit(X)),
         (DataError, "were saved normalized by <NormalizerStandardize: 4 features>, but the network takes them normalized by")),
        ({}, dl.MultiLayerNetwork(iris(), normalizer=NormalizerStandardize().fit(X)),
         (DataError, "were saved as they were, but the network takes them normalized by")),
    ],
)  # fmt: skip
def test_what_does_not_fit_the_network(spark, tmp_path, options, network, expected):
    prepared = save(spark, X, tmp_path / "train", **options)
    net = on_spark(spark, network)
    with pytest.raises(expected[0], match=expected[1]):
        net.fit(prepared, progress=False)
    with pytest.raises(expected[0], match=expected[1]):
        net.score(prepared)


def test_a_network_that_was_not_trained_on_it_is_told_of_the_normalizer(spark, tmp_path):
    prepared = save(spark, X, tmp_path / "train", normalizer=NormalizerStandardize())
    net = on_spark(spark)
    with pytest.raises(DataError, match="but the network takes them as they were"):
        net.evaluate(prepared)
    with pytest.raises(DataError, match="batch_size must be at most"):
        on_spark(spark, net.network, batch_size_per_worker=151).fit(prepared, progress=False)
    assert net.network.normalizer is None


def test_indices_of_an_embedding_are_checked_when_saved(spark, tmp_path):
    layers = [EmbeddingLayer(n_in=5, n_out=4), OutputLayer(n_out=3, loss="mcxent", activation="softmax")]
    conf = dl.MultiLayerConfiguration(seed=1, layers=layers)
    data = frame(spark).selectExpr("y as word", "y")
    prepared = save_dataset(data, tmp_path / "good", "y", features="word", network=conf, progress=False)
    net = on_spark(spark, conf)
    assert net.fit(prepared, progress=False)[0].examples == 150
    with pytest.raises(
        DataError, match=r"column 'word' has 6.0 among the features; the embedding expects indices, whole"
    ):
        net.fit(data.selectExpr("word * 3 as word", "y"), "y", features="word", progress=False)
    unchecked = save_dataset(X[:, :1] * 100, tmp_path / "unchecked", Y, classes=3, progress=False)
    with pytest.raises(DataError, match="the network takes features that are whole numbers from 0 to 4"):
        net.fit(unchecked, progress=False)


def test_a_place_that_is_taken(spark, tmp_path):
    save(spark, X, tmp_path / "train")
    with pytest.raises(DataError, match=r"there is a dataset at .*/train already; overwrite=True replaces it"):
        save(spark, X, tmp_path / "train")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "precious").write_text("mine")
    with pytest.raises(DataError, match="exists and is no dataset"):
        save(spark, X, tmp_path / "other", overwrite=True)
    assert (tmp_path / "other" / "precious").read_text() == "mine"
    with pytest.raises(DataError, match="uri: expected a path, or a URI"):
        save(spark, X, "file:///")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["other", "train"]


def test_a_dataset_that_was_overwritten_is_not_mistaken_for_the_new_one(spark, tmp_path):
    old = save(spark, X, tmp_path / "train")
    net = on_spark(spark)
    net.fit(old, progress=False)
    save(spark, frame(spark, X * 2), tmp_path / "train", overwrite=True)
    fresh = on_spark(spark)
    fresh.fit(tmp_path / "train", progress=False)
    expected = on_spark(spark)
    expected.fit(X * 2, Y, progress=False)
    np.testing.assert_array_equal(fresh.network.params, expected.network.params)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["train"]


def test_what_fails_leaves_nothing(spark, tmp_path):
    normalizer = NormalizerStandardize()
    with pytest.raises(DataError, match=r"column 'y' has label 3"):
        save(spark, frame(spark, X, Y + 1), tmp_path / "train", normalizer=normalizer)
    assert list(tmp_path.iterdir()) == []
    assert not normalizer.is_fitted
    with pytest.raises(DataError, match="there is no dataset at"):
        load_dataset(tmp_path / "train")
    with pytest.raises(DataError, match="expected a dataset that save_dataset wrote, or Parquet"):
        on_spark(spark).fit(tmp_path / "train", "y", features="x", progress=False)


def test_a_task_that_is_tried_again_counts_once(tmp_path):
    """The first attempt of each task writes its file, and fails."""
    out = run_script(
        f"""
        import sys
        sys.path.insert(0, {HERE!r})
        from pyspark.sql import SparkSession
        from local_spark import QUIET, X, Y, frame, iris, on_spark
        from pydl4j.spark import configure, save_dataset

        builder = SparkSession.builder.master("local[2,3]")
        for key, value in QUIET.items():
            builder.config(key, value)
        spark = configure(builder).getOrCreate()
        spark.sparkContext.setLogLevel("OFF")
        from pyspark.sql.functions import udf
        from pyspark import TaskContext

        def fails_first(y):
            if y == 2 and TaskContext.get().attemptNumber() == 0:
                raise ValueError("once")
            return y
        data = frame(spark, partitions=2).select("x", udf(fails_first, "int")("y").alias("y"))
        prepared = save_dataset(data, {str(tmp_path / "train")!r}, "y", features="x", network=iris(), batch_size=8, progress=False)
        print(prepared.rows, on_spark(spark).fit(prepared, progress=False)[0].examples)
        spark.stop()
        """,
        timeout=120,
    )
    assert out.strip().splitlines()[-1] == "150 150"
    manifest = json.loads((tmp_path / "train" / "dataset.json").read_text())
    files = {file.name for file in (tmp_path / "train").glob("*.arrow")}
    assert files == {part["file"] for part in manifest["parts"]}


def _flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(bytes(data))


def _version(path: Path) -> None:
    manifest = path.parent / "dataset.json"
    manifest.write_text(
        manifest.read_text().replace('"version":1', '"version":2').replace('"version": 1', '"version": 2')
    )


DAMAGES = {
    "truncated": (lambda part: part.write_bytes(part.read_bytes()[:-9]), r"part-0.arrow is unusable: it has \d+ bytes; expected \d+"),
    "missing": (Path.unlink, r"the dataset is incomplete: .*part-0.arrow is missing"),
    "flipped": (_flip, r"part-0.arrow is unusable: its contents are not what was written"),
    "version": (_version, "dataset.json is of version 2; expected 1"),
    "no JSON": (lambda part: (part.parent / "dataset.json").write_text("{"), "dataset.json is not the description of a dataset"),
    "no manifest": (lambda part: (part.parent / "dataset.json").unlink(), "expected a dataset that save_dataset wrote, or Parquet"),
}  # fmt: skip


@pytest.mark.parametrize("kind", DAMAGES)
def test_damage_is_told_with_the_file(spark, tmp_path, kind):
    damage, message = DAMAGES[kind]
    uri = save(spark, X, tmp_path / "train").uri
    damage(tmp_path / "train" / "part-0.arrow")
    net = on_spark(spark)
    before = net.network.params.copy()
    with pytest.raises(DataError, match=message):
        net.fit(uri, progress=False)
    np.testing.assert_array_equal(net.network.params, before)


@pytest.mark.parametrize(("damage", "message"), [(Path.unlink, "is missing here"), (_flip, "not what was written")])
def test_damage_after_it_was_loaded(spark, tmp_path, damage, message):
    prepared = save(spark, X, tmp_path / "train")
    damage(tmp_path / "train" / "part-0.arrow")
    with pytest.raises(DataError, match=message):
        on_spark(spark).fit(prepared, progress=False)


def test_another_file_system(spark, tmp_path):
    key = "spark.hadoop.fs.viewfs.mounttable.prepared.link./data"
    spark.sparkContext._jsc.sc().conf().set(key, tmp_path.as_uri())  # Hadoop's files under another name
    for data in (frame(spark, partitions=2), X):
        prepared = save(spark, data, "viewfs://prepared/data/train", normalizer=NormalizerStandardize(), overwrite=True)
        net = on_spark(spark)
        assert net.fit("viewfs://prepared/data/train", progress=False)[0].examples == 150
        np.testing.assert_allclose(net.output(prepared), net.network.output(X), rtol=1e-4, atol=1e-6)
        np.testing.assert_allclose(prepared.to_numpy()["features"].mean(axis=0), 0, atol=1e-5)
    assert [file.name for file in tmp_path.iterdir()] == ["train"]
    next((tmp_path / "train").glob("*.arrow")).write_bytes(b"short")
    with pytest.raises(DataError, match="it has 5 bytes; expected"):
        load_dataset("viewfs://prepared/data/train")


BAD_OPTIONS = [
    ({"labels": "z"}, DataError, "labels: the DataFrame has no column 'z'"),
    ({"features": None}, DataError, "features: name the column"),
    ({"batch_size": 0}, ConfigError, "batch_size must be an int from 1"),
    ({"network": None, "classes": 1}, ConfigError, "classes must be an int from 2"),
    ({"network": None, "feature_shape": (2, 3)}, ShapeError, r"feature_shape \[2, 3\] is of 6 numbers. Received: 4"),
    ({"classes": 3}, ConfigError, "give one or the other"),
]


@pytest.mark.parametrize("bad", BAD_OPTIONS)
@pytest.mark.parametrize("kind", ["DataFrame", "pyarrow"])
def test_bad_options(spark, tmp_path, kind, bad):
    options, error, message = bad
    options = {"labels": "y", "features": "x", "network": iris(), "progress": False} | options
    with pytest.raises(error, match=message):
        save_dataset(SOURCES[kind](spark, tmp_path), tmp_path / "train", **options)
    assert list(tmp_path.iterdir()) == []


def test_a_prepared_dataset_has_its_columns(spark, tmp_path):
    prepared = save(spark, X, tmp_path / "train")
    with pytest.raises(DataError, match="a prepared dataset has its labels; leave labels out"):
        on_spark(spark).fit(prepared, Y)
    unlabelled = save_dataset(X, tmp_path / "x", network=iris(), progress=False)
    assert on_spark(spark).output(unlabelled).shape == (150, 3)
    with pytest.raises(DataError, match="has no labels; save it again"):
        on_spark(spark).fit(unlabelled)
