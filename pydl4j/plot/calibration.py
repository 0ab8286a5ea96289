"""Whether outputs are probabilities."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from pydl4j.plot.axes import new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_BLUE, _GREY = "#1f5fa8", "#8a8a8a"
_MOST_CLASSES = 12  # with more the legend would hide the lines


class CalibrationLike(Protocol):
    """What is drawn of an evaluation."""

    @property
    def names(self) -> Sequence[str]:
        """A name for each class."""
        ...

    def reliability_diagram(self, index: int) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]:
        """Of a class: mean outputs, shares of positives and counts, [bins] each."""
        ...

    def residual_plot(self, index: int | None = None) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Of a class or all: edges [bins + 1] and counts [bins]."""
        ...

    def probability_histogram(self, index: int | None = None) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Of a class or all: edges [bins + 1] and counts [bins]."""
        ...


def reliability_diagram(
    calibration: CalibrationLike, classes: Sequence[int] | None = None, ax: "Axes | None" = None
) -> "Axes":
    """Draw how often a class is there where its output says how probable it is. Probabilities lie on the diagonal.

    Args:
        calibration: What ``evaluate(x, y, EvaluationCalibration())`` returned.
        classes: Indices of the classes to draw; by default all, up to 12.
        ax: Axes to draw on; by default those of a new figure, ``ax.figure.savefig("reliability.png")`` writes it.

    Returns:
        The matplotlib Axes.

    Raises:
        DataError: There is nothing to draw, or no such class.
        ImportError: matplotlib is not installed.
    """
    names = calibration.names
    drawn = range(min(len(names), _MOST_CLASSES)) if classes is None else classes
    ax = new_axes(4.8, 4.8) if ax is None else ax
    ax.plot([0, 1], [0, 1], color=_GREY, linewidth=0.8, linestyle=":")
    for index in drawn:
        means, shares, _ = calibration.reliability_diagram(index)
        ax.plot(means, shares, marker="o", markersize=3, linewidth=1.6, label=names[index])
    ax.set_xlabel("mean predicted probability")
    ax.set_ylabel("share of positives")
    ax.set_xlim(0, 1)
    ax.set_ylim(0, 1.01)
    ax.set_aspect("equal")
    ax.grid(visible=True, color=_GREY, alpha=0.2, linewidth=0.8)
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(frameon=False, loc="upper left", fontsize="small")
    return ax


def residuals(calibration: CalibrationLike, index: int | None = None, ax: "Axes | None" = None) -> "Axes":
    """Draw a histogram of how far outputs are from labels: of all, or of one class' own output for its examples.

    Args:
        calibration: What ``evaluate(x, y, EvaluationCalibration())`` returned.
        index: Of a class; None for all.
        ax: Axes to draw on; by default those of a new figure.

    Returns:
        The matplotlib Axes.

    Raises:
        DataError: There is nothing to draw, or no such class.
        ImportError: matplotlib is not installed.
    """
    return _histogram(calibration.residual_plot(index), "|label - output|", _of(calibration, index), ax)


def probabilities(calibration: CalibrationLike, index: int | None = None, ax: "Axes | None" = None) -> "Axes":
    """Draw a histogram of outputs: of all, or of one class' own output for its examples; arguments as for :func:`residuals`."""
    return _histogram(calibration.probability_histogram(index), "output", _of(calibration, index), ax)


def _of(calibration: CalibrationLike, index: int | None) -> str:
    return "all classes" if index is None else f"class {calibration.names[index]}"


def _histogram(
    histogram: tuple[NDArray[np.float64], NDArray[np.int64]], x: str, title: str, ax: "Axes | None"
) -> "Axes":
    edges, counts = histogram
    ax = new_axes(6, 3.6) if ax is None else ax
    ax.bar(edges[:-1], counts, width=np.diff(edges), align="edge", color=_BLUE, edgecolor="white", linewidth=0.4)
    ax.set_xlabel(x)
    ax.set_ylabel("count")
    ax.set_xlim(0, 1)
    ax.set_title(title, fontsize="medium")
    ax.spines[["top", "right"]].set_visible(False)
    return ax
