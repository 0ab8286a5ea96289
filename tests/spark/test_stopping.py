"""Ctrl-C: the fit ends, slots are free again, network and session stay usable."""

import json
import os
import signal
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from local_spark import X, Y, on_spark, run_script

HERE = str(Path(__file__).parent)


def test_ctrl_c_frees_the_slots(spark):
    net = on_spark(spark)
    net.fit(X, Y, progress=False)
    assert spark.range(0, 2, 1, 2).count() == 2  # what is compiled once is compiled
    pressed = []

    def press():
        pressed.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(1.0, press)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        net.fit(X, Y, epochs=1_000_000, progress=False)
    assert spark.range(0, 2, 1, 2).count() == 2  # a task in each slot
    assert time.monotonic() - pressed[0] < 2
    timer.join()
    assert np.isfinite(net.network.params).all()
    assert net.fit(X, Y, progress=False)[0].examples == 150


@pytest.mark.nightly
def test_an_executor_in_a_long_minibatch_is_replaced(spark_home):
    """Nothing within a minibatch hears an interrupt. This one, of a long sequence, would take minutes."""
    out = run_script(
        f"""
        import json, os, signal, sys, threading, time
        sys.path.insert(0, {HERE!r})
        import numpy as np
        from pyspark.sql import SparkSession
        from local_spark import QUIET
        import pydl4j as dl
        from pydl4j.layers import LSTM, RnnOutputLayer
        from pydl4j.spark import ParameterAveragingTrainingMaster, SparkDl4jMultiLayer, configure

        builder = SparkSession.builder.master("local-cluster[2,1,1024]").config("spark.executor.memory", "1g")
        for key, value in QUIET.items():
            builder.config(key, value)
        spark = configure(builder, off_heap="3g").getOrCreate()
        spark.sparkContext.setLogLevel("OFF")
        layers = [LSTM(n_out=64), RnnOutputLayer(n_out=1, loss="mse", activation="identity")]
        conf = dl.MultiLayerConfiguration(input_type=dl.InputType.recurrent(1), layers=layers, updater=dl.updaters.Sgd())
        net = SparkDl4jMultiLayer(spark, conf, ParameterAveragingTrainingMaster(batch_size_per_worker=8, num_workers=2))
        x = np.ones((16, 1, 100_000), np.float32)
        tracker = spark.sparkContext._jsc.sc().statusTracker()

        def busy():
            return sum(executor.numRunningTasks() for executor in tracker.getExecutorInfos())

        pressed = []
        def press():
            while busy() < 2:
                time.sleep(0.2)
            time.sleep(8)  # until both are in it
            pressed.append(time.monotonic())
            os.kill(os.getpid(), signal.SIGINT)

        threading.Thread(target=press, daemon=True).start()
        try:
            net.fit(x, x, progress=False)
        except KeyboardInterrupt:
            ended = time.monotonic()
        while busy():
            time.sleep(0.05)
        free = time.monotonic()
        count = spark.range(0, 2, 1, 2).count()
        print(json.dumps({{
            "ended": ended - pressed[0],
            "free": free - pressed[0],
            "again": time.monotonic() - pressed[0],
            "count": count,
        }}))
        spark.stop()
        """,
        timeout=280,
        SPARK_HOME=str(spark_home),
    )
    found = json.loads(out.strip().splitlines()[-1])
    assert found["ended"] < 2
    assert found["free"] < 5  # killed after 2 s, seen to be gone a little later
    assert found["count"] == 2
