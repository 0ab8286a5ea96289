"""Pictures: learning curves, confusion matrices and networks, as matplotlib Axes."""

from pydl4j import _public
from pydl4j.plot.confusion import confusion_matrix
from pydl4j.plot.curves import learning_curve
from pydl4j.plot.diagram import network

__all__ = ["confusion_matrix", "learning_curve", "network"]

__dir__ = _public.public(globals())
