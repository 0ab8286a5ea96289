"""Fetching, checking and using the jars, against a Maven repository on the loopback."""

import os
import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from fake_maven import FakeMaven

from pydl4j.errors import JarError
from pydl4j.jvm import jars
from pydl4j.jvm.lock import native_set


def everything() -> tuple[str, ...]:
    return ("core", "standalone", native_set())


def test_fetched_jars_make_a_class_path_with_the_bridge_first(maven: FakeMaven) -> None:
    fetched = jars.fetch(*everything())
    assert [path.name for path in fetched] == ["a-1.0.jar", "b-1.0.jar", "n-1.0.jar"]
    assert [path.name for path in jars.class_path()] == ["bridge.jar", "a-1.0.jar", "b-1.0.jar", "n-1.0.jar"]
    assert fetched[0].read_bytes() == maven.jars["a"]


def test_what_is_there_is_not_fetched_again(maven: FakeMaven) -> None:
    jars.fetch(*everything())
    jars.fetch(*everything())
    assert maven.asked == {"a": 1, "b": 1, "n": 1}


@pytest.mark.usefixtures("maven")
def test_a_missing_jar_is_named_with_its_place_and_the_remedy() -> None:
    with pytest.raises(
        JarError, match=r"a-1\.0\.jar is missing: expected .*cache/jars/a-1\.0\.jar; run `pydl4j jars fetch`"
    ):
        jars.class_path()


@pytest.mark.usefixtures("maven")
def test_a_missing_engine_for_other_cpus_is_fetched_by_an_option(monkeypatch: pytest.MonkeyPatch) -> None:
    jars.fetch("core", "standalone")
    portable = native_set()
    monkeypatch.setattr(jars, "native_set", lambda: "this machine's")
    with pytest.raises(JarError, match=r"n-1\.0\.jar is missing: .*; run `pydl4j jars fetch --portable`"):
        jars.class_path(native=portable)


def test_an_interrupted_download_is_tried_again(maven: FakeMaven) -> None:
    maven.cut["a"] = 2
    jars.fetch(*everything())
    assert maven.asked["a"] == 3


def test_a_download_that_never_ends_whole_is_an_error_and_leaves_nothing(maven: FakeMaven) -> None:
    maven.cut["b"] = 99
    with pytest.raises(JarError, match=rf"b-1\.0\.jar could not be fetched from {re.escape(maven.url)} \(3 attempts\)"):
        jars.fetch(*everything())
    assert sorted(path.name for path in jars.jar_dir().glob("[!.]*")) == ["a-1.0.jar"]
    assert list(jars.jar_dir().glob(".part-*")) == []


def test_after_a_failure_fetch_goes_on_where_it_was(maven: FakeMaven) -> None:
    maven.cut["b"] = 3
    with pytest.raises(JarError):
        jars.fetch(*everything())
    jars.fetch(*everything())
    assert maven.asked == {"a": 1, "b": 4, "n": 1}


def test_other_bytes_than_the_lock_files_are_refused(maven: FakeMaven) -> None:
    maven.wrong["a"] = 99
    with pytest.raises(JarError, match=r"expected sha256 [0-9a-f]{64}, found [0-9a-f]{64}; check the network"):
        jars.fetch(*everything())
    assert not (jars.jar_dir() / "a-1.0.jar").exists()


def test_what_a_killed_process_left_is_swept(maven: FakeMaven) -> None:
    left = jars.jar_dir() / ".part-left" / "repository" / "a-1.0.jar"
    left.parent.mkdir(parents=True)
    left.write_bytes(b"half")
    jars.fetch(*everything())
    assert not left.exists()


def test_an_unreachable_repository_is_named(maven: FakeMaven, monkeypatch: pytest.MonkeyPatch) -> None:
    maven.close()
    monkeypatch.setattr(jars, "_ATTEMPTS", 1)
    with pytest.raises(
        JarError, match=r"could not be fetched from http://127\.0\.0\.1:\d+/maven2 .*Connection refused"
    ):
        jars.fetch(*everything())


@pytest.mark.usefixtures("maven")
def test_a_truncated_jar_is_found_at_the_start_and_mended_by_fetch() -> None:
    path = jars.fetch(*everything())[0]
    whole = path.read_bytes()
    path.write_bytes(whole[:100])
    with pytest.raises(
        JarError, match=rf"a-1\.0\.jar is not the jar of the lock file: expected {len(whole)} bytes, found 100; run"
    ):
        jars.class_path()
    jars.fetch(*everything())
    assert path.read_bytes() == whole


@pytest.mark.usefixtures("maven")
def test_a_jar_changed_in_place_is_found_at_the_start() -> None:
    path = jars.fetch(*everything())[0]
    jars.class_path()
    path.write_bytes(path.read_bytes()[::-1])  # the same size, another time of modification
    with pytest.raises(JarError, match=r"expected sha256 [0-9a-f]{64}, found [0-9a-f]{64}; run `pydl4j jars fetch`"):
        jars.class_path()


@pytest.mark.usefixtures("maven")
def test_verify_reads_what_the_start_takes_on_trust() -> None:
    path = jars.fetch(*everything())[0]
    before = path.stat()
    path.write_bytes(path.read_bytes()[::-1])
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    jars.class_path()
    with pytest.raises(JarError, match="expected sha256"):
        jars.verify("core")


@pytest.mark.usefixtures("maven")
def test_a_warm_start_reads_no_jar(monkeypatch: pytest.MonkeyPatch) -> None:
    jars.fetch(*everything())
    monkeypatch.setattr(jars, "_sha256", lambda path: pytest.fail(f"{path} was read"))
    assert len(jars.class_path()) == 4


@pytest.mark.usefixtures("maven")
@pytest.mark.parametrize("damaged", ["", "[1]", "{"])
def test_a_damaged_stamp_file_only_costs_time(damaged: str) -> None:
    jars.fetch(*everything())
    (jars.cache_dir() / "verified.json").write_text(damaged)
    assert len(jars.class_path()) == 4


def test_a_folder_given_by_the_user_is_used_and_never_written(
    maven: FakeMaven, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "offline"
    folder.mkdir()
    for name, body in maven.jars.items():
        (folder / f"{name}-1.0.jar").write_bytes(body)
    monkeypatch.setenv("PYDL4J_JARS", str(folder))
    before = sorted(folder.iterdir())
    assert [path.parent for path in jars.class_path()[1:]] == [folder] * 3
    assert jars.fetch("core") == [folder / "a-1.0.jar", folder / "b-1.0.jar"]
    assert sorted(folder.iterdir()) == before
    assert not maven.asked


@pytest.mark.parametrize("use", [jars.class_path, lambda: jars.fetch("core")])
def test_a_folder_that_lacks_a_jar_is_an_error(
    use: object, maven: FakeMaven, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a-1.0.jar").write_bytes(maven.jars["a"])
    monkeypatch.setenv("PYDL4J_JARS", str(tmp_path))
    with pytest.raises(
        JarError, match=r"b-1\.0\.jar is missing: expected .*; put it into .*, which PYDL4J_JARS names, or unset"
    ):
        use()  # type: ignore[operator]


def test_many_fetch_at_once_and_one_downloads(maven: FakeMaven) -> None:
    failures = []

    def fetch() -> None:
        try:
            jars.fetch(*everything())
        except JarError as error:
            failures.append(error)

    threads = [threading.Thread(target=fetch) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert maven.asked == {"a": 1, "b": 1, "n": 1}


def test_processes_that_fetch_at_once_wait_for_each_other(maven: FakeMaven, tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from pydl4j.jvm import jars, lock; lock._LOCK_FILES = (Path(sys.argv[1]),);"
        "jars.fetch('core')"
    )
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "xdg"), "HOME": str(tmp_path)}
    command = [sys.executable, "-c", code, str(tmp_path / "jars.lock")]
    running = [subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    said = [process.communicate(timeout=60)[1] for process in running]
    assert [process.returncode for process in running] == [0, 0], said
    assert maven.asked == {"a": 1, "b": 1}


@pytest.mark.usefixtures("maven")
def test_progress_is_told_in_plain_lines_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    jars.fetch("core")
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "fetching 2 jars, 0.1 MB"
    assert re.fullmatch(r"fetched 2 jars in \d+\.\d s", lines[-1])


@pytest.mark.usefixtures("maven")
def test_an_unknown_set_is_refused_with_the_known_ones() -> None:
    with pytest.raises(JarError, match="no set of jars is called 'cuda'; expected one of: core, standalone, spark"):
        jars.fetch("cuda")


def test_beside_spark_its_own_jars_are_left_out() -> None:
    assert "standalone" in jars.sets_for("core")
    assert "standalone" not in jars.sets_for("core", "spark")


def test_a_package_without_its_bridge_says_how_to_build_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jars, "__version__", "0.0.0")
    with pytest.raises(
        JarError, match=r"the bridge jar is missing: expected .*pydl4j-bridge-0\.0\.0\.jar; .*scripts/setup"
    ):
        jars.bridge_jar()
