"""The lock file: which jars there are, in which sets, and how their bytes are known."""

import json
import platform
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pydl4j.errors import JarError

__all__ = ["Jar", "jars_of", "native_set", "set_names"]

_PACKAGE = Path(__file__).resolve().parents[1]
# one file in git; the wheel carries a copy inside the package
_LOCK_FILES = (_PACKAGE / "_jars.lock", _PACKAGE.parent / "jars" / "jars.lock")

_AVX2 = {"avx2", "bmi1", "bmi2", "f16c", "fma"}
_AVX512 = _AVX2 | {"avx512bw", "avx512cd", "avx512dq", "avx512f", "avx512vl"}
_ARM = ("aarch64", "arm64")


@dataclass(frozen=True, slots=True)
class Jar:
    """One line of the lock file."""

    group: str
    artifact: str
    version: str
    size: int
    sha256: str
    classifier: str = ""

    @property
    def file_name(self) -> str:
        """Its name in a Maven repository and in the cache: ``artifact-version[-classifier].jar``."""
        return "-".join(filter(None, (self.artifact, self.version, self.classifier))) + ".jar"

    @property
    def coordinates(self) -> str:
        """``group:artifact:version[:classifier]``."""
        return ":".join(filter(None, (self.group, self.artifact, self.version, self.classifier)))


def jars_of(*sets: str) -> tuple[Jar, ...]:
    """Return the jars of these sets, each once, in the order of the lock file.

    Raises:
        JarError: a set that the lock file does not have.
    """
    lock = _lock()
    for name in sets:
        if name not in lock:
            raise JarError(f"no set of jars is called {name!r}; expected one of: {', '.join(lock)}")
    return tuple(dict.fromkeys(jar for name in sets for jar in lock[name]))


def set_names() -> tuple[str, ...]:
    """Return the names of all sets: ``core``, ``standalone``, ``spark`` and one for each build of the native engine."""
    return tuple(_lock())


def native_set(*, portable: bool = False) -> str:
    """Return the set with the native engine for this machine.

    Args:
        portable: the build that runs on every CPU of this machine's kind, for a cluster whose machines may differ;
            by default the one that fits this CPU best.

    Raises:
        JarError: an operating system or processor for which DL4J publishes no engine.
    """
    system, machine = sys.platform, platform.machine().lower()
    if system == "linux" and machine in ("x86_64", "amd64"):
        return "linux-x86_64-onednn" + ("" if portable else _extension(_cpu_flags()))
    if system == "linux" and machine in _ARM:
        return "linux-arm64"
    if system == "darwin":
        return "macosx-arm64" if machine in _ARM else "macosx-x86_64-onednn"
    if system == "win32" and machine in ("x86_64", "amd64"):
        return "windows-x86_64-onednn"
    raise JarError(
        f"DL4J has no native engine for {system} on {machine}; "
        "expected Linux or macOS on x86-64 or arm64, or Windows on x86-64"
    )


def _extension(flags: set[str]) -> str:
    if flags >= _AVX512:
        return "-avx512"
    return "-avx2" if flags >= _AVX2 else ""


def _cpu_flags() -> set[str]:
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    return next((set(line.partition(":")[2].split()) for line in lines if line.startswith("flags")), set())


@cache
def _lock() -> dict[str, tuple[Jar, ...]]:
    file = next((path for path in _LOCK_FILES if path.is_file()), None)
    if file is None:
        raise JarError(f"the lock file is missing: expected {_LOCK_FILES[0]}; install pydl4j again")
    sets = json.loads(file.read_text(encoding="utf-8"))
    return {name: tuple(Jar(**jar) for jar in jars) for name, jars in sets.items()}
