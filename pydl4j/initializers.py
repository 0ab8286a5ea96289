"""Weight initialization and distributions, under DL4J's names."""

from pydl4j.conf.initializers import *
