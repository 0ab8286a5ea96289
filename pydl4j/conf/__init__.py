"""Configurations as frozen data, read and written as DL4J's own JSON and YAML. No JVM, no numpy."""

from pydl4j.conf._diff import diff
from pydl4j.conf.inputs import InputType
from pydl4j.conf.network import MultiLayerConfiguration

__all__ = ["InputType", "MultiLayerConfiguration", "diff"]
