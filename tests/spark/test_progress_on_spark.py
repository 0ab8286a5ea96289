"""What is told of a fit on Spark while it runs, and how it is stopped."""

from itertools import pairwise

import numpy as np
import pytest
from local_spark import X, Y, iris, on_spark

import pydl4j as dl
from pydl4j.errors import ConfigError


class Notes(dl.TrainingListener):
    def __init__(self):
        self.heard = []

    def on_epoch_start(self, epoch):
        self.heard.append(("start", epoch))

    def on_progress(self, progress):
        self.heard.append(("progress", progress))

    def on_epoch_end(self, epoch):
        self.heard.append(("end", epoch.number))

    def on_checkpoint(self, uri):
        self.heard.append(("checkpoint", uri.rpartition("/")[2]))

    def on_fit_end(self, history):
        self.heard.append(("fit", len(history)))


def expected(epochs):
    for number in range(1, epochs + 1):
        yield ("start", number)
        yield ("checkpoint", f"epoch-0000{number}.zip")
        yield ("end", number)
    yield ("fit", epochs)


def test_listeners_hear_on_spark_what_they_hear_in_process(spark, tmp_path):
    for fit in (on_spark(spark).fit, dl.MultiLayerNetwork(iris()).fit):
        notes = Notes()
        fit(X, Y, epochs=2, callbacks=[notes], checkpoint=tmp_path / fit.__qualname__, progress=False)
        assert [note for note in notes.heard if note[0] != "progress"] == list(expected(2))


def test_progress_counts_minibatches_of_the_epoch(spark):
    notes = Notes()
    net = on_spark(spark, batch_size_per_worker=1, averaging_frequency=1)
    net.fit(np.tile(X, (4, 1)), np.tile(Y, 4), callbacks=[notes], progress=False)
    progress = [note[1] for note in notes.heard if note[0] == "progress"]
    assert progress
    for seen in progress:
        assert seen.minibatches == 600
        assert seen.minibatch == seen.examples
        assert seen.minibatch % 2 == 0
        assert (seen.workers, seen.executors) == (2, None)
        assert seen.examples_per_second == pytest.approx(seen.examples / seen.seconds)
    assert [seen.minibatch for seen in progress] == sorted({seen.minibatch for seen in progress})
    times = [seen.seconds for seen in progress]
    assert all(later - earlier > 0.09 for earlier, later in pairwise(times))


class StopError(Exception):
    pass


@pytest.mark.parametrize("when", ["on_epoch_start", "on_epoch_end", "on_progress", "on_fit_end"])
def test_an_exception_in_a_listener_ends_the_fit(spark, when):
    def stop(self, _):
        raise StopError

    listener = type("Stops", (dl.TrainingListener,), {when: stop})()
    net = on_spark(spark)
    with pytest.raises(StopError):
        net.fit(X, Y, epochs=1 if when == "on_fit_end" else 10_000, callbacks=[listener], progress=False)
    assert spark.sparkContext.statusTracker().getActiveJobsIds() == []
    assert net.fit(X, Y, progress=False)[0].examples == 150


def test_what_is_no_listener_is_refused_before_training(spark):
    net = on_spark(spark)
    before = net.network.params.copy()
    with pytest.raises(ConfigError, match=r"callbacks: expected functions"):
        net.fit(X, Y, callbacks=[3], progress=False)
    np.testing.assert_array_equal(net.network.params, before)


def test_javas_listeners_hear_of_epochs(spark, tmp_path):
    net = on_spark(spark)
    jvm = spark.sparkContext._jvm
    builder = jvm.org.deeplearning4j.optimize.listeners.CheckpointListener.Builder(str(tmp_path))
    heard = jvm.java.util.ArrayList()
    heard.add(builder.keepAll().saveEveryNEpochs(1).build())
    net.network._java.setListeners(heard)
    net.fit(X, Y, epochs=2, progress=False)
    assert len(list(tmp_path.glob("checkpoint_*.zip"))) == 2
