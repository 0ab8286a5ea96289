"""Processes that carry a mark in their environment, which their children inherit: so all are found again, and ended, by pid."""

import os
import signal
import subprocess
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import IO, TypeVar

import psutil

T = TypeVar("T")

_MARK = "PYDL4J_LAB"
_EXECUTOR = "org.apache.spark.executor.CoarseGrainedExecutorBackend"


@dataclass(frozen=True)
class Executor:
    """An executor's JVM."""

    pid: int
    id: str
    host: str


class Processes:
    """The processes of one test and all that they start; ended by :meth:`close`, which says what ended on no other way."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._mark = uuid.uuid4().hex
        self._started: list[subprocess.Popen[str]] = []

    def start(
        self,
        command: Sequence[str],
        env: Mapping[str, str],
        log: Path,
        stdout: int | IO[str] | None = None,
    ) -> subprocess.Popen[str]:
        """Start one in a session of its own; what it prints goes to ``log``, but for ``stdout`` where that is a pipe."""
        with log.open("a") as file:
            process = subprocess.Popen(
                command,
                env={**os.environ, **env, _MARK: self._mark},
                stdin=subprocess.DEVNULL,
                stdout=file if stdout is None else stdout,
                stderr=file,
                cwd=self.root,
                text=True,
                start_new_session=True,
            )
        self._started.append(process)
        return process

    def alive(self) -> list[psutil.Process]:
        """All that carry the mark."""
        found = []
        for process in psutil.process_iter():
            try:
                if process.environ().get(_MARK) == self._mark and process.status() != psutil.STATUS_ZOMBIE:
                    found.append(process)
            except psutil.Error:  # it has ended meanwhile, or is another user's
                continue
        return found

    def executors(self) -> list[Executor]:
        """Executors' JVMs that run, by executor id."""
        found = []
        for process in self.alive():
            try:
                command = process.cmdline()
            except psutil.Error:
                continue
            if _EXECUTOR in command:
                option = dict(pairwise(command))
                found.append(Executor(process.pid, option["--executor-id"], option["--hostname"]))
        return sorted(found, key=lambda executor: int(executor.id))

    def close(self, patience: float = 15) -> list[str]:
        """End what was started, then kill by pid whatever is left; the command lines of what outlived those who started it."""
        for process in reversed(self._started):
            if process.poll() is None:
                process.terminate()
        for process in self._started:
            _reap(process)
        deadline = time.monotonic() + patience  # executors leave when they find that their driver has gone
        while self.alive() and time.monotonic() < deadline:
            time.sleep(0.1)
        left = []
        for orphan in self.alive():
            left.append(f"{orphan.pid}: {' '.join(orphan.cmdline())[-300:]}")
            orphan.kill()
        return left


def _reap(process: subprocess.Popen[str]) -> None:
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(10)
    if process.stdout is not None:
        process.stdout.close()


def kill(pid: int) -> None:
    """Kill a process (-9)."""
    os.kill(pid, signal.SIGKILL)


def wait_until(what: str, condition: Callable[[], T | None], timeout: float = 60, every: float = 0.05) -> T:
    """The first true value of ``condition()``.

    Raises:
        TimeoutError: there was none in time.
    """
    deadline = time.monotonic() + timeout
    while time.monotonic() < deadline:
        found = condition()
        if found:
            return found
        time.sleep(every)
    raise TimeoutError(f"after {timeout} s still waiting for: {what}")
