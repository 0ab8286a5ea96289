"""One local Spark session for all tests of this folder; scripts of their own for what needs another."""

from pathlib import Path

import pytest
from local_spark import QUIET
from pyspark.sql import SparkSession

from pydl4j.spark import configure


def pytest_collection_modifyitems(items):
    for item in items:
        if (
            item.path.parent == Path(__file__).parent
        ):  # pyspark leaves the socket of a collect() to the garbage collector
            item.add_marker(pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning"))


@pytest.fixture(scope="session")
def spark():
    builder = SparkSession.builder.master("local[2]")
    for key, value in QUIET.items():
        builder.config(key, value)
    session = configure(builder).getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()
