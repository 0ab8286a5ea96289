"""DL4J's own ParameterAveragingTrainingMaster: what it trains is counted, and it drops nothing silently."""

import numpy as np
import pytest
from local_spark import X, Y, frame, iris, on_spark

import pydl4j as dl
from pydl4j.errors import CountMismatchError, DataError, NaNScoreError
from pydl4j.layers import OutputLayer

BOTH = pytest.mark.parametrize("approach", ["direct", "export"])


@BOTH
@pytest.mark.parametrize(
    "sizes",
    [
        (101, 7, 3, 2),  # 15 minibatches, the last of 3: rounds of 6, 6, 3
        (10, 5, 3, 3),  # fewer minibatches than workers
        (64, 8, 2, 2),
    ],
)
def test_every_example_is_trained_once_per_epoch(spark, approach, sizes):
    rows, batch, frequency, workers = sizes
    # each row moves a weight of its own
    layer = OutputLayer(n_out=1, activation="identity", loss="mse", has_bias=False)
    conf = dl.MultiLayerConfiguration(
        seed=1,
        updater=dl.updaters.Sgd(learning_rate=0.5),
        weight_init="zero",
        input_type=dl.InputType.feed_forward(rows),
        layers=[layer],
    )
    options = {"batch_size_per_worker": batch, "averaging_frequency": frequency, "num_workers": workers}
    net = on_spark(spark, conf, rdd_training_approach=approach, **options)
    history = net.fit(np.eye(rows, dtype="f4"), np.ones(rows, "f4"), progress=False)
    assert history[0].examples == rows
    assert (net.network.params > 0).all()
    assert net.counts[0]["trained"] == net.counts[0]["given"] == rows


@BOTH
def test_whole_rounds_end_where_ours_do(spark, approach):
    stock, ours = on_spark(spark, rdd_training_approach=approach), on_spark(spark)
    history = stock.fit(X[:128], Y[:128], epochs=2, validation=(X, Y), progress=False)
    expected = ours.fit(X[:128], Y[:128], epochs=2, validation=(X, Y), progress=False)
    np.testing.assert_allclose(stock.network.params, ours.network.params, rtol=1e-3, atol=1e-5)
    assert history[-1].validation_score == pytest.approx(expected[-1].validation_score, rel=1e-4)
    assert spark.sparkContext._jsc.getPersistentRDDs().size() == 0


def test_what_dl4j_drops_is_an_error(spark):
    """Fifty minibatches dealt at random: hardly ever are they dealt evenly."""
    options = {"batch_size_per_worker": 1, "averaging_frequency": 25, "rdd_training_approach": "direct"}
    net = on_spark(spark, repartition_strategy="spark_default", **options)
    with pytest.raises(CountMismatchError, match=r"trained \d+ of the 50 minibatches of a round.*\"balanced\" deal"):
        net.fit(X[:50], Y[:50], epochs=20, progress=False)


@pytest.mark.parametrize("repartition", ["never", "num_partitions_workers_differs"])
@BOTH
def test_options_are_given_through(spark, tmp_path, approach, repartition):
    options = {"repartition_data": repartition, "storage_level": "DISK_ONLY", "save_updater": False, "rng_seed": 5}
    net = on_spark(spark, rdd_training_approach=approach, export_directory=tmp_path.as_uri(), **options)
    assert net.fit(X, Y, progress=False)[0].examples == 150
    assert list(tmp_path.rglob("*.bin")) == []


@BOTH
def test_a_score_that_is_not_finite(spark, approach):
    layers = [OutputLayer(n_out=1, loss="mse", activation="identity")]
    net = on_spark(
        spark, iris(updater=dl.updaters.Sgd(learning_rate=1e20), layers=layers), rdd_training_approach=approach
    )
    before = net.network.params.copy()
    with pytest.raises(NaNScoreError, match="put back to where it was before the epoch"):
        net.fit(X, Y, epochs=9, progress=False)
    np.testing.assert_array_equal(net.network.params, before)


@pytest.mark.parametrize("options", [{}, {"worker_prefetch_num_batches": 2}, {"rdd_training_approach": "direct"}])
def test_a_loader_that_fails_ends_the_fit_and_says_where(spark, tmp_path, monkeypatch, options):
    sizes = {"batch_size_per_worker": 30, "num_workers": 1, "averaging_frequency": 10}
    net = on_spark(spark, export_directory=tmp_path.as_uri(), **sizes, **options)
    data, fit = frame(spark, partitions=5), {"features": "x", "shuffle": False, "progress": False}
    net.fit(data, "y", **fit)
    described = type(net)._options

    def damage(*given, **named):
        third = sorted(tmp_path.rglob("*.arrow"))[2]
        third.unlink()
        third.write_bytes(b"damaged")
        spark.sparkContext._jvm.org.slf4j.LoggerFactory.getLogger("org.pydl4j.Tests").info("so near")
        return described(net, *given, **named)

    monkeypatch.setattr(net, "_options", damage)
    spark.sparkContext.setLogLevel("INFO")
    try:
        with pytest.raises(DataError, match=r"unusable: it has 7 bytes") as caught:
            net.fit(data, "y", **fit)
    finally:
        spark.sparkContext.setLogLevel("OFF")
    assert caught.value.worker_log.startswith("executor driver on ")
    assert "INFO Tests: so near" in caught.value.worker_log
    monkeypatch.undo()
    assert net.fit(data, "y", **fit)[0].examples == 150
