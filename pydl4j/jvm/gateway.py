"""Getting a JVM: the one in this process, or the driver of a SparkSession."""

import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from pydl4j._version import __version__
from pydl4j.errors import (
    BridgeVersionError,
    JvmAlreadyStartedError,
    SparkConnectError,
    SparkError,
    SparkSessionStoppedError,
    SparkVersionError,
)
from pydl4j.jvm import engine
from pydl4j.jvm.jars import class_path
from pydl4j.jvm.java import find_java
from pydl4j.jvm.options import jvm_options
from pydl4j.jvm.protocol import Gateway

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_starting = threading.Lock()


def gateway() -> Gateway:
    """The JVM in this process, started on the first call.

    Raises:
        JavaNotFoundError: there is no Java.
        JavaVersionError: there is Java, but neither 11 nor 17.
        JarError: jars are missing or damaged.
        BridgeVersionError: the bridge jar belongs to another pydl4j.
        JvmAlreadyStartedError: something else has started a JVM in this process, without pydl4j's jars.
    """
    with _starting:
        return _inprocess()


class _Start:
    """What came of starting the JVM; there is one try in a process."""

    gateway: Gateway | None = None
    failure: BaseException | None = None


def _inprocess() -> Gateway:
    if _Start.failure is not None:
        raise _Start.failure
    if _Start.gateway is None:
        _Start.gateway = _started()
    return _Start.gateway


def _started() -> Gateway:
    import jpype  # not before it is needed

    if jpype.isJVMStarted():
        raise JvmAlreadyStartedError(
            "a JVM was started in this process by something else than pydl4j, and a process can have only one. "
            "Use pydl4j first, or in a process of its own"
        )
    java = find_java()
    jars = [str(jar) for jar in class_path()]
    options = jvm_options(starting=True)
    engine.coarsen_timers()
    with _environment(options.env()):
        # -Xrs: signals stay Python's. The JVM would take them, and JPype hand SIGTERM back in a way that crashes the process.
        flags = ["-Xrs", *options.flags()]
        jpype.startJVM(str(java.libjvm), *flags, classpath=jars, convertStrings=False, interrupt=False)
        try:
            return _connected()
        except BaseException as error:
            _Start.failure = error  # the JVM stays, and cannot be started again
            raise


def _connected() -> Gateway:
    from pydl4j.jvm.inprocess import JPypeGateway

    jvm = JPypeGateway()
    _shake_hands(jvm)
    jvm.call("engine.Engine.prepare")
    return jvm


@contextmanager
def _environment(variables: Mapping[str, str]) -> Iterator[None]:
    """Environment variables for the native libraries that are loaded inside, and only for them."""
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update({name: value for name, value in variables.items() if name not in os.environ})
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)


def spark_gateway(spark: "SparkSession") -> Gateway:
    """The JVM of a SparkSession's driver, which has the bridge on its class path.

    Raises:
        SparkConnectError: a Spark Connect session.
        SparkSessionStoppedError: the session was stopped.
        SparkVersionError: not Spark 3.5 with Scala 2.12.
        JarError: the bridge is not on the driver's class path.
        BridgeVersionError: the bridge there belongs to another pydl4j.
    """
    check_session(spark)
    return driver_gateway(spark.sparkContext._gateway)  # noqa: SLF001  # pyspark has no public name for its connection


def check_session(spark: "SparkSession") -> None:
    """Refuse a session that DL4J cannot run in, saying why; see :func:`spark_gateway`."""
    if not hasattr(spark, "sparkContext") and ".connect." not in type(spark).__module__:
        raise SparkError(
            "expected a SparkSession, as SparkSession.builder.master('local[2]').getOrCreate() makes one. "
            f"Received: {type(spark).__name__}",
            path="spark",
        )
    if ".connect." in type(spark).__module__:
        raise SparkConnectError(
            "this is a Spark Connect session: its JVM is on the server and cannot be driven from here. "
            "Use a classic session: SparkSession.builder.master(...), or run the script with spark-submit on the cluster"
        )
    context: Any = spark.sparkContext  # its JVM side is untyped
    if context._jsc is None or context._jsc.sc().isStopped():  # noqa: SLF001
        raise SparkSessionStoppedError(
            "this SparkSession was stopped; make a new one with SparkSession.builder.getOrCreate()"
        )
    if not spark.version.startswith("3.5."):
        raise SparkVersionError(
            f"DL4J's Spark modules run on Spark 3.5 with Scala 2.12. Received: Spark {spark.version}. "
            'Install it with: pip install "pyspark>=3.5,<3.6"'
        )
    scala = context._jvm.scala.util.Properties.versionNumberString()  # noqa: SLF001
    if not scala.startswith("2.12."):
        raise SparkVersionError(
            f"DL4J's Spark modules are made for Scala 2.12. Received: a Spark built for Scala {scala}"
        )


@lru_cache(maxsize=4)
def driver_gateway(connection: Any) -> Gateway:
    """The JVM behind pyspark's ``JavaGateway``, whether a session runs in it or not; see :func:`spark_gateway` for the errors."""
    from pydl4j.jvm.sparkdriver import Py4JGateway  # needs pyspark

    jvm = Py4JGateway(connection)
    _shake_hands(jvm)
    jvm.call("engine.Engine.prepare")
    return jvm


def _shake_hands(jvm: Gateway) -> None:
    bridge = jvm.call("Bridge.version")
    if bridge != __version__:
        raise BridgeVersionError(
            f"the bridge jar on the class path is {bridge}, this pydl4j is {__version__}; "
            "remove the old jar (PYDL4J_JARS, spark.jars, extraClassPath) or install the matching pydl4j"
        )
