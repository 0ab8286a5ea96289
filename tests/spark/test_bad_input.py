"""What cannot be trained on is refused with a message that says what, where and what was expected."""

import re
from pathlib import Path

import numpy as np
import pytest
from local_spark import X, Y, frame, iris, on_spark

import pydl4j as dl
from pydl4j.errors import ConfigError, DataError, ShapeError
from pydl4j.layers import LSTM, RnnOutputLayer
from pydl4j.spark import ParameterAveragingTrainingMaster, SparkDl4jMultiLayer
from pydl4j.spark.spool import Spool


@pytest.fixture(scope="module")
def net(spark):
    return on_spark(spark)


@pytest.mark.parametrize(
    ("x", "y", "error", "message"),
    [
        (X[:, :3], Y, ShapeError, r"x must have the shape \[examples, 4\]"),
        (X, Y + 1, DataError, r"classes in y must be from 0 to 2.*Received: 1 to 3"),
        (X, Y - 1, DataError, r"Received: -1 to 1"),
        (X, Y[:100], ShapeError, "as many labels as examples: 150. Received: 100"),
        (np.where(X > 7, np.nan, X), Y, DataError, r"x must be finite. Received: nan"),
        (X[:0], Y[:0], DataError, "x is empty"),
        (X.astype(object), Y, DataError, "x must be numbers. Received: dtype object"),
        (X, None, DataError, "labels are missing"),
        (X[:10], Y[:10], DataError, "batch_size must be at most the number of examples, 10. Received: 16"),
    ],
)
def test_arrays(net, x, y, error, message):
    before = net.network.params
    with pytest.raises(error, match=message):
        net.fit(x, y, progress=False)
    np.testing.assert_array_equal(net.network.params, before)


@pytest.mark.parametrize(
    ("select", "message"),
    [
        ("x, if(y = 2, 3, y) as y", r"column 'y' has label 3; expected a class from 0 to 2 \(row 100 of partition 0"),
        ("x, y - 1 as y", r"column 'y' has label -1; expected a class from 0 to 2 \(row 0 of partition 0"),
        ("x, y + 0.5 as y", r"column 'y' has label 0.5; expected a class"),
        ("x, nullif(y, 1) as y", r"column 'y' has a null \(row 50 of partition 0"),
        ("if(y = 1, null, x) as x, y", r"column 'x' has a null \(row 50"),
        ("transform(x, e -> nullif(e, x[1])) as x, y", r"column 'x' has a null at element 1 \(row 0"),
        ("transform(x, e -> float('NaN')) as x, y", r"column 'x' has NaN among the features; expected finite numbers"),
        ("slice(x, 1, 3) as x, y", r"column 'x' has 3 features; expected 4"),
        ("concat(x, x) as x, y", r"column 'x' has more than 4 features; expected 4"),
        (
            "array(slice(x, 1, 1), slice(x, 2, 3)) as x, y",
            r"column 'x' has arrays of 1 and of 3 elements; expected one length",
        ),
        ("array(slice(x, 1, 2), null) as x, y", r"column 'x' has a null at element 1"),
        ("x, array(y) as y", r"column 'y' has 1 labels; expected 3"),
        (
            "string(x[0]) as x, y",
            r"column 'x' is of type string; expected a number, an array of numbers or of such arrays, a vector of pyspark.ml, or an image",
        ),
        ("x, y as z", r"labels: the DataFrame has no column 'y'"),
        ("x as xx, y", r"features: the DataFrame has no column 'x' \(did you mean 'xx'\?\). It has: xx, y"),
    ],
)
def test_dataframes(net, spark, select, message):
    before = net.network.params
    with pytest.raises(DataError, match=message):
        net.fit(frame(spark).selectExpr(*_split(select)), "y", features="x", progress=False)
    np.testing.assert_array_equal(net.network.params, before)


def _split(select: str) -> list[str]:
    depth, parts = 0, [""]
    for c in select:
        depth += {"(": 1, ")": -1}.get(c, 0)
        if c == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return parts


def test_an_empty_dataframe(net, spark):
    with pytest.raises(DataError, match="the DataFrame is empty: expected at least one row"):
        net.fit(frame(spark).limit(0), "y", features="x", progress=False)


def test_columns_of_arrays(net):
    with pytest.raises(DataError, match="features names columns of a DataFrame; leave it out for arrays"):
        net.fit(X, Y, features="x", progress=False)


def test_sequences_of_unknown_length_from_a_dataframe(spark):
    layers = [LSTM(n_out=4), RnnOutputLayer(n_out=2, loss="mcxent", activation="softmax")]
    conf = dl.MultiLayerConfiguration(input_type=dl.InputType.recurrent(4), layers=layers)
    with pytest.raises(ConfigError, match="Give it an input_type, with time_series_length"):
        on_spark(spark, conf).fit(frame(spark), "y", features="x", progress=False)


def test_wrong_kinds_of_arguments(spark):
    with pytest.raises(
        ConfigError,
        match=r"master: expected a ParameterAveragingTrainingMaster or a SharedTrainingMaster\. Received: str",
    ):
        SparkDl4jMultiLayer(spark, iris(), "averaging")
    with pytest.raises(
        ConfigError, match=r"network: expected a MultiLayerConfiguration or a MultiLayerNetwork. Received: dict"
    ):
        SparkDl4jMultiLayer(spark, {}, ParameterAveragingTrainingMaster())
    with pytest.raises(ConfigError, match=r"epochs must be an int from 1 to .*Received: 0"):
        on_spark(spark).fit(X, Y, epochs=0)


def test_an_export_directory_that_cannot_be_used(spark, tmp_path):
    file = tmp_path / "file"
    file.write_text("not a directory")
    net = on_spark(spark, export_directory=file.as_uri())
    with pytest.raises(DataError, match=r"export_directory.*cannot be written to"):
        net.fit(X, Y, progress=False)


@pytest.mark.parametrize("bad", ["hdfs://a b/c", "file:relative", "http://[", "nosuchfs://host/x"])
def test_an_export_directory_that_is_no_uri(spark, bad):
    with pytest.raises(DataError, match=r"export_directory: .*" + re.escape(bad)):
        on_spark(spark, export_directory=bad).fit(X, Y, progress=False)


@pytest.mark.parametrize("batch_size", [0, -1, 2**32 + 8, 1.5, True, None])
def test_batch_sizes_for_looking(net, spark, batch_size):
    data = frame(spark)
    for look in (
        lambda: net.output(X, batch_size=batch_size),
        lambda: net.predict(data, features="x", batch_size=batch_size),
        lambda: net.evaluate(X, Y, batch_size=batch_size),
        lambda: net.score(X, Y, batch_size=batch_size),
    ):
        with pytest.raises(ConfigError, match=r"batch_size must be an int from 1 to 2\*\*31 - 1\. Received: "):
            look()


def test_the_column_of_a_null_is_named_among_several(net, spark):
    select = ["if(y = 1, null, slice(x, 1, 2)) as a", "slice(x, 3, 2) as b", "y"]
    with pytest.raises(DataError, match=r"column 'a' has a null \(row 50 of partition 0"):
        net.fit(frame(spark).selectExpr(*select), "y", features=["a", "b"], progress=False)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda data: data[:-7], "does not end in ARROW1: truncated"),
        (lambda _: b"", "it has only 0 bytes"),
        (lambda data: data[:40] + b"\xff" * (len(data) - 60) + data[-20:], "unusable"),
    ],
)
def test_a_damaged_file(net, spark, damage, message):
    spool = Spool.create(net._gateway, spark, None)
    dataset = spool.write({"features": X, "labels": np.eye(3, dtype="f4")[Y]})
    part = Path(spool._local, "part-0.arrow")
    part.write_bytes(damage(part.read_bytes()))
    with pytest.raises(DataError, match=message):
        net._run("evaluate", dataset.uri, dataset.rows, 16, True, "[]", 0)
    spool.close()


def test_a_refused_fit_leaves_the_normalizer_unfitted(spark):
    normalizer = dl.normalizers.NormalizerStandardize()
    net = on_spark(spark, dl.MultiLayerNetwork(iris(), normalizer=normalizer))
    with pytest.raises(ShapeError):
        net.fit(X * 1000, Y[:9], progress=False)
    assert not normalizer.is_fitted
