"""Layers, under DL4J's names."""

from pydl4j.conf.layers import *
