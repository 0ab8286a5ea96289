"""Executors that fail as they start are an error with what they said; executors that take their time are waited for, and the log says so."""

import os
import signal

import pytest
from lab.processes import kill

FIT = """
    import logging
    import threading

    class Say(logging.Handler):
        def emit(self, record):
            say("logged", text=record.getMessage())

    logging.getLogger("pydl4j.jvm.jobs").addHandler(Say())
    spark = session(**{settings})
    x, x_test, y, y_test = digits()
    net = on_spark(spark, master={master!r}, num_workers=2)
    before = fingerprint(net.network)
    began = time.monotonic()
    say("begins")
    try:
        history = net.fit(x, y, progress=False)
        say("result", examples=history["examples"], given=len(x))
    except dl.errors.ExecutorLostError as error:
        say("result", message=error.message, worker_log=error.worker_log, seconds=time.monotonic() - began,
            same=fingerprint(net.network) == before)
    except KeyboardInterrupt:
        say("result", seconds=time.monotonic() - began)
    spark.stop()
"""


def fit(master="averaging", **settings):
    return FIT.format(master=master, settings={f"spark.executor.{name}": value for name, value in settings.items()})


@pytest.mark.parametrize(
    ("kind", "master"),
    [
        ("local-cluster", "averaging"),
        pytest.param("local-cluster", "shared", marks=pytest.mark.nightly),
        pytest.param("standalone", "averaging", marks=pytest.mark.nightly),
    ],
)
def test_a_bad_java_option_is_an_error_that_says_so(lab, kind, master):
    result = lab(kind).driver(fit(master, extraJavaOptions="-javaagent:/no/such.jar")).result()
    assert result["message"].startswith("there is no executor, and ")
    assert "failed as they started. Executor " in result["message"]
    assert "Error opening zip file or JAR manifest missing : /no/such.jar" in result["message"]
    assert result["worker_log"].startswith("executor ")
    assert "Error opening zip file or JAR manifest missing : /no/such.jar" in result["worker_log"]
    assert result["seconds"] < 30
    assert result["same"]


@pytest.mark.nightly
def test_a_cluster_that_has_no_room_yet_is_waited_for(lab):
    cluster = lab("standalone")
    driver = cluster.driver(fit(memory="3g"))
    for _ in range(2):
        said = driver.hear("logged", timeout=60)["text"]
        assert said.startswith("pydl4j: fit: waiting for executors since ")
        assert said.endswith(" s: none is there, 0 failed to start")
    cluster.standalone.daemons["worker0"].kill()
    cluster.standalone.memory = "4g"
    cluster.standalone.start_worker(0)
    result = driver.result()
    assert result["examples"] == [result["given"]]


@pytest.mark.nightly
@pytest.mark.parametrize("master", ["averaging", "shared"])
def test_ctrl_c_while_executors_are_waited_for(lab, master):
    cluster = lab("standalone")
    driver = cluster.driver(fit(master, memory="3g"))
    driver.hear("logged", timeout=60)
    os.kill(driver.pid, signal.SIGINT)
    assert driver.result(timeout=2)["seconds"] > 10


@pytest.mark.nightly
def test_replaced_executors_that_do_not_find_their_jar(lab):
    """They register before they look for it."""
    cluster = lab("local-cluster")
    driver = cluster.driver(
        """
        import pathlib, shutil
        jar = pathlib.Path(os.environ["PYDL4J_LAB_ROOT"], "more.jar")
        shutil.make_archive(str(jar), "zip", os.environ["PYDL4J_LAB_SHARED"])
        pathlib.Path(f"{jar}.zip").rename(jar)
        spark = session(**{"spark.jars": str(jar)})
        x, x_test, y, y_test = digits()
        net = on_spark(spark)
        net.fit(x, y, progress=False)
        jar.unlink()
        say("ready")
        while lost_executors(spark) < 2:
            time.sleep(0.1)
        began = time.monotonic()
        try:
            net.fit(x, y, epochs=1000, progress=False)
        except dl.errors.ExecutorLostError as error:
            say("result", message=error.message, worker_log=error.worker_log, seconds=time.monotonic() - began)
        """
    )
    driver.hear("ready")
    for executor in cluster.executors():
        kill(executor.pid)
    result = driver.result()
    assert "failed as they started" in result["message"]
    assert "more.jar" in result["worker_log"]
    assert result["seconds"] < 30
