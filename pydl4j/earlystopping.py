"""Early stopping, under DL4J's names: ``fit(..., early_stopping=EarlyStoppingConfiguration(...))``."""

from pydl4j import _public
from pydl4j.conf.earlystopping import *

__dir__ = _public.public(globals())
