"""Columns of every kind train as arrays do."""

import numpy as np
import pytest
from local_spark import X, Y, frame, on_spark

KINDS = {
    "arrays of arrays": (["array(slice(x, 1, 2), slice(x, 3, 2)) as a", "y"], "a"),
    "arrays of arrays of arrays": (["array(array(slice(x, 1, 2)), array(slice(x, 3, 2))) as a", "y"], "a"),
    "decimals and floats": (
        ["cast(x[0] as decimal(10, 4)) as a", "x[1] as b", "double(x[2]) as c", "x[3] as d", "y"],
        list("abcd"),
    ),
    "a part in an array": (["x[0] as a", "array(array(x[1]), array(x[2]), array(x[3])) as b", "y"], ["a", "b"]),
}


@pytest.fixture(scope="module")
def expected(spark):
    net = on_spark(spark)
    net.fit(X, Y, progress=False)
    return net.network.params


@pytest.mark.parametrize("kind", KINDS)
def test_columns(spark, expected, kind):
    select, features = KINDS[kind]
    net = on_spark(spark)
    net.fit(frame(spark, partitions=2).selectExpr(*select), "y", features=features, progress=False)
    np.testing.assert_allclose(net.network.params, expected, rtol=1e-5, atol=1e-7)


def test_an_rdd_of_labeled_points(spark, expected):
    from pyspark.mllib.linalg import Vectors
    from pyspark.mllib.regression import LabeledPoint

    points = [
        LabeledPoint(y, Vectors.sparse(4, range(4), x) if i % 2 else x)
        for i, (x, y) in enumerate(zip(X, Y, strict=True))
    ]
    net = on_spark(spark)
    net.fit(spark.sparkContext.parallelize(points, 2), progress=False)
    np.testing.assert_allclose(net.network.params, expected, rtol=1e-5, atol=1e-7)
