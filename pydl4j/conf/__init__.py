"""Configurations as frozen data, read and written as DL4J's own JSON and YAML. No JVM, no numpy."""
