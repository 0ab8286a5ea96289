"""The JVM's options: what is computed, what is overridden, what is refused."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pydl4j.errors import ConfigError, JvmAlreadyStartedError, UnknownOptionError
from pydl4j.jvm import engine, options
from pydl4j.jvm.options import JvmOptions, configure_jvm, jvm_options

GIB = 1 << 30


@pytest.fixture(autouse=True)
def not_started(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(options._State, "options", JvmOptions())
    monkeypatch.setattr(options._State, "started", False)
    return


@pytest.mark.parametrize(
    ("memory", "heap", "off_heap"),
    [(16 * GIB, 4 * GIB, 8 * GIB), (1 * GIB, GIB // 2, GIB // 2), (256 * GIB, 8 * GIB, 128 * GIB)],
)
def test_memory_is_shared_out(memory: int, heap: int, off_heap: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(options, "_memory", lambda: memory)
    flags = JvmOptions().flags()
    assert f"-Xmx{heap}" in flags
    assert f"-Dorg.bytedeco.javacpp.maxbytes={off_heap}" in flags
    assert "-Dorg.bytedeco.javacpp.maxphysicalbytes=0" in flags


def test_where_memory_is_unknown_the_jvm_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(options, "_memory", lambda: None)
    assert not [flag for flag in JvmOptions().flags() if flag.startswith("-Xmx") or "maxbytes" in flag]


def test_a_containers_limit_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    limit = tmp_path / "memory.max"
    monkeypatch.setattr(options, "_LIMITS", (str(limit), str(tmp_path / "none")))
    limit.write_text("max\n")
    machine = options._memory()
    assert machine is not None
    limit.write_text("123456\n")
    assert options._memory() == 123456


def test_given_sizes_are_taken() -> None:
    flags = JvmOptions(heap="3g", off_heap="512m").flags()
    assert "-Xmx3g" in flags
    assert "-Dorg.bytedeco.javacpp.maxbytes=512m" in flags


def test_the_engine_is_quiet_and_has_its_helpers() -> None:
    flags = JvmOptions().flags()
    assert "-Dorg.nd4j.log.initialization=false" in flags
    assert "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn" in flags
    assert "-Dorg.eclipse.deeplearning4j.helpers.disable=false" in flags
    assert "-Dorg.slf4j.simpleLogger.defaultLogLevel=debug" in JvmOptions(log_level="debug").flags()
    assert "-Dorg.eclipse.deeplearning4j.helpers.disable=true" in JvmOptions(helpers=False).flags()


def test_own_flags_come_last_so_that_they_win() -> None:
    assert JvmOptions(heap="1g", extra=["-Xmx2g"]).flags()[-1] == "-Xmx2g"  # type: ignore[arg-type]


def test_threads_are_an_environment() -> None:
    assert "OMP_NUM_THREADS" not in JvmOptions().env()
    assert JvmOptions(threads=2).env() == engine.environment(2)


def test_a_class_archive_is_used_where_it_fits_and_never_complained_about() -> None:
    flags = JvmOptions(class_archive=Path("/x.jsa")).flags()
    assert "-XX:SharedArchiveFile=/x.jsa" in flags
    assert "-Xshare:auto" in flags


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("heap", "4 gigabytes", r"jvm\.heap: expected a size like '512m' or '4g', got '4 gigabytes'"),
        ("off_heap", 4, r"jvm\.off_heap: expected a size like '512m' or '4g', got 4"),
        ("threads", 0, r"jvm\.threads: expected a positive number, got 0"),
        ("log_level", "loud", r"jvm\.log_level: expected one of off, error, warn, info, debug, trace, got 'loud'"),
        ("extra", "-Xmx2g", r"jvm\.extra: expected a sequence of options, got the text '-Xmx2g'"),
    ],
)
def test_wrong_values_are_refused(option: str, value: object, message: str) -> None:
    with pytest.raises(ConfigError, match=message) as caught:
        configure_jvm(**{option: value})
    assert caught.value.path == f"jvm.{option}"


def test_calls_of_configure_jvm_add_up() -> None:
    configure_jvm(heap="2g")
    configure_jvm(threads=1)
    assert (jvm_options().heap, jvm_options().threads) == ("2g", 1)


def test_an_unknown_option_is_refused_with_the_nearest() -> None:
    with pytest.raises(UnknownOptionError, match=r"jvm\.heep: no such option \(did you mean 'heap'\?\)"):
        configure_jvm(heep="2g")


def test_after_the_start_options_are_fixed() -> None:
    jvm_options(starting=True)
    with pytest.raises(JvmAlreadyStartedError, match="call configure_jvm before the first network is made"):
        configure_jvm(heap="2g")
