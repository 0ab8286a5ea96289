"""What a classifier took for what."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from pydl4j.plot.axes import new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_NUMBERS = 30  # with more classes the numbers would not fit into their cells


class EvaluationLike(Protocol):
    """What is drawn of an evaluation."""

    @property
    def confusion(self) -> NDArray[np.int64]:
        """Counts ``[actual, predicted]``."""
        ...

    @property
    def names(self) -> Sequence[str]:
        """A name for each class."""
        ...

    @property
    def accuracy(self) -> float:
        """Share of the examples whose class was predicted, 0 to 1."""
        ...


def confusion_matrix(evaluation: EvaluationLike, ax: "Axes | None" = None) -> "Axes":
    """Draw how often each class was predicted as which.

    A cell's colour is its share of the examples of the actual class, its number their count.

    Args:
        evaluation: What `evaluate` returned.
        ax: Axes to draw on; by default those of a new figure, ``ax.figure.savefig("confusion.png")`` writes it.

    Returns:
        The matplotlib Axes.

    Raises:
        ImportError: matplotlib is not installed.
    """
    counts = np.asarray(evaluation.confusion)
    size = 3 + 0.35 * min(len(counts), _MOST_NUMBERS)
    ax = new_axes(size, size) if ax is None else ax
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    ax.imshow(shares, cmap="Blues", vmin=0, vmax=1)
    _name_classes(ax, evaluation.names)
    if len(counts) <= _MOST_NUMBERS:
        _write_counts(ax, counts, shares)
    ax.set_title(f"accuracy {evaluation.accuracy:.4f}", fontsize="medium")
    return ax


def _name_classes(ax: "Axes", labels: Sequence[str]) -> None:
    turned = max(len(label) for label in labels) > 3
    ax.set_xticks(range(len(labels)), labels, rotation=90 if turned else 0)
    ax.set_yticks(range(len(labels)), labels)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    ax.set_xlabel("predicted")
    ax.set_ylabel("actual")


def _write_counts(ax: "Axes", counts: NDArray[np.int64], shares: NDArray[np.float64]) -> None:
    for (row, column), count in np.ndenumerate(counts):
        if count:
            color = "white" if shares[row, column] > 0.5 else "#222222"
            ax.text(column, row, str(count), ha="center", va="center", color=color, fontsize="small")
