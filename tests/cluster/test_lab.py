"""The lab itself: every kind of cluster runs a driver, and leaves nothing behind."""

import pytest

TRAIN = """
    spark = session()
    x, x_test, y, y_test = digits()
    net = on_spark(spark)
    history = net.fit(x, y, epochs=3, validation=(x_test, y_test), progress=False, callbacks=[say_epochs])
    say("result", examples=history["examples"], accuracy=history[-1].validation_accuracy, given=len(x))
    spark.stop()
"""


@pytest.mark.parametrize("kind", ["local", "local-cluster", "standalone", "hosts"])
def test_a_driver_trains(lab, kind):
    cluster = lab(kind)
    driver = cluster.driver(TRAIN)
    driver.hear("epoch", number=1)
    if kind != "local":
        assert len(cluster.executors()) == 2
    result = driver.result()
    assert result["examples"] == [result["given"]] * 3
    assert result["accuracy"] > 0.8
