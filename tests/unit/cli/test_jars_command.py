"""``pydl4j jars``: what it prints and how it ends."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from pydl4j import cli
from pydl4j.jvm import jars, lock


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        cli.main(list(arguments))
    return int(ended.value.code or 0)


@pytest.fixture
def no_jars(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PYDL4J_JARS", str(tmp_path))
    monkeypatch.setattr(jars, "cache_dir", lambda: tmp_path / "cache")
    return tmp_path


@pytest.mark.parametrize("command", ["fetch", "verify", "path"])
def test_a_missing_jar_is_one_line_and_exit_code_1(
    command: str, no_jars: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("jars", command) == 1
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert error.startswith("pydl4j: ")
    assert f"is missing: expected {no_jars}" in error


def test_the_portable_engine_is_fetched_beside_this_machines(
    no_jars: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(jars, "fetch", lambda *sets, repository: asked.extend(sets) or [])
    monkeypatch.setattr(lock, "native_set", lambda *, portable=False: "any CPU" if portable else "this CPU")
    assert run("jars", "fetch", "--portable") == 0
    assert asked == ["core", "standalone", "spark", "this CPU", "any CPU"]
    assert capsys.readouterr().out == f"0 jars are in {no_jars}, all as in the lock file\n"


@pytest.mark.usefixtures("no_jars")
def test_an_unknown_set_is_exit_code_1(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("jars", "fetch", "cuda") == 1
    assert "no set of jars is called 'cuda'" in capsys.readouterr().err


def test_an_unknown_command_is_exit_code_2() -> None:
    assert (
        subprocess.run(
            [sys.executable, "-c", "from pydl4j.cli import main; main()", "jars", "fetsch"],
            capture_output=True,
            check=False,
        ).returncode
        == 2
    )


def test_list_tells_sets_sizes_and_what_is_here(no_jars: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (no_jars / "byteunits-0.9.1.jar").touch()
    assert run("jars", "list") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("core (this machine): ")
    assert [line.split()[0] for line in lines if "byteunits:0.9.1" in line] == ["here"]
    assert [line.split()[0] for line in lines if ":slf4j-api:" in line] == ["-"]


def test_list_for_programs(no_jars: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (no_jars / "byteunits-0.9.1.jar").touch()
    assert run("jars", "list", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["folder"] == str(no_jars)
    assert set(told["used"]) <= set(told["sets"])
    assert [jar["file"] for jar in told["sets"]["core"] if jar["here"]] == ["byteunits-0.9.1.jar"]


def test_a_bundle_of_nothing_that_is_here(no_jars: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("jars", "bundle", str(no_jars / "jars.zip")) == 1
    assert "is missing: expected" in capsys.readouterr().err
    assert run("jars", "fetch", "--bundle", "jars.zip") == 1
    assert "unzip the bundle there" in capsys.readouterr().err


@pytest.mark.usefixtures("no_jars")
def test_cleaning_tells_what_was_removed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old = tmp_path / "cache" / "jars" / "a-0.9.jar"
    old.parent.mkdir(parents=True)
    old.touch()
    assert run("jars", "clean", "--dry-run") == 0
    assert capsys.readouterr().out == f"{old}\n1 would be removed\n"
    assert run("jars", "clean") == 0
    assert capsys.readouterr().out == f"{old}\n1 removed\n"
    assert not old.exists()


def test_the_command_line_loads_neither_jvm_nor_spark() -> None:
    code = "import sys; from pydl4j.cli import app; print([m for m in ('jpype', 'py4j', 'pyspark', 'jgo') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
