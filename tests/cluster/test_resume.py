"""Drivers that die: another one goes on from the last checkpoint, and ends where the first would have ended."""

import pytest
from conftest import need
from lab import mounts
from lab.processes import kill, wait_until

EPOCHS = 8

FIT = f"""
    spark = session()
    x, x_test, y, y_test = digits()
    net = on_spark(spark)
    history = net.fit(
        x, y, epochs={EPOCHS}, checkpoint=SHARED + "/checkpoints", resume=True, progress=False, callbacks=[say_epochs]
    )
    say("result", epochs=history["number"], examples=history["examples"], given=len(x),
        fingerprint=fingerprint(net.network), accuracy=net.evaluate(x_test, y_test).accuracy)
    spark.stop()
"""


def kill_python(cluster, driver):
    driver.kill()


def kill_all(cluster, driver):
    """As where the driver's machine fails."""
    cluster.driver_was_killed = True
    for process in cluster.of_application():
        kill(process.pid)


@pytest.mark.parametrize(
    ("kind", "harm"),
    [
        ("local", kill_python),
        pytest.param("local", kill_all, marks=pytest.mark.nightly),
        pytest.param("standalone", kill_python, marks=pytest.mark.nightly),
        pytest.param("hosts", kill_all, marks=pytest.mark.nightly),
    ],
)
def test_a_driver_that_is_killed_is_resumed_by_another(lab, kind, harm):
    cluster = lab(kind)
    undisturbed = cluster.driver(FIT.replace("/checkpoints", "/others")).result()
    driver = cluster.driver(FIT)
    driver.hear("epoch", number=3)
    harm(cluster, driver)
    wait_until("the end of the application", lambda: not cluster.of_application(), 30)
    resumed = cluster.driver(FIT).result()
    assert 0 < len(resumed["epochs"]) < EPOCHS
    assert resumed["epochs"][-1] == EPOCHS
    assert set(resumed["examples"]) == {resumed["given"]}
    assert resumed["fingerprint"] == undisturbed["fingerprint"]
    assert resumed["accuracy"] == undisturbed["accuracy"] > 0.9


def test_no_room_for_a_checkpoint(lab):
    need(mounts.missing())
    cluster = lab("local")
    full = cluster.root / "full"
    full.mkdir()
    script = """
    spark = session()
    x, x_test, y, y_test = digits()
    net = on_spark(spark)
    directory = os.environ["PYDL4J_LAB_ROOT"] + "/full"
    try:
        net.fit(x, y, epochs=9, checkpoint=directory, progress=False, callbacks=[say_epochs])
    except dl.errors.CheckpointError as error:
        say("full", message=error.message, files=os.listdir(directory))
    finite = bool(np.isfinite(net.network.params).all())
    say("result", finite=finite, examples=net.fit(x, y, progress=False)[0].examples, given=len(x))
    spark.stop()
    """
    driver = cluster.driver(script, prefix=mounts.small(full, "48k"))
    said = driver.hear("full")
    assert "No space left on device" in said["message"]
    assert str(full) in said["message"]
    assert all(name.endswith(".zip") and not name.startswith(".") for name in said["files"])
    result = driver.result()
    assert result["finite"]
    assert result["examples"] == result["given"]
