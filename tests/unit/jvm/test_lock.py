"""The lock file of this version, and which native engine a machine gets."""

import platform
import re
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import pydl4j
from pydl4j.errors import JarError
from pydl4j.jvm import lock

POM = Path(__file__).parents[3] / "jars" / "pom.xml"
HASWELL = "avx2 bmi1 bmi2 f16c fma"
SKYLAKE_SERVER = HASWELL + " avx512bw avx512cd avx512dq avx512f avx512vl"


def pom(name: str) -> str:
    value = ET.parse(POM).findtext(f"{{*}}properties/{{*}}{name}")
    assert value is not None
    return value


def all_jars() -> tuple[lock.Jar, ...]:
    return lock.jars_of(*lock.set_names())


def test_the_pom_builds_this_version() -> None:
    assert pom("revision") == pydl4j.__version__


def test_the_lock_has_the_poms_versions() -> None:
    found = {jar.version for jar in all_jars() if jar.group in ("org.deeplearning4j", "org.nd4j", "org.datavec")}
    assert found == {pom("dl4j.version"), pom("dl4j.spark.version")}
    assert {jar.version for jar in all_jars() if jar.group == "org.slf4j"} == {pom("slf4j.version")}


def test_every_set_is_there() -> None:
    assert set(lock.set_names()) == {
        "core",
        "standalone",
        "spark",
        "linux-x86_64-onednn",
        "linux-x86_64-onednn-avx2",
        "linux-x86_64-onednn-avx512",
        "linux-arm64",
        "macosx-x86_64-onednn",
        "macosx-arm64",
        "windows-x86_64-onednn",
    }


def test_a_flat_folder_can_hold_all_jars() -> None:
    names = [jar.file_name for jar in all_jars()]
    assert len(set(names)) == len(names)


def test_every_jar_has_a_size_and_a_sha256() -> None:
    for jar in all_jars():
        assert jar.size > 0
        assert re.fullmatch("[0-9a-f]{64}", jar.sha256)
        assert jar.version in jar.file_name


def test_the_native_sets_bring_the_engine_and_what_it_stands_on() -> None:
    for name in lock.set_names()[3:]:
        assert {jar.artifact for jar in lock.jars_of(name)} == {
            "javacpp",
            "openblas",
            "nd4j-native",
            "nd4j-native-preset",
        }
        assert {jar.classifier for jar in lock.jars_of(name) if jar.group == "org.nd4j"} == {name}


@pytest.mark.parametrize(
    ("system", "machine", "flags", "expected"),
    [
        ("linux", "x86_64", "sse4_2 avx", "linux-x86_64-onednn"),
        ("linux", "x86_64", HASWELL, "linux-x86_64-onednn-avx2"),
        ("linux", "x86_64", SKYLAKE_SERVER, "linux-x86_64-onednn-avx512"),
        ("linux", "aarch64", "", "linux-arm64"),
        ("darwin", "arm64", "", "macosx-arm64"),
        ("darwin", "x86_64", "", "macosx-x86_64-onednn"),
        ("win32", "AMD64", "", "windows-x86_64-onednn"),
    ],
)
def test_the_engine_fits_the_machine(
    system: str, machine: str, flags: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(platform, "machine", lambda: machine)
    monkeypatch.setattr(lock, "_cpu_flags", lambda: set(flags.split()))
    assert lock.native_set() == expected
    assert lock.jars_of(expected)


def test_a_cluster_gets_the_engine_that_runs_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(platform, "machine", lambda: "x86_64")
    monkeypatch.setattr(lock, "_cpu_flags", lambda: set(SKYLAKE_SERVER.split()))
    assert lock.native_set(portable=True) == "linux-x86_64-onednn"


def test_a_machine_without_an_engine_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(platform, "machine", lambda: "riscv64")
    with pytest.raises(JarError, match="no native engine for linux on riscv64; expected Linux or macOS"):
        lock.native_set()


def test_a_package_without_its_lock_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(lock, "_LOCK_FILES", (tmp_path / "none",))
    lock._lock.cache_clear()
    try:
        with pytest.raises(JarError, match=r"the lock file is missing: expected .*none; install pydl4j again"):
            lock.set_names()
    finally:
        lock._lock.cache_clear()
