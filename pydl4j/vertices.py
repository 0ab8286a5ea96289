"""Vertices of graphs, under DL4J's names."""

from pydl4j.conf.vertices import *
