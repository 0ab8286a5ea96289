"""Gradient updaters, under DL4J's names."""

from pydl4j.conf.updaters import *
