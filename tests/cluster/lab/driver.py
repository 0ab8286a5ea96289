"""A driver: a Python process of its own that runs a script, tells how far it has come, and prints what it found."""

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lab.processes import Processes

HERE = Path(__file__).parent.parent


class Driver:
    """Runs Python code that has ``inside`` (tests/cluster/inside.py) at hand; the code calls ``say("epoch", number=2)``."""

    def __init__(self, processes: Processes, script: str, env: Mapping[str, str], prefix: tuple[str, ...] = ()) -> None:
        self._log = processes.root / f"driver-{time.monotonic_ns()}.log"
        path = os.pathsep.join([str(HERE), *filter(None, [os.environ.get("PYTHONPATH")])])
        command = [*prefix, sys.executable, "-c", "from inside import *\n" + textwrap.dedent(script)]
        self._process = processes.start(command, {**env, "PYTHONPATH": path}, self._log, stdout=subprocess.PIPE)
        self._events: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self.said: list[dict[str, Any]] = []
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        with contextlib.suppress(ValueError):  # closed when the test has ended
            for line in self._process.stdout:
                if line.startswith('{"said"'):
                    self._events.put(json.loads(line))
                else:
                    with self._log.open("a") as log:
                        log.write(line)
        self._events.put(None)

    def hear(self, *what: str, timeout: float = 120, **values: Any) -> dict[str, Any]:
        """The next thing said under one of these names, with these values.

        Raises:
            AssertionError: the driver ended without, or took too long; with the end of its log.
        """
        deadline = time.monotonic() + timeout
        while True:
            try:
                event = self._events.get(timeout=max(0, deadline - time.monotonic()))
            except queue.Empty:
                raise AssertionError(f"the driver did not say {what!r} in {timeout} s{self._told()}") from None
            if event is None:
                self._events.put(None)
                raise AssertionError(f"the driver ended ({self.wait()}) and did not say {what!r}{self._told()}")
            self.said.append(event)
            if event["said"] == "raised":
                raise AssertionError(f"the driver raised an error instead of saying {what!r}:\n{event['trace']}")
            if event["said"] in what and values.items() <= event.items():
                return event

    def result(self, timeout: float = 240) -> dict[str, Any]:
        """What it said last, under the name ``result``; it must then end well."""
        found = self.hear("result", timeout=timeout)
        code = self.wait()
        assert code == 0, f"the driver ended with {code}{self._told()}"
        return found

    def wait(self, timeout: float = 60) -> int:
        """The exit status, once it has ended."""
        return self._process.wait(timeout)

    def kill(self) -> None:
        """Kill (-9) the Python process; its JVM is left to find out."""
        self._process.send_signal(signal.SIGKILL)

    @property
    def pid(self) -> int:
        """Of the Python process."""
        return self._process.pid

    def _told(self) -> str:
        lines = self._log.read_text(errors="replace").splitlines()
        told = "\n".join(line for line in lines if not line.startswith(("\tat ", "\t...")))  # the stacks of Spark
        return f".\nIt said: {json.dumps(self.said)[-3000:]}\nIts log ends:\n{told[-6000:]}"
