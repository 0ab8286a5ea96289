"""Evaluations, under DL4J's names: ``net.evaluate(x, y, ROC())``, or several in one pass: ``net.evaluate(x, y, [Evaluation(), ROC()])``."""

from pydl4j import _public
from pydl4j.nn.evaluation import *

__dir__ = _public.public(globals())
