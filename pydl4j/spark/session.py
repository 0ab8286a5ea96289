"""Spark sessions that DL4J can run in: made so from the start, or attached to while they run."""

import json
import logging
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydl4j.errors import JarError, SparkError
from pydl4j.jvm import Gateway, check_session, driver_gateway, engine, spark_gateway
from pydl4j.jvm.jars import class_path
from pydl4j.jvm.java import find_java
from pydl4j.jvm.lock import native_set
from pydl4j.jvm.options import jvm_options

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_log = logging.getLogger(__name__)

_KRYO = "org.apache.spark.serializer.KryoSerializer"
_REGISTRATOR = "org.pydl4j.spark.ArrayRegistrator"

# Settings that only a new session can have, and what is lost without them.
_SETTINGS = {
    "spark.locality.wait": ("0s", "workers of a round wait for a certain executor while others are free"),
    "spark.task.reaper.enabled": ("true", "an executor that does not stop a cancelled task stays busy"),
    "spark.broadcast.compress": ("false", "parameters are compressed at each round, to no avail"),
    "spark.task.maxDirectResultSize": ("64m", "results of workers take a detour"),
}

# Settings that help but cost nothing when missing.
_DEFAULTS = {
    **{f"spark.executorEnv.{name}": value for name, value in engine.environment(threads=1).items()},
    # gradient sharing needs all its workers at once: executors that register do not have to be waited for long
    "spark.scheduler.barrier.maxConcurrentTasksCheck.interval": "1s",
    "spark.scheduler.minRegisteredResourcesRatio": "1.0",
    "spark.ui.showConsoleProgress": "false",  # it would write over pydl4j's own
    # an executor in the midst of a long minibatch hears no interrupt: it is replaced
    "spark.task.reaper.killTimeout": "1s",
    "spark.task.reaper.pollingInterval": "250ms",
}


def configure(builder: "SparkSession.Builder", *, off_heap: str | None = None) -> "SparkSession.Builder":
    """Give a session that is yet to be made what DL4J needs: jars, JVM options, settings.

    Those that the builder has stay as they are. Class paths, jars and JVM options of ``spark-defaults.conf`` are replaced: give them to the
    builder as well.

    The environment of this process, which the driver's JVM is started in, gets ``OMP_WAIT_POLICY=passive`` and
    ``OPENBLAS_THREAD_TIMEOUT=14`` unless it has them (idle threads sleep), and with a local master
    ``SD_MAX_THREADS=1`` and ``SD_MASTER_THREADS=1``.

    With a local master (``local[...]``, ``local-cluster[...]``) the jars go onto the class paths, behind what is there; with any other
    master they are sent to the executors (``spark.jars``).

    Args:
        builder: The builder, with its master set; it is changed and returned.
        off_heap: Memory for arrays on each executor (with ``local[...]``: in the driver, where the workers are), as in ``"4g"``; also added
            to ``spark.executor.memoryOverhead`` unless that is set.
            Default: as much as the executor's heap.

    Returns:
        The builder: ``spark = configure(SparkSession.builder.master("local[2]")).getOrCreate()``.

    Raises:
        SparkError: a session already runs in this process, or its JVM does; use :func:`attach`.
        JarError: jars are missing; the message says how to fetch them.
        JavaNotFoundError, JavaVersionError: no Java that Spark and DL4J run on.
    """
    from pyspark import SparkContext

    if SparkContext._active_spark_context is not None:  # noqa: SLF001  # its only public name starts one
        raise SparkError(
            "a SparkSession already runs in this process, and its class path is fixed. Use pydl4j.spark.attach(spark)"
        )
    _check_driver(SparkContext._gateway)  # noqa: SLF001  # as above
    find_java()
    options: dict[str, str] = builder._options  # noqa: SLF001  # a builder does not tell what it has
    master = options.get("spark.master", "local[*]")
    local = master.startswith("local")
    jars = class_path("core", "spark") if local else _portable_jars()
    if local:
        for side in ("driver", "executor"):
            _append(builder, options, f"spark.{side}.extraClassPath", [str(jar) for jar in jars], ":")
    else:
        _append(builder, options, "spark.jars", [str(jar) for jar in jars], ",")
    driver = [flag for flag in jvm_options().flags() if not flag.startswith("-Xmx")]
    executor = _executor_flags(driver, off_heap)
    workers_here = local and not master.startswith("local-cluster") and off_heap is not None
    _append(builder, options, "spark.driver.extraJavaOptions", executor if workers_here else driver, " ", first=True)
    _append(builder, options, "spark.executor.extraJavaOptions", executor, " ", first=True)
    defaults = {key: value for key, (value, _) in _SETTINGS.items()} | _DEFAULTS
    if options.get("spark.serializer") == _KRYO:
        defaults |= {"spark.kryo.registrator": _REGISTRATOR, "spark.kryoserializer.buffer.max": "1g"}
    if off_heap is not None:
        defaults["spark.executor.memoryOverhead"] = f"{_mebibytes(off_heap) + 384}m"
    for key, value in defaults.items():
        if key not in options:
            builder.config(key, value)
    _prepare_driver(workers=local)
    return builder


def _check_driver(connection: Any) -> None:
    """The JVM of a session that was stopped is used again, with the class path that it has."""
    if connection is None:
        return
    try:
        driver_gateway(connection)
    except JarError:
        raise SparkError(
            "the JVM of an earlier SparkSession still runs in this process, without pydl4j's jars, and pyspark uses it again. "
            "Make the session without configure, then use pydl4j.spark.attach(spark); or start Python anew"
        ) from None


def _prepare_driver(*, workers: bool) -> None:
    """The driver's JVM, and with a local master the workers in it, get their environment from this process."""
    variables = engine.environment() | (engine.ONE_PER_WORKER if workers else {})
    for name, value in variables.items():
        os.environ.setdefault(name, value)
    engine.coarsen_timers()


def attach(spark: "SparkSession") -> "SparkSession":
    """Make a running session one that DL4J can run in; it is not restarted. A second call does nothing.

    What can only be set before a session starts is named in a warning of the log ``pydl4j.spark.session``, with what it costs.

    Returns:
        The session.

    Raises:
        SparkConnectError: a Spark Connect session.
        SparkSessionStoppedError: the session was stopped.
        SparkVersionError: not Spark 3.5 with Scala 2.12.
        BridgeVersionError: the session has another version of pydl4j's jar.
        JarError: jars are missing; the message says how to fetch them.
    """
    check_session(spark)
    try:
        gateway = spark_gateway(spark)
    except JarError:
        _add_jars(spark)
        gateway = spark_gateway(spark)
    late = _late_settings(spark, gateway)
    if late:
        _log.warning(
            "these settings can no longer be changed in this session; a new one gets them from pydl4j.spark.configure:\n%s",
            "\n".join(late),
        )
    return spark


def _add_jars(spark: "SparkSession") -> None:
    context = spark.sparkContext
    master = context.master or ""
    jars = class_path("core", "spark") if master.startswith("local") else _portable_jars()
    jvm: Any = context._jvm  # noqa: SLF001  # pyspark has no public name for its JVM
    java_context: Any = context._jsc  # noqa: SLF001
    # Spark's own loader takes more jars at run time. SQL's ADD JAR would load the classes a second time, beside the executors'.
    loader = jvm.java.lang.Thread.currentThread().getContextClassLoader()
    if not hasattr(loader, "addURL"):
        raise SparkError(
            "this session's class loader takes no more jars. Build the session with pydl4j.spark.configure(builder)"
        )
    for jar in jars:
        loader.addURL(jvm.java.io.File(str(jar)).toURI().toURL())
        if not master.startswith("local["):
            java_context.addJar(str(jar))


def _late_settings(spark: "SparkSession", gateway: Gateway) -> list[str]:
    keys = [*_SETTINGS, "spark.serializer", "spark.kryo.registrator"]
    found = json.loads(gateway.call("spark.Sessions.settings", spark._jsparkSession, ",".join(keys)))  # noqa: SLF001
    late = [f"  {key}={wanted} ({lost})" for key, (wanted, lost) in _SETTINGS.items() if found[key] is None]
    if found["spark.serializer"] == _KRYO and found["spark.kryo.registrator"] is None:
        late.append(f"  spark.kryo.registrator={_REGISTRATOR} (without it, Kryo cannot serialize ND4J's arrays)")
    return late


def _portable_jars() -> list[Path]:
    return class_path("core", "spark", native=native_set(portable=True))


def _append(
    builder: "SparkSession.Builder",
    options: dict[str, str],
    key: str,
    values: Sequence[str],
    separator: str,
    *,
    first: bool = False,
) -> None:
    """Add to a setting; with ``first`` in front of what the user has, so that his come later and win."""
    own = separator.join(values)
    before = options.get(key)
    if before and own not in before:
        own = separator.join((own, before) if first else (before, own))
    builder.config(key, before if before and own in before else own)


def _executor_flags(driver: Sequence[str], off_heap: str | None) -> list[str]:
    # what was computed from this machine's memory does not hold for others
    flags = [flag for flag in driver if "javacpp.maxbytes" not in flag and "SharedArchiveFile" not in flag]
    return flags if off_heap is None else [*flags, f"-Dorg.bytedeco.javacpp.maxbytes={off_heap}"]


def _mebibytes(size: str) -> int:
    units = {"m": 1, "g": 1024, "t": 1 << 20}
    unit = size[-1:].lower()
    if unit not in units or not size[:-1].isdigit():
        raise SparkError(f"off_heap: expected a size like '512m' or '4g'. Received: {size!r}", path="off_heap")
    return int(size[:-1]) * units[unit]
