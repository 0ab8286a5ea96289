"""Spans from what driver and executors tell, by clocks that may be off. No Java."""

from typing import Any

import pytest

from pydl4j import plot
from pydl4j.errors import DataError
from pydl4j.spark.stats import TrainingStats


def worker(number: int, executor: str, began: float, **times: float) -> dict[str, Any]:
    phases = {"receive": 0.1, "load": 0.2, "fit": 0.5, "drain": 0.0, "serialize": 0.1} | times
    return {
        "worker": number,
        "executor": executor,
        "host": f"host{executor}",
        "began": began,
        "ended": began + sum(phases.values()),
        "minibatches": 5,
        "bytes": 40,
        **phases,
    }


def one_round(began: float, *workers: dict[str, Any]) -> dict[str, Any]:
    return {"began": began, "broadcast": 0.1, "wait": 1.2, "average": 0.05, "bytes": 80, "workers": list(workers)}


def test_clocks_that_are_right_are_left_alone() -> None:
    stats = TrainingStats()
    stats.add(1, [one_round(1000.0, worker(0, "0", 1000.2), worker(1, "1", 1000.3))])
    assert stats.offsets == {"0": 0.0, "1": 0.0}
    driver = [(s.phase, round(s.start, 6), round(s.seconds, 6)) for s in stats if s.worker is None]
    assert driver == [("broadcast", 0, 0.1), ("wait", 0.1, 1.1), ("gather", 1.2, 0.1), ("average", 1.3, 0.05)]
    second = [(s.phase, round(s.start, 6)) for s in stats if s.worker == 1]
    assert second == [("receive", 0.3), ("load", 0.4), ("fit", 0.6), ("serialize", 1.1)]
    assert [s.minibatches for s in stats if s.phase == "fit"] == [5, 5]


@pytest.mark.parametrize("off", [-3600.0, 2.0, 86400.0])
def test_a_clock_that_is_off_is_set_right(off: float) -> None:
    stats = TrainingStats()
    stats.add(1, [one_round(1000.0, worker(0, "7", 1000.25 + off))])
    stats.add(2, [one_round(1010.0, worker(0, "7", 1010.2 + off))])
    assert stats.offsets["7"] == pytest.approx(off, abs=0.1)
    for span in stats:
        begin = 0.1 if span.epoch == 1 else 10.1
        assert span.worker is None or begin <= span.start < begin + 1.2


def test_a_timeline_has_a_lane_for_each() -> None:
    stats = TrainingStats()
    stats.add(1, [one_round(1000.0, worker(0, "0", 1000.2), worker(1, "1", 1000.3))])
    ax = plot.timeline(stats)
    assert [text.get_text() for text in ax.get_yticklabels()] == [
        "driver",
        "worker 0 (executor 0)",
        "worker 1 (executor 1)",
    ]
    legend = ax.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == [
        "broadcast",
        "wait",
        "gather",
        "average",
        "receive",
        "load",
        "fit",
        "serialize",
    ]
    assert len(ax.collections) == 4 + 2 * 4
    assert ax.get_xlabel() == "seconds"


def test_nothing_to_draw() -> None:
    with pytest.raises(DataError, match=r"stats: expected at least one span to draw.*collect_training_stats=True"):
        plot.timeline(TrainingStats())
