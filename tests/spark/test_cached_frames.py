"""Cached DataFrames of numbers: read by columns, and just as what is read by rows."""

from pathlib import Path

import numpy as np
import pytest
from local_spark import X, Y, on_spark

from pydl4j.errors import DataError

COLUMNS = ["a", "b", "c", "d"]


@pytest.fixture(params=["float", "double", "int", "bigint", "smallint", "tinyint", "boolean"])
def frame(spark, request):
    """Numbers and a class: all types that Spark keeps by columns, 150 rows in three partitions."""
    select = [f"cast(round({column} * 3) as {request.param}) as {column}" for column in COLUMNS]
    rows = [(*map(float, row), int(label)) for row, label in zip(X, Y, strict=True)]
    made = spark.sparkContext.parallelize(rows, 3)
    return spark.createDataFrame(made, "a double, b double, c double, d double, y int").selectExpr(*select, "y")


def trained(spark, frame, features):
    net = on_spark(spark)
    net.fit(frame, "y", features=features, epochs=2, progress=False)
    return net.network.params


def test_training_is_the_same_as_on_the_frame_that_is_not_cached(spark, frame):
    expected = trained(spark, frame, COLUMNS)
    cached = frame.cache()
    try:
        np.testing.assert_array_equal(trained(spark, cached, COLUMNS), expected)
    finally:
        cached.unpersist()


def test_columns_in_another_order_and_some_left_out(spark, frame):
    other = frame.selectExpr("y", "d", "1.5f as e", "b", "c", "a").cache()
    try:
        expected = trained(spark, frame, ["c", "a", "d", "b"])
        np.testing.assert_array_equal(trained(spark, other, ["c", "a", "d", "b"]), expected)
    finally:
        other.unpersist()


def test_rows_of_a_filter_are_those_that_pass_it(spark, frame):
    cached = frame.cache()
    try:
        net = on_spark(spark)
        history = net.fit(cached.where("y < 2"), "y", features=COLUMNS, progress=False)
    finally:
        cached.unpersist()
    assert history["examples"] == [100]


@pytest.mark.parametrize(
    ("column", "what"), [("nullif(a, a)", "a null"), ("if(y = 1, float('nan'), a)", "NaN among the features")]
)
def test_what_cannot_be_trained_on_is_named(spark, column, what):
    rows = [(*map(float, row), int(label)) for row, label in zip(X, Y, strict=True)]
    made = spark.createDataFrame(
        spark.sparkContext.parallelize(rows, 1), "a float, b float, c float, d float, y int"
    ).selectExpr(f"{column} as a", "b", "c", "d", "y")
    cached = made.cache()
    try:
        row = 50 if "NaN" in what else 0
        with pytest.raises(DataError, match=rf"{what}.*row {row} of partition 0"):
            on_spark(spark).fit(cached, "y", features=COLUMNS, progress=False)
    finally:
        cached.unpersist()


def test_columns_of_several_types(spark):
    rows = [(*map(float, row), int(label)) for row, label in zip(X, Y, strict=True)]
    made = spark.createDataFrame(spark.sparkContext.parallelize(rows, 2), "a float, b double, c float, d float, y int")
    expected = trained(spark, made, COLUMNS)
    cached = made.cache()
    try:
        np.testing.assert_array_equal(trained(spark, cached, COLUMNS), expected)
    finally:
        cached.unpersist()


def test_files_of_a_fit_are_unmapped_when_it_has_ended(spark):
    rows = [(*map(float, row), int(label)) for row, label in zip(X, Y, strict=True)]
    frame = spark.createDataFrame(spark.sparkContext.parallelize(rows, 2), "a float, b float, c float, d float, y int")
    before = mapped_and_deleted(spark)
    trained(spark, frame, COLUMNS)
    assert mapped_and_deleted(spark) <= before


def mapped_and_deleted(spark) -> set[str]:
    """Files without a name that still take space, since the JVM of the driver and of its workers maps them."""
    pid = spark._jvm.java.lang.ProcessHandle.current().pid()
    lines = Path(f"/proc/{pid}/maps").read_text(encoding="utf-8").splitlines()
    return {line.split(maxsplit=5)[5] for line in lines if line.endswith(".arrow (deleted)")}
