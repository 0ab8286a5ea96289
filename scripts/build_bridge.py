"""Build hook: put the bridge jar, built by Maven, and the lock file into the package.

An editable install needs only the jar: it reads the lock file where git has it.
"""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

MAVEN = "Maven 3.6.3 or newer (Debian and Ubuntu: `apt-get install maven`)"
JDK = "a JDK 11 or 17 (Debian and Ubuntu: `apt-get install openjdk-17-jdk`; JAVA_HOME chooses one of several)"


class BuildBridge(BuildHookInterface[Any]):
    """Runs before the files of the package are collected."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name != "wheel":
            return
        root = Path(self.root)
        jar = root / "pydl4j" / "_jars" / f"pydl4j-bridge-{self.metadata.version}.jar"
        if is_stale(jar, root / "jars"):
            build(root, jar)
        build_data["artifacts"].append(jar.relative_to(root).as_posix())
        if version != "editable":
            build_data["force_include"][str(root / "jars" / "jars.lock")] = "pydl4j/_jars.lock"


def is_stale(jar: Path, sources: Path) -> bool:
    """Whether a source is newer than the jar, or there is no jar."""
    if not jar.is_file():
        return True
    files = [*sources.glob("pom.xml"), *sources.glob("bridge/pom.xml"), *sources.glob("bridge/src/main/**/*")]
    return max(file.stat().st_mtime for file in files) > jar.stat().st_mtime


def build(root: Path, jar: Path) -> None:
    check_tools()
    print("building the bridge jar with Maven (the first time, Maven downloads what it needs)", flush=True)
    command = ["mvn", "-q", "-B", "-f", str(root / "jars" / "pom.xml"), "package", "-DskipTests"]
    if subprocess.run(command, check=False).returncode:
        raise SystemExit(f"building the bridge jar failed; to see why: {' '.join(command)}")
    jar.parent.mkdir(exist_ok=True)
    for old in jar.parent.glob("pydl4j-bridge-*.jar"):
        old.unlink()
    shutil.copy(root / "jars" / "bridge" / "target" / jar.name, jar)


def check_tools() -> None:
    """Say in one line what to install, instead of letting Maven fail in many."""
    if shutil.which("mvn") is None:
        raise SystemExit(f"building pydl4j needs {MAVEN}: there is no mvn on PATH")
    said = subprocess.run(["mvn", "-version"], capture_output=True, text=True, check=False)
    text = said.stdout + said.stderr
    maven = re.search(r"Apache Maven (\d+)\.(\d+)\.(\d+)", text)
    java = re.search(r"Java version: (?:1\.)?(\d+)", text)
    if maven is None or java is None:
        raise SystemExit(f"building pydl4j needs {JDK}: `mvn -version` failed with: {text.strip().splitlines()[0:1]}")
    if tuple(map(int, maven.groups())) < (3, 6, 3):
        raise SystemExit(f"building pydl4j needs {MAVEN}: mvn is {maven[0]}")
    if int(java[1]) not in (11, 17):
        raise SystemExit(f"building pydl4j needs {JDK}: mvn runs on Java {java[1]}")
