"""The one door to the JVM: a gateway over JPype (in this process) or Py4J (to a Spark driver), Java, jars, errors from Java."""
