"""Disks that are full and files that are damaged: an error that says so, and a session and a network that can be used."""

import pytest
from conftest import need
from lab import mounts

BIG = """
    spark = session()
    x, x_test, y, y_test = digits()
    net = on_spark(spark)
    before = fingerprint(net.network)
    big, labels = np.tile(x, (20, 1)), np.tile(y, 20)
"""

AFTERWARDS = """
    after = fingerprint(net.network)
    roomy = SparkDl4jMultiLayer(spark, net.network, averaging(export_directory=os.environ["TMPDIR"]))
    history = roomy.fit(x, y, epochs=3, validation=(x_test, y_test), progress=False)
    say("result", untouched=after == before, examples=history["examples"], given=len(x),
        accuracy=history[-1].validation_accuracy, left=os.listdir(SHARED))
    spark.stop()
"""


def usable(result):
    assert result["untouched"]
    assert result["examples"] == [result["given"]] * 3
    assert result["accuracy"] > 0.9
    assert result["left"] == []


@pytest.mark.parametrize("kind", ["local", pytest.param("local-cluster", marks=pytest.mark.nightly)])
@pytest.mark.parametrize("source", ["arrays", "frame"])
def test_no_room_for_the_examples(lab, kind, source):
    need(mounts.missing())
    cluster = lab(kind)
    data = {
        "arrays": "big, labels",
        "frame": 'frame(spark, big, labels), "y", features="x"',
    }[source]
    script = f"""
    try:
        net.fit({data}, progress=False)
    except dl.errors.DL4JError as error:
        say("full", type=type(error).__name__, message=error.message)
    """
    driver = cluster.driver(BIG + script + AFTERWARDS, prefix=mounts.small(cluster.root / "shared", "1m"))
    said = driver.hear("full")
    assert said["type"] == "SparkError"
    assert "No space left on device" in said["message"]
    assert "export_directory" in said["message"]
    usable(driver.result())


def test_no_room_for_sparks_own_files(lab):
    """Workers' states are shuffled, to be averaged in groups."""
    need(mounts.missing())
    cluster = lab("local")
    script = """
    spark = session()
    x, x_test, y, y_test = digits()
    net = on_spark(spark, num_workers=16, averaging_frequency=1)
    before = fingerprint(net.network)
    try:
        net.fit(x, y, progress=False)
    except dl.errors.SparkError as error:
        say("full", message=error.message)
    """
    driver = cluster.driver(script + AFTERWARDS, prefix=mounts.small(cluster.root / "local", "200k"))
    message = driver.hear("full")["message"]
    assert message.startswith("a disk of an executor is full: ")
    assert "No space left on device" in message
    assert "spark.local.dir" in message
    usable(driver.result())
