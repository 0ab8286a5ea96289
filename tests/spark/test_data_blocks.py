"""Clusters without shared storage: executors keep the examples themselves, and results are what they are with storage."""

import json
from pathlib import Path

import numpy as np
import pytest
from local_spark import X, Y, frame, iris, on_spark, run_script

import pydl4j as dl
from pydl4j.errors import ConfigError, DataError
from pydl4j.layers import DenseLayer, OutputLayer
from pydl4j.spark import (
    ParameterAveragingTrainingMaster,
    SharedTrainingMaster,
    SparkComputationGraph,
    SparkDl4jMultiLayer,
)
from pydl4j.spark.spool import Spool

HERE = str(Path(__file__).parent)


def test_results_are_those_of_files(spark):
    expected = on_spark(spark)
    expected.fit(X, Y, epochs=2, validation=(X, Y), progress=False)
    for data, labels, features in ((X, Y, None), (frame(spark, partitions=3), "y", "x")):
        net = on_spark(spark, export_directory="blocks:")
        validation = (X, Y) if features is None else data
        history = net.fit(data, labels, features=features, epochs=2, validation=validation, progress=False)
        assert history["examples"] == [150, 150]
        assert history[-1].validation_accuracy is not None
        np.testing.assert_array_equal(net.network.params, expected.network.params)
        assert net.evaluate(data, labels, features=features).accuracy == expected.evaluate(X, Y).accuracy
        assert net.score(data, labels, features=features) == pytest.approx(expected.score(X, Y), rel=1e-6)
    np.testing.assert_allclose(net.output(X), expected.output(X), rtol=1e-6)


def assert_conserved(net, examples, epochs):
    assert len(net.counts) == epochs
    for counts in net.counts:
        assert counts["given"] == counts["loaded"] == counts["trained"] == examples
        assert counts["sent"] == counts["applied"] > 0


def test_gradient_sharing(spark):
    for data, labels, features in ((X, Y, None), (frame(spark, partitions=3), "y", "x")):
        master = SharedTrainingMaster(batch_size_per_worker=16, num_workers=2, export_directory="blocks:")
        net = SparkDl4jMultiLayer(spark, iris(), master)
        validation = (X, Y) if features is None else data
        history = net.fit(data, labels, features=features, epochs=3, validation=validation, progress=False)
        assert_conserved(net, 150, 3)
        assert history[-1].validation_score < history[0].validation_score


def graph() -> dl.ComputationGraphConfiguration:
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


@pytest.mark.parametrize("master", [ParameterAveragingTrainingMaster, SharedTrainingMaster])
def test_graphs(spark, master):
    parts, labels = {"sepal": X[:, :2], "petal": X[:, 2:]}, {"kind": Y, "size": X.sum(axis=1)}
    options = {"batch_size_per_worker": 16, "num_workers": 2}
    net = SparkComputationGraph(spark, graph(), master(**options, export_directory="blocks:"))
    net.fit(parts, labels, epochs=2, validation=(parts, labels), progress=False)
    assert_conserved(net, 150, 2)
    if master is ParameterAveragingTrainingMaster:
        of_files = SparkComputationGraph(spark, graph(), master(**options))
        of_files.fit(parts, labels, epochs=2, progress=False)
        np.testing.assert_array_equal(net.network.params, of_files.network.params)
    assert net.evaluate(parts, Y, output="kind").accuracy == net.network.evaluate(parts, Y, output="kind").accuracy
    np.testing.assert_allclose(net.output(parts)["size"], net.network.output(parts)["size"], rtol=1e-5)


def test_dl4js_own_master_trains_blocks_directly_and_exports_none(spark):
    direct, files = (
        on_spark(spark, rdd_training_approach="direct", export_directory=place) for place in ("blocks:", None)
    )
    for net in (direct, files):
        assert net.fit(X, Y, epochs=2, progress=False)["examples"] == [150, 150]
    np.testing.assert_allclose(direct.network.params, files.network.params, rtol=1e-3, atol=1e-5)
    with pytest.raises(ConfigError, match=r"export_directory: expected a directory that all executors see.*'blocks:'"):
        on_spark(spark, rdd_training_approach="export", export_directory="blocks:")


def test_many_blocks(spark, monkeypatch):
    monkeypatch.setattr("pydl4j.spark.spool._BLOCK_BYTES", 1000)
    net, expected = on_spark(spark, export_directory="blocks:"), on_spark(spark)
    for each in (net, expected):
        each.fit(X, Y, progress=False)
    np.testing.assert_array_equal(net.network.params, expected.network.params)


def test_nothing_stays_behind(spark, monkeypatch):
    net = on_spark(spark, export_directory="blocks:")
    made = []
    create = Spool.create
    monkeypatch.setattr(Spool, "create", lambda *given: made.append(create(*given)) or made[-1])
    net.fit(X, Y, validation=(X, Y), progress=False)
    net.output(X)
    with pytest.raises(DataError, match="column 'y' has label 3"):
        net.fit(frame(spark, X, Y + 1), "y", features="x", progress=False)
    with pytest.raises(DataError, match="the DataFrame is empty"):
        net.fit(frame(spark).limit(0), "y", features="x", progress=False)
    assert len(made) == 6
    assert not any(Path(spool._local).exists() for spool in made)
    assert spark.sparkContext._jsc.getPersistentRDDs().size() == 0


@pytest.mark.nightly
@pytest.mark.parametrize("data", ["X, Y", "shuffled, 'y'"])
def test_executors_that_die_between_epochs(spark_home, data):
    """Both, one after the other: Spark computes what they held again."""
    out = run_script(
        f"""
        import json, os, pathlib, signal, sys, time
        sys.path.insert(0, {HERE!r})
        import numpy as np
        from pyspark.sql import SparkSession
        from local_spark import QUIET, X, Y, frame, on_spark
        from pydl4j.spark import configure

        builder = SparkSession.builder.master("local-cluster[2,1,1024]").config("spark.executor.memory", "1g")
        for key, value in QUIET.items():
            builder.config(key, value)
        builder.config("spark.executor.extraJavaOptions", "-XX:TieredStopAtLevel=1")
        spark = configure(builder).getOrCreate()
        spark.sparkContext.setLogLevel("OFF")
        shuffled = frame(spark, partitions=2).repartition(3, "y").sortWithinPartitions("x")

        def executors():
            found = []
            for process in pathlib.Path("/proc").iterdir():
                try:
                    command = (process / "cmdline").read_bytes().decode()
                    if "CoarseGrainedExecutorBackend" in command and str((process / "cwd").readlink()).startswith(os.environ["SPARK_HOME"]):
                        found.append(int(process.name))
                except (OSError, UnicodeDecodeError):
                    pass
            return found

        directories = {{str(pathlib.Path(f"/proc/{{pid}}/cwd").readlink()) for pid in executors()}}
        killed = []
        def kill_all(epoch):
            if epoch.number == 2:
                for pid in executors():
                    os.kill(pid, signal.SIGKILL)
                    killed.append(pid)
                deadline = time.monotonic() + 60
                while len(set(executors()) - set(killed)) < 2 and time.monotonic() < deadline:
                    time.sleep(0.2)
                time.sleep(3)

        def fit(callbacks=()):
            net = on_spark(spark, export_directory="blocks:", num_workers=2)
            options = {{"features": "x"}} if {data!r} != "X, Y" else {{}}
            history = net.fit({data}, epochs=4, progress=False, callbacks=callbacks, **options)
            return net, history["examples"]

        undisturbed, _ = fit()
        disturbed, examples = fit([kill_all])
        print(json.dumps({{
            "directories": len(directories),
            "killed": len(killed),
            "examples": examples,
            "equal": bool(np.array_equal(undisturbed.network.params, disturbed.network.params)),
            "output": list(disturbed.output(X).shape),
        }}))
        spark.stop()
        """,
        timeout=240,
        SPARK_HOME=str(spark_home),
    )
    found = json.loads(out.strip().splitlines()[-1])
    assert found == {"directories": 2, "killed": 2, "examples": [150] * 4, "equal": True, "output": [150, 3]}
