"""Transforms by kind."""

from pydl4j.conf.datavec.transforms.arrays import *
from pydl4j.conf.datavec.transforms.base import *
from pydl4j.conf.datavec.transforms.categories import *
from pydl4j.conf.datavec.transforms.columns import *
from pydl4j.conf.datavec.transforms.conditional import *
from pydl4j.conf.datavec.transforms.numbers import *
from pydl4j.conf.datavec.transforms.sequences import *
from pydl4j.conf.datavec.transforms.strings import *
from pydl4j.conf.datavec.transforms.text import *
from pydl4j.conf.datavec.transforms.times import *
