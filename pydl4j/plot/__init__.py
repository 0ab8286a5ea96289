"""Pictures: learning curves, evaluations and networks, as matplotlib Axes."""

from pydl4j import _public
from pydl4j.plot.calibration import probabilities, reliability_diagram, residuals
from pydl4j.plot.confusion import confusion_matrix
from pydl4j.plot.curves import learning_curve
from pydl4j.plot.diagram import network
from pydl4j.plot.roc import precision_recall_curve, roc_curve
from pydl4j.plot.timeline import timeline

__all__ = [
    "confusion_matrix",
    "learning_curve",
    "network",
    "precision_recall_curve",
    "probabilities",
    "reliability_diagram",
    "residuals",
    "roc_curve",
    "timeline",
]

__dir__ = _public.public(globals())
