"""Clusters for the tests of this folder; see lab/."""

import os
import sys
from contextlib import ExitStack
from pathlib import Path
from statistics import median

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from lab import netlab
from lab.cluster import cluster

SEEDS = (1, 2, 3)

IN_PROCESS = """
    x, x_test, y, y_test = digits()
    accuracies = []
    for seed in {seeds}:
        net = network({network!r}, seed)
        net.fit(x, y, batch_size=32, epochs={epochs}, progress=False)
        accuracies.append(net.evaluate(x_test, y_test).accuracy)
    say("result", accuracies=accuracies)
"""


@pytest.fixture(scope="session")
def clusters(spark_home):
    """``clusters(kind)`` is a cluster for a ``with`` statement."""

    def make(kind):
        if kind == "hosts":
            need(netlab.missing())
        return cluster(kind, spark_home)

    return make


@pytest.fixture(scope="session")
def in_process(clusters):
    """Accuracy of a network that is trained for so many epochs in one process: the median over the seeds."""
    known = {}

    def accuracy(network, epochs):
        if (network, epochs) not in known:
            script = IN_PROCESS.format(seeds=SEEDS, epochs=epochs, network=network)
            with clusters("local") as cluster:
                known[network, epochs] = median(cluster.driver(script).result()["accuracies"])
        return known[network, epochs]

    return accuracy


@pytest.fixture
def lab(clusters):
    """``lab(kind)`` starts a cluster; it is stopped when the test has ended."""
    with ExitStack() as running:
        yield lambda kind: running.enter_context(clusters(kind))


def need(missing: str | None) -> None:
    """Skip the test where something is missing; a nightly run must have all, so there it fails."""
    if missing is not None:
        (pytest.fail if os.environ.get("PYDL4J_NIGHTLY") else pytest.skip)(missing)
