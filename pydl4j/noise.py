"""Weight noise, under DL4J's names."""

from pydl4j.conf.noise import *
