"""DL4J's model zoo, as configurations."""

from pydl4j import _public
from pydl4j.conf.zoo import *

__dir__ = _public.public(globals())
