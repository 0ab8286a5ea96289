"""What the scripts say where Python, Java or Maven is missing or of the wrong version: one line each."""

import subprocess
from pathlib import Path

import pytest

LIBRARY = Path(__file__).parents[3] / "scripts" / "lib.sh"
TOOLS = "/usr/bin:/bin"


def run(check: str, *, path: str = TOOLS, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run one check of scripts/lib.sh on a machine that has nothing but ``path``."""
    # commands that the checks use themselves, and none of Java, Maven and Python
    command = f'source {LIBRARY}; command() {{ builtin command "$@" 2>/dev/null | grep "^{path}/"; }}; {check}'
    return subprocess.run(
        ["/bin/bash", "-c", command],
        env={"PATH": f"{path}:{TOOLS}", **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def one_line(result: subprocess.CompletedProcess[str]) -> str:
    assert result.returncode == 1
    assert result.stderr.count("\n") == 1
    return result.stderr


def script(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


def jdk(home: Path, version: str) -> Path:
    script(home / "bin" / "javac", "exit 1")
    (home / "release").write_text(f'JAVA_VERSION="{version}"\n')
    return home


@pytest.mark.parametrize("version", ["17.0.15", "11.0.2"])
def test_a_fit_java_home_is_taken(version: str, tmp_path: Path) -> None:
    result = run('need_jdk && echo "$JAVA_HOME"', JAVA_HOME=str(jdk(tmp_path, version)))
    assert (result.returncode, result.stdout) == (0, f"{tmp_path}\n")


@pytest.mark.parametrize(("version", "said"), [("1.8.0_402", "JDK 8"), ("21.0.1", "JDK 21")])
def test_an_unfit_java_home_is_refused(version: str, said: str, tmp_path: Path) -> None:
    error = one_line(run("need_jdk", JAVA_HOME=str(jdk(tmp_path, version))))
    assert f"JAVA_HOME is {tmp_path}, which is {said}; needed is JDK 11 or 17: install JDK 17" in error


def test_a_java_home_without_a_compiler_is_refused(tmp_path: Path) -> None:
    assert f"JAVA_HOME is {tmp_path}, which is no JDK; needed" in one_line(run("need_jdk", JAVA_HOME=str(tmp_path)))


def test_a_jdk_on_the_path_is_taken(tmp_path: Path) -> None:
    home = jdk(tmp_path / "jdk", "17.0.1")
    result = run('need_jdk && echo "$JAVA_HOME"', path=str(home / "bin"))
    assert result.stdout == f"{home}\n"


def test_without_any_jdk_the_line_says_what_to_install(tmp_path: Path) -> None:
    error = one_line(run("jdk_homes() { :; }; need_jdk", path=str(tmp_path)))
    assert (
        "needed is JDK 11 or 17, found is none; install JDK 17 (Debian and Ubuntu: apt-get install openjdk-17-jdk)"
        in error
    )


def test_without_maven_the_line_says_what_to_install(tmp_path: Path) -> None:
    error = one_line(run("need_maven", path=str(tmp_path)))
    assert "there is no mvn on PATH; install Maven 3.6.3 or newer (Debian and Ubuntu: apt-get install maven)" in error


@pytest.mark.parametrize(("version", "code"), [("3.5.4", 1), ("3.6.3", 0), ("3.9.11", 0), ("4.0.0", 0)])
def test_maven_must_be_new_enough(version: str, code: int, tmp_path: Path) -> None:
    script(tmp_path / "mvn", f"echo 'Apache Maven {version} (abc)'")
    result = run("need_maven", path=str(tmp_path))
    assert result.returncode == code
    if code:
        assert f"mvn is Maven {version}; install Maven 3.6.3 or newer" in one_line(result)


def test_a_maven_that_does_not_run_is_refused(tmp_path: Path) -> None:
    script(tmp_path / "mvn", "exit 1")
    assert "mvn -version does not work; install Maven" in one_line(run("need_maven", path=str(tmp_path)))


def test_without_a_fit_python_the_line_says_what_to_install(tmp_path: Path) -> None:
    for name in ("python3", "python3.11", "python3.12", "python3.13"):
        script(tmp_path / name, "exit 1")
    error = one_line(run("find_python", path=str(tmp_path), HOME=str(tmp_path)))
    assert (
        "needed is Python 3.11, 3.12 or 3.13 with venv (Debian and Ubuntu: apt-get install python3 python3-venv)"
        in error
    )


def test_pythons_that_pyenv_has_are_found_though_none_is_selected(tmp_path: Path) -> None:
    for name in ("python3", "python3.11", "python3.12", "python3.13"):
        script(tmp_path / "bin" / name, "exit 127")
    script(tmp_path / ".pyenv" / "versions" / "3.12.1" / "bin" / "python", "echo found")
    assert run("find_python", path=str(tmp_path / "bin"), HOME=str(tmp_path)).stdout == "found\n"
