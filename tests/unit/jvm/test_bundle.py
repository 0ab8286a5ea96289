"""Jars in one file, for machines without a network; and a cache that is cleaned."""

import zipfile
from pathlib import Path

import pytest
from fake_maven import FakeMaven

from pydl4j.errors import JarError
from pydl4j.jvm import bundle, jars
from pydl4j.jvm.lock import native_set


def everything() -> tuple[str, ...]:
    return ("core", "standalone", native_set())


@pytest.fixture
def packed(maven: FakeMaven, tmp_path: Path) -> Path:
    target = tmp_path / "jars.zip"
    assert bundle.pack(target, *everything()) == target.stat().st_size
    return target


def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with nothing, and no network."""
    monkeypatch.setattr(jars, "cache_dir", lambda: tmp_path / "elsewhere")
    monkeypatch.setenv("PYDL4J_MAVEN_REPOSITORY", "http://127.0.0.1:1")


def test_a_bundle_brings_the_jars_to_a_machine_without_a_network(
    packed: Path, maven: FakeMaven, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere(tmp_path, monkeypatch)
    found = bundle.unpack(packed, *everything())
    assert [path.name for path in found] == ["a-1.0.jar", "b-1.0.jar", "n-1.0.jar"]
    assert found[0].read_bytes() == maven.jars["a"]
    assert jars.class_path()[1:] == found


def test_an_unzipped_bundle_is_a_folder_of_jars(packed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    elsewhere(tmp_path, monkeypatch)
    with zipfile.ZipFile(packed) as opened:
        opened.extractall(tmp_path / "unzipped")
    monkeypatch.setenv("PYDL4J_JARS", str(tmp_path / "unzipped"))
    assert len(jars.class_path()) == 4
    with pytest.raises(JarError, match="PYDL4J_JARS names a folder, which is never written to"):
        bundle.unpack(packed, *everything())


def test_bundles_of_the_same_jars_are_the_same_bytes(packed: Path, tmp_path: Path) -> None:
    for path in jars.fetch(*everything()):
        path.touch()
    bundle.pack(tmp_path / "again.zip", *everything())
    assert (tmp_path / "again.zip").read_bytes() == packed.read_bytes()


def test_a_damaged_jar_in_a_bundle_is_refused(packed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    elsewhere(tmp_path, monkeypatch)
    with zipfile.ZipFile(tmp_path / "wrong.zip", "w") as wrong, zipfile.ZipFile(packed) as right:
        for name in right.namelist():
            wrong.writestr(name, right.read(name) if name != "b-1.0.jar" else right.read(name)[::-1])
    with pytest.raises(JarError, match=r"b-1\.0\.jar is not the jar of the lock file: expected sha256"):
        bundle.unpack(tmp_path / "wrong.zip", *everything())
    assert sorted(path.name for path in jars.jar_dir().glob("[!.]*")) == ["a-1.0.jar"]


def test_a_bundle_without_a_jar_says_what_to_do(packed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    elsewhere(tmp_path, monkeypatch)
    with zipfile.ZipFile(tmp_path / "less.zip", "w") as less, zipfile.ZipFile(packed) as whole:
        less.writestr("a-1.0.jar", whole.read("a-1.0.jar"))
    with pytest.raises(
        JarError, match=r"b-1\.0\.jar is not in .*less\.zip: make the bundle with this version of pydl4j"
    ):
        bundle.unpack(tmp_path / "less.zip", *everything())


@pytest.mark.usefixtures("maven")
def test_what_is_no_bundle_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("notes")
    for path in ("notes.txt", "nothing.zip"):
        with pytest.raises(JarError, match=rf"expected a bundle of `pydl4j jars bundle`\. Received: .*{path}"):
            bundle.unpack(tmp_path / path, *everything())


@pytest.mark.usefixtures("maven")
def test_a_bundle_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(JarError, match="the bundle cannot be written to"):
        bundle.pack(tmp_path / "no" / "such" / "folder.zip", *everything())
    (tmp_path / "taken").mkdir()
    with pytest.raises(JarError, match="the bundle cannot be written to"):
        bundle.pack(tmp_path / "taken", *everything())
    assert not list(tmp_path.glob("*.part"))


@pytest.mark.usefixtures("maven")
def test_cleaning_keeps_what_this_version_needs() -> None:
    kept = jars.fetch(*everything())
    old, part = jars.jar_dir() / "a-0.9.jar", jars.jar_dir() / ".part-x"
    old.touch()
    part.mkdir()
    assert bundle.clean(dry_run=True) == sorted([old, part])
    assert old.exists()
    assert bundle.clean() == sorted([old, part])
    assert all(path.exists() for path in kept)
    assert not old.exists()
    assert not part.exists()
    assert bundle.clean(everything=True) == sorted(kept)
    assert bundle.clean() == []


@pytest.mark.usefixtures("maven")
def test_there_is_nothing_to_clean_without_a_cache() -> None:
    assert bundle.clean() == []
