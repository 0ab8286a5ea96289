"""Gradient sharing on clusters that lose executors, packets and room: an error that says what, or the whole result, never a quietly worse one."""

import socket
import time
from contextlib import ExitStack

import pytest
from conftest import need
from lab import mounts
from lab.processes import kill

EPOCHS = 8
REPEATS = 20  # of the examples: long epochs, so that it is not between two of them that something happens

FIT = f"""
    spark = session()
    x, x_test, y, y_test = digits()
    x, y = np.tile(x, ({REPEATS}, 1)), np.tile(y, {REPEATS})
    net = on_spark(spark, master="shared")
    ended = {{0: fingerprint(net.network)}}

    def remember(epoch):
        ended[epoch.number] = fingerprint(net.network)
        say_epochs(epoch)

    def train():
        return net.fit(
            x, y, epochs={EPOCHS}, checkpoint=SHARED + "/checkpoints", resume=True, progress=False, callbacks=[remember]
        )

    try:
        history = train()
        say("whole")
    except dl.errors.ExecutorLostError as error:
        put_back = fingerprint(net.network) == ended[max(ended)]
        say("lost", message=error.message, worker_log=error.worker_log, put_back=put_back)
        wait_for_slots(spark, 2)
        history = train()
    say("result", epochs=history["number"], counts=net.counts, given=len(x),
        accuracy=net.evaluate(x_test, y_test).accuracy)
    spark.stop()
"""


def assert_as_if_undisturbed(result, in_process):
    for counts in result["counts"]:
        assert counts["given"] == counts["loaded"] == counts["trained"] == result["given"]
        assert counts["sent"] == counts["applied"] >= result["given"] / 32
    assert result["epochs"][-1] == EPOCHS
    assert result["accuracy"] >= in_process("multilayer", 40) - 0.02


def kill_executor(cluster):
    kill(cluster.executors()[0].pid)


def kill_host(cluster):
    cluster.net.kill_host(1)
    cluster.standalone.start_worker(0)


def cut_cable(cluster):
    cluster.net.cable(1, plugged=False)
    time.sleep(25)
    cluster.net.cable(1, plugged=True)


@pytest.mark.parametrize(
    ("kind", "harm"),
    [
        ("local-cluster", kill_executor),
        *[
            pytest.param(*cell, marks=pytest.mark.nightly)
            for cell in [
                ("standalone", kill_executor),
                ("hosts", kill_executor),
                ("hosts", kill_host),
                ("hosts", cut_cable),
            ]
        ],
    ],
)
def test_a_lost_executor_is_an_error_soon_and_training_goes_on_in_another(lab, in_process, kind, harm):
    cluster = lab(kind)
    driver = cluster.driver(FIT)
    driver.hear("epoch", number=3)
    began = time.monotonic()
    harm(cluster)
    lost = driver.hear("lost", "whole", timeout=40)
    assert lost["said"] == "lost"
    assert time.monotonic() - began < (15 if harm is not cut_cable else 40)
    assert lost["put_back"]
    assert "put back to where it was before the epoch" in lost["message"]
    assert "checkpoints" in lost["message"]
    assert lost["worker_log"].startswith("executor ")
    if harm is kill_executor:
        assert " said last: " in lost["message"]
        assert " INFO Executor: " in lost["worker_log"]
    else:  # nobody is there to show the log
        assert " is at http://10.99.0." in lost["message"]
    assert_as_if_undisturbed(driver.result(), in_process)


@pytest.mark.nightly
def test_a_cable_that_is_out_for_a_moment(lab, in_process):
    cluster = lab("hosts")
    driver = cluster.driver(FIT)
    driver.hear("epoch", number=3)
    cluster.net.cable(1, plugged=False)
    time.sleep(3)
    cluster.net.cable(1, plugged=True)
    assert_as_if_undisturbed(driver.result(), in_process)


@pytest.mark.nightly
@pytest.mark.parametrize("share", [0.01, 0.05])
def test_packets_that_are_lost_on_the_network(lab, in_process, share):
    cluster = lab("hosts")
    cluster.net.lose(share)
    driver = cluster.driver(FIT)
    driver.hear("whole", timeout=400)
    assert_as_if_undisturbed(driver.result(), in_process)
    assert cluster.net.lost() > 20


REFUSED = """
    from pydl4j.spark import VoidConfiguration
    spark = session()
    wait_for_slots(spark, 2)
    x, x_test, y, y_test = digits()
    net = on_spark(spark, master="shared", void_configuration=VoidConfiguration(**{options!r}))
    before = fingerprint(net.network)
    began = time.monotonic()
    try:
        net.fit(x, y, progress=False)
    except dl.errors.SparkError as error:
        say("refused", message=error.message, seconds=time.monotonic() - began, untouched=fingerprint(net.network) == before)
    later = on_spark(spark, master="shared")
    history = later.fit(x, y, epochs=2, progress=False)
    say("result", examples=history["examples"], given=len(x))
    spark.stop()
"""


def taken(port):
    """Holds a UDP port and those after it."""
    held = ExitStack()
    for number in range(port, port + 3):
        held.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)).bind(("127.0.0.1", number))
    return held


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"unicast_port": 42311, "port_range": 2}, ["42311", "127.0.0.1"]),
        ({"network_mask": "203.0.113.0/24"}, ["network_mask 203.0.113.0/24", "127.0.0.1"]),
    ],
)
def test_a_network_that_cannot_be_used_is_refused_soon(lab, options, expected):
    cluster = lab("local-cluster")
    with taken(42311):
        driver = cluster.driver(REFUSED.format(options=options))
        refused = driver.hear("refused")
        assert all(part in refused["message"] for part in expected)
        assert refused["seconds"] < 10
        assert refused["untouched"]
        result = driver.result()
    assert result["examples"] == [result["given"]] * 2


@pytest.mark.nightly
def test_ports_that_are_taken_are_passed_over(lab):
    cluster = lab("local-cluster")
    with taken(42311):
        said = cluster.driver(
            """
            from pydl4j.spark import VoidConfiguration
            spark = session()
            x, x_test, y, y_test = digits()
            net = on_spark(spark, master="shared", void_configuration=VoidConfiguration(unicast_port=42311, port_range=9))
            history = net.fit(x, y, epochs=2, progress=False)
            say("result", examples=history["examples"], given=len(x))
            spark.stop()
            """
        ).result()
    assert said["examples"] == [said["given"]] * 2


@pytest.mark.nightly
def test_64_megabytes_of_shared_memory(lab, in_process):
    """As containers have them."""
    need(mounts.missing())
    cluster = lab("local-cluster")
    driver = cluster.driver(FIT, prefix=mounts.small("/dev/shm", "64m"))
    driver.hear("whole")
    assert_as_if_undisturbed(driver.result(), in_process)


def test_no_room_in_shared_memory_is_refused_soon(lab):
    need(mounts.missing())
    cluster = lab("local-cluster")
    script = """
    spark = session()
    wait_for_slots(spark, 2)
    x, x_test, y, y_test = digits()
    net = on_spark(spark, master="shared")
    began = time.monotonic()
    try:
        net.fit(x, y, progress=False)
    except dl.errors.SparkError as error:
        say("refused", message=error.message, seconds=time.monotonic() - began)
    history = on_spark(spark).fit(x, y, epochs=2, progress=False)
    say("result", examples=history["examples"], given=len(x))
    spark.stop()
    """
    full = mounts.small("/dev/shm", "1m") + mounts.small(cluster.temporary, "1m")  # where it looks next
    driver = cluster.driver(script, prefix=full)
    refused = driver.hear("refused")
    assert "/dev/shm" in refused["message"]
    assert refused["seconds"] < 10
    result = driver.result()
    assert result["examples"] == [result["given"]] * 2
