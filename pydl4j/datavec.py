"""Schemas of records, and processes that transform them: DataVec's, as data."""

from pydl4j.conf.datavec import *
