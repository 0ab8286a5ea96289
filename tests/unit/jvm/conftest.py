"""A lock file of three small jars, the repository that has them, and an empty cache."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fake_maven import FakeMaven

from pydl4j.jvm import jars, lock


@pytest.fixture
def maven(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeMaven]:
    fake = FakeMaven()
    fake.write_lock(tmp_path / "jars.lock")
    monkeypatch.setattr(lock, "_LOCK_FILES", (tmp_path / "jars.lock",))
    monkeypatch.setattr(jars, "bridge_jar", lambda: tmp_path / "bridge.jar")
    monkeypatch.setattr(jars, "cache_dir", lambda: tmp_path / "cache")
    monkeypatch.setenv("PYDL4J_MAVEN_REPOSITORY", fake.url)
    monkeypatch.delenv("PYDL4J_JARS", raising=False)
    lock._lock.cache_clear()
    yield fake
    lock._lock.cache_clear()
    fake.close()
