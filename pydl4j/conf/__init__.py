"""Configurations as frozen data, read and written as DL4J's own JSON and YAML. No JVM, no numpy."""

from pydl4j.conf._diff import diff
from pydl4j.conf.graph import ComputationGraphConfiguration
from pydl4j.conf.inputs import InputType
from pydl4j.conf.network import MultiLayerConfiguration
from pydl4j.conf.nodes import Input

__all__ = ["ComputationGraphConfiguration", "Input", "InputType", "MultiLayerConfiguration", "diff"]
