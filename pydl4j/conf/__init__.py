"""Configurations as frozen data, read and written as DL4J's own JSON and YAML. Standard library only; no JVM, no numpy."""
