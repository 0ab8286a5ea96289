"""How the JVM in this process is started: options computed from the machine, each of which can be overridden."""

import os
import re
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Literal, get_args

from pydl4j.errors import ConfigError, JvmAlreadyStartedError, UnknownOptionError, suggestion
from pydl4j.jvm import engine

__all__ = ["JvmOptions", "LogLevel", "configure_jvm", "jvm_options"]

LogLevel = Literal["off", "error", "warn", "info", "debug", "trace"]

_SIZE = re.compile(r"\d+[kmgt]?", re.IGNORECASE)
_MIB = 1 << 20
_GIB = 1 << 30
# limits of a container (cgroup v2, v1)
_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")


@dataclass(frozen=True, kw_only=True)
class JvmOptions:
    """Options of a JVM that runs DL4J in this process.

    ``None`` leaves a choice to pydl4j. Sizes are numbers of bytes as text, with an optional unit: ``"512m"``, ``"4g"``.
    """

    heap: str | None = None
    """Java heap (``-Xmx``); default: a quarter of the memory, from 512 MiB to 8 GiB. Arrays do not live there."""
    off_heap: str | None = None
    """Memory for arrays that Java allocates; default: half of the memory. Arrays made by numpy do not count."""
    threads: int | None = None
    """Threads of the engine (OpenMP, OpenBLAS); default: one per core."""
    log_level: LogLevel = "warn"
    """What DL4J and ND4J log on standard error, from this level on."""
    helpers: bool = True
    """Use oneDNN for convolution, subsampling, batch normalization and LRN, where it gives DL4J's own results."""
    class_archive: Path | None = None
    """A class data sharing archive (Java 13 and newer) made with ``-XX:ArchiveClassesAtExit``; shortens the start."""
    extra: tuple[str, ...] = field(default=())
    """More options for the JVM, after pydl4j's own, so that they win."""

    def __post_init__(self) -> None:
        for name in ("heap", "off_heap"):
            value = getattr(self, name)
            if value is not None and not (isinstance(value, str) and _SIZE.fullmatch(value)):
                raise ConfigError(f"jvm.{name}: expected a size like '512m' or '4g', got {value!r}", path=f"jvm.{name}")
        if self.threads is not None and (type(self.threads) is not int or self.threads < 1):
            raise ConfigError(f"jvm.threads: expected a positive number, got {self.threads!r}", path="jvm.threads")
        if self.log_level not in get_args(LogLevel):
            raise ConfigError(
                f"jvm.log_level: expected one of {', '.join(get_args(LogLevel))}, got {self.log_level!r}",
                path="jvm.log_level",
            )
        extra: object = self.extra
        if isinstance(extra, str):
            raise ConfigError(
                f"jvm.extra: expected a sequence of options, got the text {self.extra!r}", path="jvm.extra"
            )
        object.__setattr__(self, "extra", tuple(self.extra))

    def flags(self) -> list[str]:
        """Return the JVM's command line options, without the class path."""
        memory = _memory()
        heap = self.heap or (memory and str(min(max(memory // 4, 512 * _MIB), 8 * _GIB)))
        off_heap = self.off_heap or (memory and str(memory // 2))
        flags = [f"-Xmx{heap}"] if heap else []
        flags += [f"-Dorg.bytedeco.javacpp.maxbytes={off_heap}"] if off_heap else []
        flags += [
            # JavaCPP would count the memory of the whole process, Python's too, and refuse to allocate
            "-Dorg.bytedeco.javacpp.maxphysicalbytes=0",
            f"-Dorg.eclipse.deeplearning4j.helpers.disable={str(not self.helpers).lower()}",
            "-Dorg.nd4j.log.initialization=false",
            f"-Dorg.slf4j.simpleLogger.defaultLogLevel={self.log_level}",
            # DL4J would write a report into the working directory
            "-Dorg.deeplearning4j.crash.reporting.enabled=false",
            "-Djava.awt.headless=true",
        ]
        if self.class_archive is not None:
            flags += [
                f"-XX:SharedArchiveFile={self.class_archive}",
                "-Xshare:auto",
                "-Xlog:cds=off",
                "-Xlog:cds+dynamic=off",
            ]
        return [*flags, *self.extra]

    def env(self) -> dict[str, str]:
        """Return the environment that must be set before the engine is loaded."""
        return engine.environment(self.threads)


class _State:
    options = JvmOptions()
    started = False


def configure_jvm(**options: Any) -> JvmOptions:
    """Override options of the JVM before it starts; those not named keep what they were.

    Args:
        **options: fields of `JvmOptions`: ``heap``, ``off_heap``, ``threads``, ``log_level``, ``helpers``,
            ``class_archive``, ``extra``.

    Raises:
        JvmAlreadyStartedError: the JVM runs; it can be started only once in a process.
        UnknownOptionError: an option that there is not.
        ConfigError: a value that cannot be.
    """
    if _State.started:
        raise JvmAlreadyStartedError(
            "the JVM of this process has started and its options are fixed: "
            "call configure_jvm before the first network is made, or start Python anew"
        )
    known = [item.name for item in fields(JvmOptions)]
    for name in options:
        if name not in known:
            raise UnknownOptionError(
                f"jvm.{name}: no such option{suggestion(name, known)}; expected one of: {', '.join(known)}",
                path=f"jvm.{name}",
            )
    _State.options = replace(_State.options, **options)
    return _State.options


def jvm_options(*, starting: bool = False) -> JvmOptions:
    """Return the options in force; with ``starting``, fix them because a JVM is being started with them."""
    _State.started = _State.started or starting
    return _State.options


def _memory() -> int | None:
    """Return the bytes of the machine, or of its container where that is less; None where unknown (Windows)."""
    sizes: list[int] = []
    with suppress(AttributeError, ValueError, OSError):
        sizes.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    for name in _LIMITS:
        with suppress(OSError, ValueError):  # no such file, or "max"
            sizes.append(int(Path(name).read_text(encoding="ascii")))
    return min(sizes, default=None)
