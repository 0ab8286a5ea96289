"""Kinds of dropout, under DL4J's names."""

from pydl4j.conf.dropout import *
