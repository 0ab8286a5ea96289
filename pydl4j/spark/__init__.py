"""Training on Spark: configure, attach, training masters, SparkDl4jMultiLayer."""
