"""Input types, under DL4J's names."""

from pydl4j.conf.inputs import *
