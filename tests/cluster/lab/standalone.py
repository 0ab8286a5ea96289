"""A standalone Spark cluster of pip's pyspark: a master and workers, each a process that the test owns."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import Popen

from lab.processes import Processes, wait_until
from pydl4j.jvm.java import find_java

_SMALL = {
    "SPARK_DAEMON_MEMORY": "256m",
    "SPARK_DAEMON_JAVA_OPTS": "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Dspark.worker.timeout=12",
}
_STARTED = re.compile(r"Starting Spark master at (spark://\S+)")


@dataclass(frozen=True)
class Host:
    """Where a process runs: an address, and what is put before its command line to run it there."""

    address: str = "127.0.0.1"
    prefix: tuple[str, ...] = ()


@dataclass
class Standalone:
    """A master on the first host and a worker of one core on each of the others; ``url`` is the master's once it has started."""

    processes: Processes
    spark_home: Path
    master: Host = field(default_factory=Host)
    workers: Sequence[Host] = (Host(), Host())
    memory: str = "2g"
    url: str = ""
    daemons: dict[str, Popen[str]] = field(default_factory=dict)

    def start(self) -> "Standalone":
        """Workers that find no master sleep for seconds before they look again: the master comes first."""
        self._start("master", self.master, "master.Master", "--port", "0")
        self.url = wait_until("the master", lambda: self._found("master", _STARTED))
        wait_until("the master's election", lambda: self._found("master", re.compile("(New state: ALIVE)")))
        for i in range(len(self.workers)):
            self.start_worker(i)
        wait_until("the workers", lambda: self.registered() == len(self.workers))
        return self

    def start_worker(self, i: int) -> None:
        """Start a worker, or one in its place."""
        work = self.processes.root / f"worker{i}"
        work.mkdir(exist_ok=True)
        options = ["--cores", "1", "--memory", self.memory, "--work-dir", str(work), self.url]
        self._start(f"worker{i}", self.workers[i], "worker.Worker", *options)

    def registered(self) -> int:
        """How many registrations of workers the master has seen; one that was replaced counts again."""
        return self._log("master").read_text().count("Registering worker")

    def _start(self, name: str, host: Host, role: str, *options: str) -> None:
        local = self.processes.root / f"{name}-local"
        env = _SMALL | {
            "JAVA_HOME": str(find_java().path),
            "SPARK_HOME": str(self.spark_home),
            "SPARK_LOCAL_IP": host.address,
            "SPARK_LOCAL_DIRS": str(local),
        }
        launch = [
            str(self.spark_home / "bin/spark-class"),
            f"org.apache.spark.deploy.{role}",
        ]  # becomes the JVM: same pid
        command = [*host.prefix, *launch, "--host", host.address, "--webui-port", "0", *options]
        self.daemons[name] = self.processes.start(command, env, self._log(name))

    def _log(self, name: str) -> Path:
        return self.processes.root / f"{name}.log"

    def _found(self, name: str, pattern: re.Pattern[str]) -> str | None:
        text = self._log(name).read_text()
        if self.daemons[name].poll() is not None:
            raise RuntimeError(f"the {name} has ended: {text[-3000:]}")
        found = pattern.search(text)
        return found and found[1]
