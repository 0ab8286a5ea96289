"""The same job with other libraries: from a DataFrame to predictions, each as a whole process from cold, in turns.

784-256-10, 8,000 images to train on and 2,000 to predict, 3 epochs, minibatches of 64, local[2], one thread a worker. What each library's
user would write is in contestants/. They have virtual environments of their own, in pydl4j's cache: scripts/bench peers --install makes them.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from common import Data, report

from pydl4j.jvm.jars import cache_dir

SCRIPTS = Path(__file__).parent / "contestants"
ROUNDS = 3
ATTEMPTS = 4
SPARK = "pyspark==3.5.9"
ONE_THREAD = ("OMP_NUM_THREADS", "TF_NUM_INTRAOP_THREADS", "TF_NUM_INTEROP_THREADS")


@dataclass(frozen=True)
class Contestant:
    name: str
    script: str
    package: str = ""
    """What its environment is known by; empty for pydl4j, which runs in this one."""
    requirements: tuple[str, ...] = ()

    @property
    def home(self) -> Path:
        return cache_dir() / "peers" / self.package

    @property
    def python(self) -> str:
        return str(self.home / "bin" / "python") if self.package else sys.executable

    @property
    def environment(self) -> dict[str, str]:
        import pyspark

        own = self.home.glob("lib/python*/site-packages/pyspark")
        return {
            "SPARK_HOME": str(next(own) if self.package else Path(pyspark.__file__).parent),
            "SPARK_LOCAL_IP": "127.0.0.1",
            "PYSPARK_PYTHON": self.python,
            "TF_CPP_MIN_LOG_LEVEL": "2",
        }

    def version(self) -> str | None:
        """None where it is not installed."""
        if not Path(self.python).exists():
            return None
        script = f"import importlib.metadata as m; print(m.version({self.package or 'pydl4j'!r}))"
        done = subprocess.run([self.python, "-c", script], capture_output=True, text=True, check=False)
        return done.stdout.strip() if done.returncode == 0 else None

    def install(self) -> None:
        print(f"installing {self.name} into {self.home}", flush=True)
        subprocess.run([sys.executable, "-m", "venv", self.home], check=True)
        subprocess.run([self.python, "-m", "pip", "install", "-q", *self.requirements], check=True)


PYDL4J = Contestant("pydl4j", "with_pydl4j.py")
ELEPHAS = Contestant("Elephas", "with_elephas.py", "elephas", ("elephas==7.3.0", SPARK, "pandas<3", "setuptools<81"))
TORCH = Contestant(
    "TorchDistributor", "with_torch.py", "torch", ("torch>=2.4", SPARK, "numpy", "pandas", "pyarrow", "setuptools<81")
)


@dataclass(frozen=True)
class Run:
    """What one process took."""

    total: float
    """Seconds from its start to the predictions counted."""
    epochs: dict[str, float]
    """Median seconds of an epoch once it is warm, by what the workers do after how many minibatches."""
    accuracy: float


def run(data: Data, *, install: bool) -> None:
    contestants = [PYDL4J, *present((ELEPHAS, TORCH), install=install)]
    with tempfile.TemporaryDirectory(prefix="pydl4j-peers-") as folder:
        write(data, Path(folder))
        rounds = [[compete(contestant, Path(folder)) for contestant in contestants] for _ in range(ROUNDS + 1)]
    ours, *theirs = (list(runs) for runs in zip(*rounds[1:], strict=True))  # the first filled the disk's cache
    for contestant, runs in zip(contestants, (ours, *theirs), strict=True):
        show(contestant, runs)
    for contestant, runs in zip(contestants[1:], theirs, strict=True):
        compare(contestant, ours, runs)


def present(contestants: Sequence[Contestant], *, install: bool) -> list[Contestant]:
    found = []
    for contestant in contestants:
        if install and contestant.version() is None:
            contestant.install()
        version = contestant.version()
        if version is None:
            print(
                f"{contestant.name} is left out: it is not installed in {contestant.home}. scripts/bench peers --install does it"
            )
        else:
            print(f"{contestant.name}: {contestant.package} {version}")
            found.append(contestant)
    return found


def write(data: Data, folder: Path) -> None:
    """The images as Parquet files, as an array and a class."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    x, y, x_test, y_test = data
    for name, features, labels in (("train", x, y), ("test", x_test, y_test)):
        table = pa.table({"x": pa.array(list(features.astype("f4"))), "label": labels.astype("i4")})
        pq.write_table(table, folder / f"{name}.parquet")


def compete(contestant: Contestant, folder: Path) -> Run:
    """Others may fail now and then, which is told, and try again; pydl4j may not."""
    for attempts_left in reversed(range(ATTEMPTS if contestant.package else 1)):
        start = time.time()
        try:
            told = json.loads(output_of(contestant, contestant.script, folder))
        except FailedError as error:
            if not attempts_left:
                raise SystemExit(str(error)) from error
            print(f"{contestant.name} failed, and tries again: {error.last_line}", flush=True)
        else:
            return Run(told["ended"] - start, told["epochs"], told["accuracy"])
    raise AssertionError("it has returned or ended")


class FailedError(Exception):
    """A contestant's process ended with an error."""

    @property
    def last_line(self) -> str:
        """Of Python's errors."""
        lines = [line for line in str(self).splitlines() if "Error: " in line]
        return lines[-1].strip()[:200] if lines else ""


def output_of(contestant: Contestant, script: str, folder: Path) -> str:
    """The last line that a script prints, run with the contestant's Python and one thread for each worker."""
    environment = os.environ | dict.fromkeys(ONE_THREAD, "1") | contestant.environment
    done = subprocess.run(
        [contestant.python, SCRIPTS / script, folder],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
        cwd=folder,
    )
    if done.returncode != 0:
        raise FailedError(f"{contestant.name} failed:\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}")
    return done.stdout.strip().splitlines()[-1]


def median(runs: Sequence[Run], epochs: str) -> float:
    return statistics.median(run.epochs[epochs] for run in runs)


def show(contestant: Contestant, runs: Sequence[Run]) -> None:
    report(f"{contestant.name}: cold, DataFrame to predictions", statistics.median(run.total for run in runs), "s")
    report(f"{contestant.name}: accuracy", statistics.median(run.accuracy for run in runs))
    for kind in runs[0].epochs:
        report(f"{contestant.name}: epoch, {kind}", median(runs, kind), "s")


def compare(contestant: Contestant, ours: Sequence[Run], theirs: Sequence[Run]) -> None:
    ratio = statistics.median(a.total / b.total for a, b in zip(ours, theirs, strict=True))
    report(f"pydl4j / {contestant.name}: cold, DataFrame to predictions", ratio, "", "< 1")
    (kind,) = theirs[0].epochs
    for own in ours[0].epochs:
        ratio = statistics.median(a.epochs[own] / b.epochs[kind] for a, b in zip(ours, theirs, strict=True))
        goal = "< 1" if contestant is ELEPHAS else "<= 1.5" if own.endswith("20") else ""
        report(f"pydl4j, {own} / {contestant.name}: epoch", ratio, "", goal)
