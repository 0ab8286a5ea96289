"""Schemas of records, and processes that transform them: DataVec's, as data."""

from pydl4j import _public
from pydl4j.conf.datavec import *

__dir__ = _public.public(globals())
