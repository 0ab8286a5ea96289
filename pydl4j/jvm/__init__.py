"""The one door to the JVM: a gateway over JPype (in this process) or Py4J (to a Spark driver), Java, jars, errors from Java."""

from pydl4j.jvm.gateway import check_session, driver_gateway, gateway, spark_gateway
from pydl4j.jvm.jobs import watch
from pydl4j.jvm.protocol import Gateway, JavaObject

__all__ = ["Gateway", "JavaObject", "check_session", "driver_gateway", "gateway", "spark_gateway", "watch"]
