"""Clusters for the tests of this folder; see lab/."""

import os
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from lab import netlab
from lab.cluster import cluster


@pytest.fixture(scope="session")
def clusters(spark_home):
    """``clusters(kind)`` is a cluster for a ``with`` statement."""

    def make(kind):
        if kind == "hosts":
            need(netlab.missing())
        return cluster(kind, spark_home)

    return make


@pytest.fixture
def lab(clusters):
    """``lab(kind)`` starts a cluster; it is stopped when the test has ended."""
    with ExitStack() as running:
        yield lambda kind: running.enter_context(clusters(kind))


def need(missing: str | None) -> None:
    """Skip the test where something is missing; a nightly run must have all, so there it fails."""
    if missing is not None:
        (pytest.fail if os.environ.get("PYDL4J_NIGHTLY") else pytest.skip)(missing)
