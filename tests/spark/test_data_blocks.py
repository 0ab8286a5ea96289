"""Clusters without shared storage: executors keep the examples themselves, and results are what they are with storage."""

import json
from pathlib import Path

import numpy as np
import pytest
from local_spark import X, Y, frame, on_spark, run_script

from pydl4j.errors import DataError
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
