"""Transfer learning, under DL4J's names: ``network.transfer_learning(TransferLearning(...))``."""

from pydl4j import _public
from pydl4j.conf.transferlearning import *

__dir__ = _public.public(globals())
