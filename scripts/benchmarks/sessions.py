"""Spark sessions to measure in."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pydl4j as dl

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ROOT = Path(__file__).parents[2]
CLASSES = ROOT / "jars" / "bridge" / "target" / "test-classes"  # with org.pydl4j.bench


@contextmanager
def session(master: str) -> Iterator["SparkSession"]:
    """A session as users make one, with the benchmarks' own classes in front."""
    os.environ |= {"SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable}
    with tempfile.TemporaryDirectory(prefix="pydl4j-bench-") as home:
        os.environ["SPARK_HOME"] = str(spark_home(Path(home)))
        from pyspark.sql import SparkSession

        builder = SparkSession.builder.master(master).appName("bench")
        builder.config("spark.ui.enabled", "false").config("spark.driver.memory", "4g")
        for side in ("driver", "executor"):
            builder.config(f"spark.{side}.extraClassPath", str(CLASSES))
        spark = dl.spark.configure(builder).getOrCreate()
        spark.sparkContext.setLogLevel("ERROR")
        try:
            yield spark
        finally:
            spark.stop()


def spark_home(folder: Path) -> Path:
    """pyspark's, but for what local clusters write into it."""
    import pyspark

    for name in ("bin", "jars", "python", "sbin"):
        (folder / name).symlink_to(Path(pyspark.__file__).parent / name)
    (folder / "conf").mkdir()
    (folder / "RELEASE").write_text("for benchmarks\n")
    return folder


def compile_classes() -> None:
    """The benchmarks' own Java classes, which lie among the tests."""
    subprocess.run(["mvn", "-q", "-B", "-f", ROOT / "jars" / "pom.xml", "test-compile"], check=True)
