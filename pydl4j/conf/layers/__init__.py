"""Layers by kind."""

from pydl4j.conf.layers.base import *
from pydl4j.conf.layers.convolution import *
from pydl4j.conf.layers.feedforward import *
from pydl4j.conf.layers.normalization import *
from pydl4j.conf.layers.output import *
from pydl4j.conf.layers.recurrent import *
