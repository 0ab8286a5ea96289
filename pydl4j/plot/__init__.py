"""Pictures: learning curves and confusion matrices, as matplotlib Axes."""

from pydl4j.plot.confusion import confusion_matrix
from pydl4j.plot.curves import learning_curve

__all__ = ["confusion_matrix", "learning_curve"]
