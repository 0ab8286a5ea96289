"""One JVM for all tests of this folder: a process can have only one."""

import pytest

from pydl4j.jvm import Gateway, gateway


@pytest.fixture(scope="session")
def jvm() -> Gateway:
    return gateway()
