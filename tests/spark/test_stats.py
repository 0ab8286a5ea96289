"""Training stats: measured by driver and workers, without any other clock."""

import pytest
from local_spark import X, Y, on_spark

from pydl4j import plot


def test_spans_of_driver_and_workers(spark):
    net = on_spark(spark, collect_training_stats=True)
    history = net.fit(X, Y, epochs=2, progress=False)
    stats = net.training_stats
    table = stats.to_pandas()
    assert set(table[table.worker.isna()].phase) == {"broadcast", "wait", "gather", "average"}
    workers = table[table.worker.notna()]
    assert set(workers.phase) == {"receive", "load", "fit", "serialize"}
    assert set(workers.worker) == {0, 1}
    assert set(workers.executor) == {"driver"}  # it is the driver's JVM
    fits = workers[workers.phase == "fit"]
    assert fits.groupby("epoch").minibatches.sum().to_list() == [10, 10]  # 150 examples in minibatches of 16
    assert set(table["round"]) == {1, 2, 3}
    assert (table.seconds >= 0).all()
    for epoch in history:
        here = table[table.epoch == epoch.number]
        spent = here.start.max() - here.start.min()
        assert spent < epoch.seconds
        assert fits[fits.epoch == epoch.number].seconds.sum() < 2 * epoch.seconds
    parameters = net.network.params.nbytes
    assert set(workers[workers.phase == "serialize"].bytes) == {3 * parameters}  # Adam keeps two numbers for each
    assert stats.offsets == {"driver": 0.0}
    assert "driver   broadcast" in stats.summary()
    assert "workers  fit" in stats.summary()
    lanes = [text.get_text() for text in plot.timeline(stats).get_yticklabels()]
    assert lanes == ["driver", "worker 0", "worker 1"]


@pytest.mark.parametrize("approach", [None, "direct"])
def test_without_being_asked_nothing_is_kept(spark, approach):
    net = on_spark(spark, rdd_training_approach=approach)
    net.fit(X, Y, progress=False)
    assert len(net.training_stats) == 0
    assert repr(net.training_stats) == "TrainingStats()"


def test_rounds_of_dl4js_own_master(spark):
    net = on_spark(spark, rdd_training_approach="direct", collect_training_stats=True)
    net.fit(X, Y, progress=False)
    assert [span.phase for span in net.training_stats] == ["wait"] * 3
