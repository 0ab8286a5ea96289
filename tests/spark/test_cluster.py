"""Executors in processes of their own: one that is killed in the middle of a fit costs time and nothing else."""

import json
from pathlib import Path

import pytest
from local_spark import run_script

HERE = str(Path(__file__).parent)


NIGHTLY = [pytest.param(trial * 0.15, marks=pytest.mark.nightly) for trial in range(1, 11)]


@pytest.mark.parametrize("delay", [0.0, *NIGHTLY])
def test_an_executor_that_dies_is_replaced_and_the_result_is_the_same(spark_home, delay):
    out = run_script(
        f"""
        import json, os, pathlib, signal, sys, threading
        sys.path.insert(0, {HERE!r})
        os.environ["PYSPARK_PYTHON"] = "/no/python/here"  # none is needed
        import numpy as np
        from pyspark.sql import SparkSession
        from local_spark import QUIET, X, Y, iris
        os.environ["PYSPARK_PYTHON"] = "/no/python/here"
        from pydl4j.spark import ParameterAveragingTrainingMaster, SparkDl4jMultiLayer, configure

        builder = SparkSession.builder.master("local-cluster[2,1,1024]").config("spark.executor.memory", "1g")
        for key, value in QUIET.items():
            builder.config(key, value)
        builder.config("spark.executor.extraJavaOptions", "-XX:TieredStopAtLevel=1")
        spark = configure(builder).getOrCreate()
        spark.sparkContext.setLogLevel("OFF")
        home = os.environ["SPARK_HOME"]

        def executors():
            found = []
            for process in pathlib.Path("/proc").iterdir():
                try:
                    command = (process / "cmdline").read_bytes().decode().split("\\0")
                    if "org.apache.spark.executor.CoarseGrainedExecutorBackend" in command and str(
                        (process / "cwd").readlink()
                    ).startswith(home):
                        found.append(int(process.name))
                except (OSError, UnicodeDecodeError):
                    pass
            return found

        def fit(callbacks=()):
            master = ParameterAveragingTrainingMaster(batch_size_per_worker=8, averaging_frequency=2, num_workers=2)
            net = SparkDl4jMultiLayer(spark, iris(), master)
            history = net.fit(X, Y, epochs=12, progress=False, callbacks=callbacks)
            return net, history["examples"]

        killed = []
        def kill():
            killed.extend(executors()[:1])
            os.kill(killed[0], signal.SIGKILL)

        timer = threading.Timer({delay}, kill)
        def soon(epoch):
            if epoch.number == 3:
                timer.start()

        undisturbed, _ = fit()
        disturbed, examples = fit([soon])
        timer.join()
        print(json.dumps({{
            "killed": len(killed),
            "examples": examples,
            "equal": bool(np.array_equal(undisturbed.network.params, disturbed.network.params)),
            "accuracy": disturbed.evaluate(X, Y).accuracy,
            "output": list(disturbed.output(X).shape),
        }}))
        spark.stop()
        """,
        timeout=240,
        SPARK_HOME=str(spark_home),
    )
    found = json.loads(out.strip().splitlines()[-1])
    assert found["killed"] == 1
    assert found["examples"] == [150] * 12
    assert found["equal"]
    assert found["accuracy"] > 0.9
    assert found["output"] == [150, 3]
