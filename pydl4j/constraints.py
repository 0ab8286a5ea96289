"""Constraints on parameters, under DL4J's names."""

from pydl4j.conf.constraints import *
