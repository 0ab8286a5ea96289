"""Constraints on parameters, under DL4J's names."""

from pydl4j import _public
from pydl4j.conf.constraints import *

__dir__ = _public.public(globals())
