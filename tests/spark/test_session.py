"""Sessions: what configure gives them, what attach adds to them, which are refused."""

import logging
import types
from pathlib import Path

import pytest
from local_spark import X, on_spark, run_script
from pyspark import SparkContext
from pyspark.sql import SparkSession

from pydl4j.errors import SparkConnectError, SparkError, SparkVersionError
from pydl4j.jvm import spark_gateway
from pydl4j.spark import attach, configure

HERE = str(Path(__file__).parent)


@pytest.fixture
def no_session(monkeypatch):
    monkeypatch.setattr(SparkContext, "_active_spark_context", None)


def options(builder: SparkSession.Builder) -> dict[str, str]:
    return builder._options


def builder(**settings: str) -> SparkSession.Builder:
    made = SparkSession.Builder()
    made._options = {}  # pyspark's builders share theirs
    for key, value in settings.items():
        made.config(key.replace("_", "."), value)
    return made


def test_configure_adds_to_what_is_there(no_session):
    own = {
        "spark.driver.extraClassPath": "/own.jar",
        "spark.driver.extraJavaOptions": "-Down=1",
        "spark.locality.wait": "1s",
    }
    made = builder(**{"spark.master": "local[2]"})
    for key, value in own.items():
        made.config(key, value)
    assert configure(made) is made
    found = options(made)
    path = found["spark.driver.extraClassPath"].split(":")
    assert path[0] == "/own.jar"
    assert "pydl4j-bridge" in path[1]
    assert found["spark.executor.extraClassPath"].split(":") == path[1:]
    assert "-Dorg.bytedeco.javacpp.maxphysicalbytes=0" in found["spark.driver.extraJavaOptions"]
    assert found["spark.driver.extraJavaOptions"].endswith("-Down=1")
    assert "-Xmx" not in found["spark.executor.extraJavaOptions"] + found["spark.driver.extraJavaOptions"]
    assert found["spark.locality.wait"] == "1s"
    assert found["spark.task.reaper.enabled"] == "true"
    assert "spark.serializer" not in found
    assert "spark.driver.host" not in found


def test_configure_twice_is_configure_once(no_session):
    made = configure(builder(spark_master="local[2]"))
    once = dict(options(made))
    assert options(configure(made)) == once


def test_configure_registers_arrays_where_kryo_is_used(no_session):
    made = configure(builder(spark_serializer="org.apache.spark.serializer.KryoSerializer"))
    assert options(made)["spark.kryo.registrator"] == "org.pydl4j.spark.ArrayRegistrator"


def test_off_heap_memory_of_executors(no_session):
    found = options(configure(builder(spark_master="local[2]"), off_heap="2g"))
    assert "-Dorg.bytedeco.javacpp.maxbytes=2g" in found["spark.executor.extraJavaOptions"]
    assert found["spark.executor.memoryOverhead"] == "2432m"
    with pytest.raises(SparkError, match=r"off_heap: expected a size like '512m' or '4g'. Received: 'lots'"):
        configure(builder(), off_heap="lots")


def test_configure_comes_too_late_for_a_running_session(spark):
    with pytest.raises(SparkError, match=r"already runs in this process.*Use pydl4j.spark.attach\(spark\)"):
        configure(SparkSession.builder)


def test_attach_to_a_configured_session_does_nothing(spark, caplog):
    with caplog.at_level(logging.WARNING, "pydl4j"):
        assert attach(attach(spark)) is spark
    assert caplog.records == []


def test_spark_connect_is_refused():
    remote = type("SparkSession", (), {"__module__": "pyspark.sql.connect.session"})()
    with pytest.raises(SparkConnectError, match="its JVM is on the server"):
        attach(remote)
    with pytest.raises(SparkConnectError):
        on_spark(remote)


def test_spark_4_is_refused():
    context = types.SimpleNamespace(
        _jsc=types.SimpleNamespace(sc=lambda: types.SimpleNamespace(isStopped=lambda: False))
    )
    newer = types.SimpleNamespace(sparkContext=context, version="4.0.1")
    with pytest.raises(SparkVersionError, match=r"Received: Spark 4.0.1"):
        attach(newer)


def test_cancelled_by_ctrl_c_within_two_seconds():
    out = run_script(
        f"""
        import os, signal, threading, time
        signal.signal(signal.SIGINT, signal.default_int_handler)  # where tests run in the background it is ignored
        import numpy as np
        from pyspark.sql import SparkSession
        import sys; sys.path.insert(0, {HERE!r})
        from local_spark import QUIET, X, Y, on_spark
        from pydl4j.spark import configure
        builder = SparkSession.builder.master("local[2]")
        for key, value in QUIET.items():
            builder.config(key, value)
        spark = configure(builder).getOrCreate()
        spark.sparkContext.setLogLevel("OFF")
        net = on_spark(spark)
        sent = []
        def interrupt(epoch):
            if epoch.number == 2:
                threading.Timer(0.2, lambda: (sent.append(time.monotonic()), os.kill(os.getpid(), signal.SIGINT))).start()
        try:
            net.fit(X, Y, epochs=100_000, progress=False, callbacks=[interrupt])
        except KeyboardInterrupt:
            print("stopped after", time.monotonic() - sent[0])
        assert np.isfinite(net.network.params).all()
        print("again", net.fit(X, Y, progress=False)[0].examples)
        spark.stop()
        try:
            net.fit(X, Y, progress=False)
        except Exception as error:
            print(type(error).__name__, error)
        try:
            on_spark(spark)
        except Exception as error:
            print(type(error).__name__)
        """,
        timeout=150,
    )
    lines = out.strip().splitlines()
    assert float(lines[0].removeprefix("stopped after ")) < 2
    assert lines[1] == "again 150"
    assert lines[2].startswith("SparkSessionStoppedError this SparkSession was stopped")
    assert lines[3] == "SparkSessionStoppedError"


def test_attach_to_a_session_that_knows_nothing_of_pydl4j():
    out = run_script(
        f"""
        import logging, sys
        logging.basicConfig(stream=sys.stdout, format="%(name)s: %(message)s")
        sys.path.insert(0, {HERE!r})
        from pyspark.sql import SparkSession
        from local_spark import QUIET, X, Y, on_spark
        from pydl4j.errors import JarError
        from pydl4j.spark import attach
        builder = SparkSession.builder.master("local[2]")
        for key, value in QUIET.items():
            builder.config(key, value)
        spark = builder.getOrCreate()
        spark.sparkContext.setLogLevel("OFF")
        try:
            on_spark(spark)
        except JarError as error:
            print("JarError", error)
        attach(spark)
        attach(spark)
        print(on_spark(spark).fit(X, Y, epochs=15, validation=(X, Y), progress=False)[-1].validation_accuracy)
        spark.stop()
        """,
        timeout=150,
    )
    assert "JarError org.pydl4j.Bridge.version is not on the Spark driver's class path" in out
    assert "pydl4j.spark.attach(spark)" in out
    assert "can no longer be changed in this session" in out
    assert "spark.locality.wait=0s (workers of a round wait" in out
    assert float(out.strip().splitlines()[-1]) > 0.9


def test_arrays_of_nd4j_survive_kryo(spark):
    gateway = spark_gateway(spark)
    jvm = spark.sparkContext._jvm
    conf = (
        spark.sparkContext._jsc.sc().conf().clone().set("spark.kryo.registrator", "org.pydl4j.spark.ArrayRegistrator")
    )
    serializer = jvm.org.apache.spark.serializer.KryoSerializer(conf).newInstance()
    tag = getattr(getattr(jvm.scala.reflect, "ClassTag$"), "MODULE$").AnyRef()
    array = gateway.put(X[:5])
    for source in (array, array.transpose(), jvm.org.nd4j.linalg.factory.Nd4j.scalar(3.5)):
        back = serializer.deserialize(serializer.serialize(source, tag), tag)
        assert back.equals(source)


def test_configure_after_a_session_without_pydl4j_was_stopped():
    out = run_script(
        """
        from pyspark.sql import SparkSession
        from pydl4j.spark import configure
        SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate().stop()
        try:
            configure(SparkSession.builder.master("local[1]"))
        except Exception as error:
            print(type(error).__name__, error)
        """,
        timeout=120,
    )
    assert out.startswith(
        "SparkError the JVM of an earlier SparkSession still runs in this process, without pydl4j's jars"
    )


def test_off_heap_memory_of_local_workers_is_the_drivers(no_session):
    made = configure(builder(**{"spark.master": "local[2]"}), off_heap="3g")
    assert options(made)["spark.driver.extraJavaOptions"].count("javacpp.maxbytes=") == 1
    assert "-Dorg.bytedeco.javacpp.maxbytes=3g" in options(made)["spark.driver.extraJavaOptions"]


@pytest.mark.parametrize("wrong", [None, "local[2]", SparkSession.builder])
def test_what_is_no_session_is_refused(wrong):
    with pytest.raises(SparkError, match=r"expected a SparkSession, as .* Received: (NoneType|str|Builder)"):
        attach(wrong)
