"""How well outputs rank what is above what is not."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from pydl4j.errors import DataError
from pydl4j.plot.axes import new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_GREY = "#8a8a8a"
_MOST_NAMES = 12  # of curves; with more the legend would hide them


class CurveLike(Protocol):
    """What is drawn of one curve."""

    @property
    def false_positive_rate(self) -> NDArray[np.float64]:
        """[points], 0 to 1."""
        ...

    @property
    def true_positive_rate(self) -> NDArray[np.float64]:
        """[points], 0 to 1; recall."""
        ...

    @property
    def precision(self) -> NDArray[np.float64]:
        """[points], 0 to 1."""
        ...

    @property
    def auc(self) -> float:
        """Area under the curve."""
        ...

    @property
    def auprc(self) -> float:
        """Area under precision against recall."""
        ...


class RocLike(Protocol):
    """What is drawn of an evaluation."""

    @property
    def roc_curves(self) -> Sequence[CurveLike]:
        """One for each class or output."""
        ...

    @property
    def names(self) -> Sequence[str]:
        """A name for each curve."""
        ...


def roc_curve(roc: RocLike | Mapping[str, RocLike], ax: "Axes | None" = None) -> "Axes":
    """Draw the rate of true positives against that of false positives, over all thresholds; a curve for each class or output.

    Args:
        roc: What ``evaluate(x, y, ROC())`` returned, or ``ROCBinary()`` or ``ROCMultiClass()``; or several by name, to compare.
        ax: Axes to draw on; by default those of a new figure, ``ax.figure.savefig("roc.png")`` writes it.

    Returns:
        The matplotlib Axes.

    Raises:
        DataError: There is no curve to draw.
        ImportError: matplotlib is not installed.
    """
    curves = _curves(roc)
    ax = new_axes(4.8, 4.8) if ax is None else ax
    ax.plot([0, 1], [0, 1], color=_GREY, linewidth=0.8, linestyle=":")
    for name, curve in curves.items():
        label = f"{name}: {curve.auc:.4f}" if name else f"area {curve.auc:.4f}"
        ax.plot(curve.false_positive_rate, curve.true_positive_rate, linewidth=1.6, label=label)
    _finish(ax, "false positive rate", "true positive rate", len(curves))
    return ax


def precision_recall_curve(roc: RocLike | Mapping[str, RocLike], ax: "Axes | None" = None) -> "Axes":
    """Draw precision against recall, over all thresholds; arguments as for :func:`roc_curve`."""
    curves = _curves(roc)
    ax = new_axes(4.8, 4.8) if ax is None else ax
    for name, curve in curves.items():
        label = f"{name}: {curve.auprc:.4f}" if name else f"area {curve.auprc:.4f}"
        ax.plot(curve.true_positive_rate, curve.precision, linewidth=1.6, label=label)
    _finish(ax, "recall", "precision", len(curves))
    return ax


def _curves(roc: RocLike | Mapping[str, RocLike]) -> dict[str, CurveLike]:
    given = {"": roc} if not isinstance(roc, Mapping) else roc
    curves: dict[str, CurveLike] = {}
    for name, one in given.items():
        alone = len(one.roc_curves) == 1
        for label, curve in zip(one.names, one.roc_curves, strict=True):
            curves[" ".join(filter(None, [name, "" if alone else label]))] = curve
    if not curves:
        raise DataError("roc: expected at least one evaluation to draw. Received: none")
    return curves


def _finish(ax: "Axes", x: str, y: str, curves: int) -> None:
    ax.set_xlabel(x)
    ax.set_ylabel(y)
    ax.set_xlim(0, 1)
    ax.set_ylim(0, 1.01)
    ax.set_aspect("equal")
    ax.grid(visible=True, color=_GREY, alpha=0.2, linewidth=0.8)
    ax.spines[["top", "right"]].set_visible(False)
    if curves <= _MOST_NAMES:
        ax.legend(frameon=False, loc="best", fontsize="small", title="area" if curves > 1 else None)
