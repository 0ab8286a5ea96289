"""Build the bridge jar with Maven and put it into the package; does nothing where no source is newer than the jar."""

import re
import shutil
import subprocess
import time
from pathlib import Path

MAVEN = "Maven 3.6.3 or newer (Debian and Ubuntu: `apt-get install maven`)"
JDK = "a JDK 11 or 17 (Debian and Ubuntu: `apt-get install openjdk-17-jdk`; JAVA_HOME chooses one of several)"


EVERY = 5.0  # seconds between two lines about downloads
UNITS = {"": 1e-6, "k": 1e-3, "M": 1.0, "G": 1e3}


def bridge_jar(root: Path) -> Path:
    """Return where the package has the bridge jar, after building it if a source is newer."""
    version = re.search(r'__version__ = "(.+)"', (root / "pydl4j" / "_version.py").read_text())
    if version is None:
        raise SystemExit("pydl4j/_version.py has no __version__")
    jar = root / "pydl4j" / "_jars" / f"pydl4j-bridge-{version[1]}.jar"
    if is_stale(jar, root / "jars"):
        build(root, jar)
    return jar


def is_stale(jar: Path, sources: Path) -> bool:
    """Whether a source is newer than the jar, or there is no jar."""
    if not jar.is_file():
        return True
    files = [*sources.glob("pom.xml"), *sources.glob("bridge/pom.xml"), *sources.glob("bridge/src/main/**/*")]
    return max(file.stat().st_mtime for file in files) > jar.stat().st_mtime


def build(root: Path, jar: Path) -> None:
    check_tools()
    command = ["mvn", "-B", "-f", str(root / "jars" / "pom.xml"), "package", "-DskipTests"]
    status, errors = run_maven(command)
    if status:
        raise SystemExit("\n".join([*errors, f"building the bridge jar failed; again, by hand: {' '.join(command)}"]))
    jar.parent.mkdir(exist_ok=True)
    part = jar.with_suffix(".part")
    shutil.copyfile(root / "jars" / "bridge" / "target" / jar.name, part)
    part.replace(jar)
    for old in set(jar.parent.glob("pydl4j-bridge-*")) - {jar}:
        old.unlink()


def run_maven(command: list[str]) -> tuple[int, list[str]]:
    """Run Maven, telling how much it has downloaded instead of every file; return its exit status and what went wrong."""
    files, size, said, errors = 0, 0.0, time.monotonic(), []
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as maven:
        for line in maven.stdout or ():
            if (got := re.match(r"Downloaded from .*\(([\d.]+) ([kMG]?)B", line)) is not None:
                files, size = files + 1, size + float(got[1]) * UNITS[got[2]]
            elif line.startswith("[ERROR]"):
                errors.append(line.rstrip())
            if files and time.monotonic() - said > EVERY:
                said = time.monotonic()
                print(f"Maven has downloaded {files} files, {size:.0f} of about 480 MB", flush=True)
    return maven.returncode, errors


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


if __name__ == "__main__":
    print(bridge_jar(Path(__file__).resolve().parents[1]))
