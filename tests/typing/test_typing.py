"""Type checkers report every wrong line of configurations.py, and no right one."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

SUBJECT = Path(__file__).with_name("configurations.py")
ROOT = SUBJECT.parents[2]
MARKED = {
    number: mark[1]
    for number, line in enumerate(SUBJECT.read_text().splitlines(), 1)
    if (mark := re.search(r"# error: (\S+)$", line))
}


def check(*command):
    done = subprocess.run(
        [sys.executable, "-m", *command, str(SUBJECT)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def mypy():
    return check("mypy", "--strict", "--follow-imports=silent")


def test_mypy_reports_the_wrong_lines_only(mypy):
    found = {(int(line), code) for line, code in re.findall(r"configurations\.py:(\d+): error: .*\[([\w-]+)\]", mypy)}
    assert {line for line, _ in found} == set(MARKED), mypy
    assert found >= set(MARKED.items()), mypy


def test_mypy_names_the_option_that_was_meant(mypy):
    assert 'Unexpected keyword argument "n_ot" for "DenseLayer"; did you mean "n_out"?' in mypy


def test_pyright_reports_the_wrong_lines_only():
    output = check("pyright")
    assert {int(line) for line in re.findall(r"configurations\.py:(\d+):\d+ - error", output)} == set(MARKED), output


def test_ty_reports_the_wrong_lines_only():
    output = check("ty", "check", "--output-format=concise", f"--python={sys.executable}")
    assert {int(line) for line in re.findall(r"configurations\.py:(\d+):\d+: error", output)} == set(MARKED), output
