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
@pytest.mark.parametrize("master", ["averaging", "shared"])
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


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("master", ["averaging", "shared"])
@pytest.mark.parametrize("ahead", [2, pytest.param(0, marks=pytest.mark.nightly)])
def test_the_third_file_is_damaged(lab, kind, master, ahead):
    """Found by the loader, with and without a thread that reads ahead; the fit ends with an error and does not hang."""
    script = """
    from pydl4j.spark import save_dataset
    uri = "file:" + SHARED + "/prepared"
    save_dataset(
        frame(spark, x, y).repartition(6), uri, "y", features="x", network=net.network, batch_size=32, progress=False
    )
    files = sorted(path for path in Path(SHARED, "prepared").iterdir() if path.suffix == ".arrow")
    whole = files[2].read_bytes()
    files[2].write_bytes(whole[:200] + bytes(16) + whole[216:])
    try:
        net.fit(uri, progress=False, shuffle=False)
    except dl.errors.DataError as error:
        say("refused", message=error.message, file=str(files[2]), count=len(files))
    files[2].write_bytes(whole)
    assert net.fit(uri, progress=False)[0].examples == len(x)
    before = fingerprint(net.network)
    """
    options = {"worker_prefetch_num_batches": ahead}
    driver = lab(kind).driver(START.format(master=master, options=options) + script + AFTERWARDS)
    said = driver.hear("refused")
    assert said["count"] == 6
    assert said["file"] in said["message"]
    assert "its contents are not what was written" in said["message"]
    usable(driver.result(), ["prepared"])
