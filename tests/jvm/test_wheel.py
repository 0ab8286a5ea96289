"""The wheel: what a user gets who has neither Maven nor a checkout."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import pydl4j
from pydl4j.jvm import lock

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*pip, "--wheel-dir", folder, ROOT], check=True)
    return next(folder.glob("*.whl"))


def test_it_carries_the_bridge_the_lock_file_and_the_type_marker(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as contents:
        names = set(contents.namelist())
        assert contents.read("pydl4j/_jars.lock") == (ROOT / "jars" / "jars.lock").read_bytes()
    assert {f"pydl4j/_jars/pydl4j-bridge-{pydl4j.__version__}.jar", "pydl4j/py.typed"} <= names


def test_it_carries_the_package_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as contents:
        tops = {name.split("/")[0] for name in contents.namelist()}
    assert tops == {"pydl4j", f"pydl4j-{pydl4j.__version__}.dist-info"}


def test_unpacked_it_finds_its_own_lock_file_and_bridge(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as contents:
        contents.extractall(tmp_path)
    code = "from pydl4j.jvm import jars, lock; print(jars.bridge_jar()); print(len(lock.set_names()))"
    command = [sys.executable, "-c", code]
    said = subprocess.run(
        command, cwd=tmp_path, env={"PYTHONPATH": str(tmp_path)}, capture_output=True, text=True, check=True
    ).stdout
    bridge, sets = said.split()
    assert Path(bridge).is_relative_to(tmp_path)
    assert int(sets) == len(lock.set_names())
