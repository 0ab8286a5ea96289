"""Vertices of graphs by kind."""

from pydl4j.conf.vertices.attention import *
from pydl4j.conf.vertices.base import *
from pydl4j.conf.vertices.combine import *
from pydl4j.conf.vertices.sequence import *
from pydl4j.conf.vertices.transform import *
