"""Parameter averaging on a real local session."""

import tempfile
from pathlib import Path

import numpy as np
import pytest
from local_spark import X, Y, frame, iris, on_spark, run_script

import pydl4j as dl
from pydl4j.errors import NaNScoreError
from pydl4j.layers import OutputLayer


@pytest.mark.parametrize(
    ("rows", "batch", "frequency", "workers"),
    [
        (101, 7, 3, 2),  # 15 minibatches, the last of 3: rounds of 6, 6, 3
        (10, 5, 3, 3),  # fewer minibatches than workers
        (1, 1, 1, 2),  # one row
        (64, 8, 2, 2),  # everything divides everything
        (150, 1, 4, 7),  # more workers than slots, added up on executors first
    ],
)
def test_every_example_is_trained_once_per_epoch(spark, rows, batch, frequency, workers):
    # each row moves a weight of its own, so the weights tell which rows were trained, and how often
    eye = np.eye(rows, dtype="f4")
    layer = OutputLayer(n_out=1, activation="identity", loss="mse", has_bias=False)
    conf = dl.MultiLayerConfiguration(
        seed=1,
        updater=dl.updaters.Sgd(learning_rate=0.5),
        weight_init="zero",
        input_type=dl.InputType.feed_forward(rows),
        layers=[layer],
    )
    net = on_spark(spark, conf, batch_size_per_worker=batch, averaging_frequency=frequency, num_workers=workers)
    history = net.fit(eye, np.ones(rows, "f4"), epochs=1, shuffle=True, progress=False)
    assert history[0].examples == rows
    updates = -(-rows // batch)
    assert net.counts == [{"given": rows, "loaded": rows, "trained": rows, "sent": updates, "applied": updates}]
    weights = net.network.params
    assert (weights > 0).all()


@pytest.mark.parametrize("rows", [12, 13])
def test_one_worker_trains_each_row_exactly_once(spark, rows):
    eye = np.eye(rows, dtype="f4")
    layer = OutputLayer(n_out=1, activation="identity", loss="mse", has_bias=False)
    conf = dl.MultiLayerConfiguration(
        seed=1,
        updater=dl.updaters.Sgd(learning_rate=0.5),
        weight_init="zero",
        input_type=dl.InputType.feed_forward(rows),
        layers=[layer],
    )
    net = on_spark(spark, conf, batch_size_per_worker=1, averaging_frequency=5, num_workers=1)
    net.fit(eye, np.ones(rows, "f4"), progress=False)
    weights = net.network.params
    np.testing.assert_array_equal(weights, np.full(rows, weights[0]))


def test_one_worker_averaging_each_minibatch_is_training_in_process(spark):
    net = on_spark(spark, averaging_frequency=1, num_workers=1)
    history = net.fit(X, Y, epochs=3, progress=False)
    single = dl.MultiLayerNetwork(iris())
    expected = single.fit(X, Y, batch_size=16, epochs=3, progress=False)
    np.testing.assert_allclose(net.network.params, single.params, rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(history["score"], expected["score"], rtol=1e-5)


def test_learns_as_well_as_in_process(spark):
    net = on_spark(spark)
    history = net.fit(X, Y, epochs=30, validation=(X, Y), progress=False)
    assert history[-1].validation_accuracy > 0.95
    assert history[-1].score < history[0].score / 4
    assert net.evaluate(X, Y).accuracy == pytest.approx(history[-1].validation_accuracy)


def test_two_runs_are_equal_and_a_second_fit_goes_on(spark):
    once, twice = on_spark(spark), on_spark(spark)
    once.fit(X, Y, epochs=2, progress=False)
    twice.fit(X, Y, epochs=1, progress=False)
    twice.fit(X, Y, epochs=1, progress=False)
    np.testing.assert_array_equal(once.network.params, twice.network.params)


def test_a_dataframe_trains_as_arrays_do(spark):
    arrays, frames = on_spark(spark), on_spark(spark)
    arrays.fit(X, Y, epochs=2, progress=False)
    history = frames.fit(frame(spark, partitions=3), "y", features="x", epochs=2, progress=False)
    assert history["examples"] == [150, 150]
    np.testing.assert_array_equal(arrays.network.params, frames.network.params)


def test_scalar_columns_and_vectors_train_as_arrays_do(spark):
    from pyspark.ml.linalg import Vectors

    expected = on_spark(spark)
    expected.fit(X[:60], Y[:60], progress=False)
    doubles = X[:60].astype("f8").tolist()
    rows = [
        (
            *map(float, row[:2]),
            Vectors.sparse(2, [(0, row[2]), (1, row[3])]) if i % 2 else Vectors.dense(row[2:]),
            float(y),
        )
        for i, (row, y) in enumerate(zip(doubles, Y[:60], strict=True))
    ]
    data = spark.createDataFrame(spark.sparkContext.parallelize(rows, 1), ["a", "b", "rest", "label"])
    net = on_spark(spark)
    net.fit(data, "label", features=["a", "b", "rest"], progress=False)
    np.testing.assert_array_equal(net.network.params, expected.network.params)


def test_without_shuffling_rows_are_used_in_place(spark):
    net = on_spark(spark, averaging_frequency=1, num_workers=1)
    net.fit(X, Y, shuffle=False, progress=False)
    single = dl.MultiLayerNetwork(iris())
    single.fit(X, Y, batch_size=16, shuffle=False, progress=False)
    np.testing.assert_allclose(net.network.params, single.params, rtol=1e-4, atol=1e-6)


def test_reading_ahead_changes_no_result(spark):
    plain, other = on_spark(spark), on_spark(spark, worker_prefetch_num_batches=2)
    plain.fit(X, Y, progress=False)
    other.fit(X, Y, progress=False)
    np.testing.assert_array_equal(plain.network.params, other.network.params)


@pytest.mark.parametrize("frequency", [10**9, 2**31 - 1])
def test_a_round_may_be_longer_than_an_epoch(spark, frequency):
    net = on_spark(spark, num_workers=4, averaging_frequency=frequency)
    assert net.fit(X, Y, progress=False)[0].examples == 150


@pytest.mark.parametrize("depth", [2, 3])
def test_executors_average_groups_of_many_workers(spark, depth):
    """Twenty workers: in groups of five, or twice in groups of three; in the second round 18."""
    flat = on_spark(spark, num_workers=20, averaging_frequency=1, batch_size_per_worker=4, aggregation_depth=1)
    grouped = on_spark(spark, num_workers=20, averaging_frequency=1, batch_size_per_worker=4, aggregation_depth=depth)
    expected = flat.fit(X, Y, epochs=2, progress=False)
    assert stages_of_the_last_rounds(spark, 4) == [1] * 4
    history = grouped.fit(X, Y, epochs=2, progress=False)
    np.testing.assert_allclose(grouped.network.params, flat.network.params, rtol=1e-4, atol=1e-6)
    assert history[-1].examples == expected[-1].examples == len(X)
    assert history[-1].score == pytest.approx(expected[-1].score, rel=1e-4)
    assert stages_of_the_last_rounds(spark, 4) == [depth] * 4


def stages_of_the_last_rounds(spark, count):
    store = spark.sparkContext._jsc.sc().statusStore()
    jobs = store.jobsList(None)  # the newest comes first
    rounds = [jobs.apply(i) for i in range(jobs.size())]
    return [job.stageIds().size() for job in rounds if "Gather" in job.name()][:count]


def test_the_updaters_state_is_averaged_unless_told_otherwise(spark):
    saved, lost = on_spark(spark), on_spark(spark, save_updater=False)
    for net in (saved, lost):
        net.fit(X, Y, epochs=1, progress=False)
    assert not np.array_equal(saved.network.params, lost.network.params)


def test_trains_a_network_that_was_trained_in_process(spark):
    single = dl.MultiLayerNetwork(iris())
    single.fit(X, Y, batch_size=16, epochs=1, progress=False)
    net = on_spark(spark, single, averaging_frequency=1, num_workers=1)
    net.fit(X, Y, epochs=1, progress=False)
    single.fit(X, Y, batch_size=16, epochs=1, progress=False)
    np.testing.assert_allclose(net.network.params, single.params, rtol=1e-4, atol=1e-6)


def diverging() -> dl.MultiLayerConfiguration:
    layers = [OutputLayer(n_out=1, loss="mse", activation="identity")]
    return iris(updater=dl.updaters.Sgd(learning_rate=1e20), layers=layers)


def test_a_score_that_is_not_finite_is_an_error_and_nothing_is_lost(spark):
    net = on_spark(spark, diverging())
    before = net.network.params.copy()
    with pytest.raises(NaNScoreError, match="put back to where it was before the epoch") as caught:
        net.fit(X, Y, epochs=9, progress=False)
    assert "Expected a finite score" in caught.value.message
    np.testing.assert_array_equal(net.network.params, before)


def test_parameters_that_the_last_minibatch_blew_up_are_no_result(spark):
    """The score of a minibatch is from before its update."""
    layers = [OutputLayer(n_out=1, loss="mse", activation="identity")]
    conf = iris(updater=dl.updaters.Sgd(learning_rate=3e38), layers=layers)
    net = on_spark(spark, conf, num_workers=1, batch_size_per_worker=150)
    before = net.network.params.copy()
    with pytest.raises(NaNScoreError, match="put back to where it was before the epoch"):
        net.fit(X, Y * 10, progress=False)
    np.testing.assert_array_equal(net.network.params, before)


class StopError(Exception):
    pass


def test_what_interrupts_a_fit_cancels_it_and_leaves_network_and_session_usable(spark):
    def stop(epoch):
        if epoch.number == 2:
            raise StopError

    net = on_spark(spark)
    with pytest.raises(StopError):
        net.fit(X, Y, epochs=10_000, progress=False, callbacks=[stop])
    assert spark.sparkContext.statusTracker().getActiveJobsIds() == []
    assert np.isfinite(net.network.params).all()
    assert net.fit(X, Y, progress=False)[0].examples == 150
    assert spark.range(10).count() == 10


def test_nothing_stays_behind(spark, tmp_path):
    net = on_spark(spark, export_directory=tmp_path.as_uri())
    net.fit(X, Y, validation=(X, Y), progress=False)
    net.output(X)
    with pytest.raises(NaNScoreError):
        on_spark(spark, diverging(), export_directory=tmp_path.as_uri()).fit(
            frame(spark), "y", features="x", epochs=9, progress=False
        )
    assert list(tmp_path.iterdir()) == []
    assert spark.sparkContext._jsc.getPersistentRDDs().size() == 0


def test_an_export_directory_by_path(spark, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shared = tmp_path / "with a space"
    net = on_spark(spark, export_directory="with a space")
    with net._inputs.spool() as spool:
        assert Path(spool._local).parent == shared
    net.fit(X, Y, progress=False)
    assert list(shared.iterdir()) == []


def test_a_remote_dataset_leaves_no_copy_behind(spark, tmp_path):
    key = "spark.hadoop.fs.viewfs.mounttable.pydl4j.link./data"
    spark.sparkContext._jsc.sc().conf().set(key, tmp_path.as_uri())  # Hadoop's files under another name
    copies = set(Path(tempfile.gettempdir()).glob("pydl4j-*.arrow"))
    net = on_spark(spark, export_directory="viewfs://pydl4j/data")
    assert net.fit(X, Y, progress=False)[0].examples == 150
    np.testing.assert_allclose(net.output(X), net.network.output(X), rtol=1e-6)
    assert set(Path(tempfile.gettempdir()).glob("pydl4j-*.arrow")) <= copies
    assert list(tmp_path.iterdir()) == []


def test_a_spool_with_late_files_is_deleted_and_one_that_stays_is_no_error(spark):
    net = on_spark(spark)
    with net._inputs.spool() as spool:
        late = Path(spool._local, "_temporary", "0")
        late.mkdir(parents=True)
        (late / "part").write_text("late")
    assert not Path(spool._local).exists()
    net._gateway.call("spark.Spools.delete", "nosuchfs://host/spool")


def test_a_permuted_array_survives_kryo(spark):
    """It may call itself c-ordered and no view."""
    net = on_spark(spark)
    jvm = spark.sparkContext._jvm
    serializer = jvm.org.apache.spark.serializer.KryoSerializer(
        spark.sparkContext._jsc.sc().conf().clone().set("spark.kryo.registrator", "org.pydl4j.spark.ArrayRegistrator")
    ).newInstance()
    tag = getattr(getattr(jvm.scala.reflect, "ClassTag$"), "MODULE$").AnyRef()
    axes = spark.sparkContext._gateway.new_array(jvm.int, 3)
    axes[0], axes[1], axes[2] = 0, 2, 1
    for source in (net._gateway.put(X[:6].reshape(2, 3, 4)), net._gateway.put(X[:6].reshape(2, 3, 4)).dup("f")):
        permuted = source.permute(axes)
        assert serializer.deserialize(serializer.serialize(permuted, tag), tag).equals(permuted)


def test_kryo_with_registration_required():
    out = run_script(
        f"""
        import sys
        sys.path.insert(0, {str(Path(__file__).parent)!r})
        from pyspark.sql import SparkSession
        from local_spark import QUIET, X, Y, iris, on_spark
        import pydl4j as dl
        from pydl4j.spark import configure

        builder = SparkSession.builder.master("local[2]")
        for key, value in QUIET.items():
            builder.config(key, value)
        builder.config("spark.serializer", "org.apache.spark.serializer.KryoSerializer")
        builder.config("spark.kryo.registrationRequired", "true")
        spark = configure(builder).getOrCreate()
        spark.sparkContext.setLogLevel("OFF")
        net = on_spark(spark, num_workers=20, averaging_frequency=1, batch_size_per_worker=4)
        net.fit(X, Y, epochs=2, validation=(X, Y), progress=False)
        kinds = ("EvaluationBinary", "EvaluationCalibration", "ROCBinary", "ROCMultiClass", "RegressionEvaluation")
        seen = net.evaluate(X, Y, [getattr(dl.evaluation, name)() for name in kinds] + [dl.evaluation.ROCMultiClass(9)])
        assert all(one.columns == 3 for one in seen)
        master = dl.spark.SharedTrainingMaster(batch_size_per_worker=16)
        dl.spark.SparkDl4jMultiLayer(spark, iris(), master).fit(X, Y, epochs=2, progress=False)
        print(len(net.output(X)))
        spark.stop()
        """,
        timeout=120,
    )
    assert out.strip().splitlines()[-1] == "150"
