"""Parameter averaging on clusters that lose executors, workers, hosts and cables: it costs time and nothing else."""

import re
import time

import pytest
from lab.processes import kill, wait_until

EPOCHS = 10

FIT = f"""
    spark = session()
    x, x_test, y, y_test = digits()
    calm = on_spark(spark)
    calm.fit(x, y, epochs={EPOCHS}, progress=False)
    net = on_spark(spark)
    history = net.fit(x, y, epochs={EPOCHS}, validation=(x_test, y_test), progress=False, callbacks=[say_epochs])
    same = fingerprint(net.network) == fingerprint(calm.network)
    say(
        "result",
        given=len(x),
        examples=history["examples"],
        accuracy=history[-1].validation_accuracy,
        same=same,
        lost=lost_executors(spark),
        output=list(net.output(x_test).shape),
        again=net.fit(x, y, progress=False)[0].examples,
    )
    spark.stop()
"""


def kill_executor(cluster):
    kill(cluster.executors()[0].pid)


def kill_worker(cluster):
    cluster.standalone.daemons["worker0"].kill()


def kill_and_replace_worker(cluster):
    kill_worker(cluster)
    cluster.standalone.start_worker(0)


def kill_master(cluster):
    cluster.standalone.daemons["master"].kill()


def kill_host(cluster):
    cluster.net.kill_host(1)


def cut_cable(cluster):
    cluster.net.cable(1, plugged=False)


def cut_cable_for_a_moment(cluster):
    cut_cable(cluster)
    time.sleep(3)
    cluster.net.cable(1, plugged=True)


def cut_cable_until_missed(cluster):
    """Executor and worker are given up, and come back."""
    cut_cable(cluster)
    time.sleep(25)
    cluster.net.cable(1, plugged=True)


HARMLESS = (kill_master, cut_cable_for_a_moment)  # to executors


@pytest.mark.parametrize(
    ("kind", "harm", "delay"),
    [
        ("local-cluster", kill_executor, 0),
        *[
            pytest.param("local-cluster", kill_executor, trial * 0.15, marks=pytest.mark.nightly)
            for trial in range(1, 9)
        ],
        *[
            pytest.param(kind, harm, 0, marks=pytest.mark.nightly)
            for kind, harm in [
                ("standalone", kill_executor),
                ("standalone", kill_worker),
                ("standalone", kill_and_replace_worker),
                ("standalone", kill_master),
                ("hosts", kill_executor),
                ("hosts", kill_host),
                ("hosts", cut_cable),
                ("hosts", cut_cable_for_a_moment),
                ("hosts", cut_cable_until_missed),
            ]
        ],
    ],
)
def test_every_example_is_trained_and_the_network_is_the_same(lab, kind, harm, delay):
    cluster = lab(kind)
    driver = cluster.driver(FIT)
    driver.hear("epoch", number=2)
    time.sleep(delay)
    harm(cluster)
    result = driver.result()
    assert result["examples"] == [result["given"]] * EPOCHS
    assert result["same"]
    assert (result["lost"] == 0) == (harm in HARMLESS)
    assert result["accuracy"] > 0.9
    assert result["output"] == [359, 10]
    assert result["again"] == result["given"]


@pytest.mark.nightly
def test_executors_that_die_again_and_again_are_an_error_and_the_session_stays_usable(lab):
    cluster = lab("local-cluster")
    driver = cluster.driver(
        """
        import threading
        spark = session()
        x, x_test, y, y_test = digits()
        net = on_spark(spark)
        threading.Thread(target=say_busy, args=[spark], daemon=True).start()
        try:
            net.fit(x, y, epochs=1000, progress=False)
        except dl.errors.ExecutorLostError as error:
            say("lost", message=error.message, worker_log=error.worker_log)
        history = net.fit(x, y, epochs=5, validation=(x_test, y_test), progress=False)
        say("result", examples=history["examples"], accuracy=history[-1].validation_accuracy, given=len(x))
        spark.stop()
        """
    )
    killed = 0
    while (said := driver.hear("busy", "lost"))["said"] == "busy":
        for executor in cluster.executors():
            kill(executor.pid)
            killed += 1
    assert "executors were lost more often than Spark repeats a task (spark.task.maxFailures)" in said["message"]
    assert re.search(r'Executor \d+ said last: ".+"', said["message"])
    assert re.match(r"executor \d+:\n", said["worker_log"])
    assert " INFO Executor: " in said["worker_log"]
    result = driver.result()
    assert killed > 4
    assert result["examples"] == [result["given"]] * 5
    assert result["accuracy"] > 0.9


@pytest.mark.parametrize("kind", ["local", pytest.param("standalone", marks=pytest.mark.nightly)])
def test_a_driver_that_is_killed_leaves_nothing(lab, kind):
    """The lab would find processes and temporary files that stayed."""
    cluster = lab(kind)
    driver = cluster.driver(
        "on_spark(session()).fit(*digits()[::2], epochs=1000, progress=False, callbacks=[say_epochs])"
    )
    driver.hear("epoch", number=2)
    assert list((cluster.root / "shared").iterdir()) != []
    driver.kill()
    wait_until("the end of the driver's JVM and of the executors", lambda: not cluster.of_application(), 15)
    assert list((cluster.root / "shared").iterdir()) == []


@pytest.mark.parametrize("kind", ["local", pytest.param("local-cluster", marks=pytest.mark.nightly)])
def test_a_session_that_is_stopped_during_a_fit(lab, kind):
    result = (
        lab(kind)
        .driver(
            """
            import threading
            spark = session()
            x, x_test, y, y_test = digits()
            net = on_spark(spark)

            stopper = threading.Timer(0.2, spark.stop)

            def stop(epoch):
                if epoch.number == 3:
                    stopper.start()

            errors = []
            for attempt in (lambda: net.fit(x, y, epochs=1000, progress=False, callbacks=[stop]), lambda: net.fit(x, y)):
                try:
                    attempt()
                except dl.errors.SparkSessionStoppedError as error:
                    errors.append(error.message)
            stopper.join()
            finite = bool(np.isfinite(net.network.params).all())
            later = SparkDl4jMultiLayer(session(), net.network, averaging())
            history = later.fit(x, y, epochs=3, validation=(x_test, y_test), progress=False)
            say("result", errors=errors, finite=finite, examples=history["examples"], given=len(x),
                accuracy=history[-1].validation_accuracy)
            """
        )
        .result()
    )
    assert len(result["errors"]) == 2
    assert all("this SparkSession was stopped" in message for message in result["errors"])
    assert result["finite"]
    assert result["examples"] == [result["given"]] * 3
    assert result["accuracy"] > 0.9


@pytest.mark.parametrize("kind", ["local", pytest.param("standalone", marks=pytest.mark.nightly)])
def test_a_drivers_jvm_that_is_killed_is_an_error_at_once(lab, kind):
    cluster = lab(kind)
    driver = cluster.driver(
        """
        spark = session()
        x, x_test, y, y_test = digits()
        say("jvm", pid=spark._jvm.java.lang.ProcessHandle.current().pid())
        try:
            on_spark(spark).fit(x, y, epochs=1000, progress=False, callbacks=[say_epochs])
        except dl.errors.DL4JError as error:
            say("result", type=type(error).__name__, message=error.message)
        """
    )
    pid = driver.hear("jvm")["pid"]
    driver.hear("epoch", number=2)
    began = time.monotonic()
    kill(pid)
    cluster.driver_was_killed = True
    result = driver.result()
    assert time.monotonic() - began < 10
    assert result["type"] == "SparkSessionStoppedError"
    assert "the Spark driver's JVM does not answer" in result["message"]
