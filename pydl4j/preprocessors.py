"""Preprocessors between layers, under DL4J's names."""

from pydl4j.conf.preprocessors import *
