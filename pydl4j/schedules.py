"""Schedules of rates and other numbers, under DL4J's names."""

from pydl4j.conf.schedules import *
