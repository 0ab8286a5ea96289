"""Examples that cannot be trained on and files that are damaged, in the middle of a fit on a cluster."""

import pytest

KINDS = ["local", pytest.param("local-cluster", marks=pytest.mark.nightly)]

START = """
    spark = session()
    x, x_test, y, y_test = digits()
    net = on_spark(spark, master={master!r}, **{options!r})
    net.fit(x, y, progress=False)
    before = fingerprint(net.network)
"""

AFTERWARDS = """
    after = fingerprint(net.network)
    history = net.fit(x, y, epochs=3, validation=(x_test, y_test), progress=False)
    say("result", untouched=after == before, examples=history["examples"], given=len(x),
        accuracy=history[-1].validation_accuracy, left=sorted(os.listdir(SHARED)))
    spark.stop()
"""


def usable(result, left=()):
    assert result["untouched"]
    assert result["examples"] == [result["given"]] * 3
    assert result["accuracy"] > 0.9
    assert result["left"] == list(left)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("master", ["averaging"])
def test_a_minibatch_that_makes_the_score_nan(lab, kind, master):
    script = """
    bad = x.copy()
    bad[700] = 3e38  # finite, but not what the first layer makes of it
    try:
        net.fit(bad, y, epochs=5, progress=False, callbacks=[say_epochs])
    except dl.errors.NaNScoreError as error:
        say("refused", message=error.message)
    """
    driver = lab(kind).driver(START.format(master=master, options={}) + script + AFTERWARDS)
    message = driver.hear("refused")["message"]
    assert "put back to where it was before the epoch" in message
    assert not any(event["said"] == "epoch" for event in driver.said)
    usable(driver.result())
