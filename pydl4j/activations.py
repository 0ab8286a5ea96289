"""Activation functions, under DL4J's names."""

from pydl4j.conf.activations import *
