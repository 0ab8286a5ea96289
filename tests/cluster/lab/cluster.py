"""What a test asks for: a place to run drivers on, whichever kind of cluster it is."""

import json
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import psutil

from lab.driver import Driver
from lab.netlab import NetLab
from lab.processes import Executor, Processes
from lab.standalone import Host, Standalone

Kind = Literal["local", "local-cluster", "standalone", "hosts"]

_MASTERS = {"local": "local[2]", "local-cluster": "local-cluster[2,1,2048]"}
# a loss of an executor whose host fell silent is noticed in seconds
_NETWORK = {
    "spark.network.timeout": "20s",
    "spark.network.timeoutInterval": "5s",
    "spark.executor.heartbeatInterval": "4s",
    "spark.rpc.askTimeout": "15s",
}


@dataclass
class Cluster:
    """A cluster with two slots, empty of applications."""

    kind: Kind
    processes: Processes
    spark_home: Path
    master: str
    host: Host = field(default_factory=Host)
    """Where drivers run."""
    standalone: Standalone | None = None
    net: NetLab | None = None
    driver_was_killed: bool = False
    """A JVM that is killed (-9) cannot delete Spark's own temporary files."""

    @property
    def root(self) -> Path:
        """A directory that all processes see, deleted when the test has ended."""
        return self.processes.root

    @property
    def temporary(self) -> Path:
        """Where the temporary files of drivers and executors go."""
        return self.root / "tmp"

    def driver(self, script: str, settings: dict[str, str] | None = None, prefix: tuple[str, ...] = ()) -> Driver:
        """Start a driver that runs this code; ``session()`` in it gives a session on this cluster.

        Args:
            settings: Spark settings, over the lab's own.
            prefix: Put before its command line, as a mount namespace is.
        """
        env = {
            "SPARK_HOME": str(self.spark_home),
            "SPARK_LOCAL_IP": self.host.address,
            "SPARK_LOCAL_DIRS": str(self.root / "local"),
            "TMPDIR": str(self.temporary),
            "PYSPARK_PYTHON": "/no/python/here",  # executors need none
            "PYDL4J_LAB_SETTINGS": json.dumps(self._settings() | (settings or {})),
            "PYDL4J_LAB_ROOT": str(self.root),
            "PYDL4J_LAB_SHARED": str(self.root / "shared"),
        }
        return Driver(self.processes, script, env, (*self.host.prefix, *prefix))

    def _settings(self) -> dict[str, str]:
        java = f"-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Djava.io.tmpdir={self.temporary}"
        return _NETWORK | {
            "spark.master": self.master,
            "spark.driver.host": self.host.address,
            "spark.driver.bindAddress": self.host.address,
            "spark.ui.enabled": "false",
            "spark.executor.memory": "1g",
            "spark.driver.extraJavaOptions": java,
            "spark.executor.extraJavaOptions": java,
        }

    def executors(self) -> list[Executor]:
        """Executors that run, by id."""
        return self.processes.executors()

    def of_application(self) -> list[psutil.Process]:
        """All that runs but the cluster's own daemons: drivers, their JVMs, executors."""
        daemons = {daemon.pid for daemon in self.standalone.daemons.values()} if self.standalone else set()
        return [process for process in self.processes.alive() if process.pid not in daemons]


@contextmanager
def cluster(kind: Kind, spark_home: Path) -> Iterator[Cluster]:
    """Start a cluster; at the end, check that it left no process and no temporary file.

    Raises:
        AssertionError: something was left behind.
    """
    root = Path(tempfile.mkdtemp(prefix="pydl4j-lab-"))
    for directory in ("tmp", "shared", "local"):
        (root / directory).mkdir()
    processes = Processes(root)
    net = NetLab(3) if kind == "hosts" else None
    try:
        started = _start(kind, processes, spark_home, net)
        yield started
    finally:
        left = processes.close()
        if net is not None:
            net.down()
        files = sorted(str(path.relative_to(root / "tmp")) for path in (root / "tmp").rglob("*"))
        shutil.rmtree(root)
    if started.driver_was_killed:
        files = [name for name in files if not name.startswith("spark-")]
    assert left == [], f"processes that outlived the cluster: {left}"
    assert files == [], f"temporary files that nobody deleted: {files}"


def _start(kind: Kind, processes: Processes, spark_home: Path, net: NetLab | None) -> Cluster:
    if kind in _MASTERS:
        return Cluster(kind, processes, spark_home, _MASTERS[kind])
    hosts = net.up().hosts if net else [Host(), Host(), Host()]
    standalone = Standalone(processes, spark_home, hosts[0], hosts[1:]).start()
    return Cluster(kind, processes, spark_home, standalone.url, hosts[0], standalone, net)
