"""How training went."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from pydl4j.errors import DataError
from pydl4j.plot.axes import new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SCORE, _ACCURACY = "#1f5fa8", "#c8571b"
_GREY = "#8a8a8a"


class EpochLike(Protocol):
    """What is drawn of an epoch."""

    @property
    def number(self) -> int:
        """From 1."""
        ...

    @property
    def score(self) -> float:
        """On the training data."""
        ...

    @property
    def validation_score(self) -> float | None:
        """On the validation data, where there are some."""
        ...

    @property
    def validation_accuracy(self) -> float | None:
        """On the validation data, for a classifier."""
        ...


def learning_curve(
    history: "Iterable[EpochLike] | Mapping[str, Iterable[EpochLike]]", ax: "Axes | None" = None
) -> "Axes":
    """Draw the score of each epoch, and where there is validation data its score and accuracy (on a second axis).

    Args:
        history: What `fit` returned; or several of them by name, to compare.
        ax: Axes to draw on; by default those of a new figure, ``ax.figure.savefig("curve.png")`` writes it.

    Returns:
        The matplotlib Axes.

    Raises:
        DataError: There is no epoch to draw.
        ImportError: matplotlib is not installed.
    """
    epochs = _by_name(history)
    if not any(epochs.values()):
        raise DataError("history: expected at least one epoch to draw. Received: none")
    ax = new_axes(7, 4.2) if ax is None else ax
    _draw(ax, epochs)
    return ax


def _by_name(history: "Iterable[EpochLike] | Mapping[str, Iterable[EpochLike]]") -> dict[str, list[EpochLike]]:
    if isinstance(history, Mapping):
        return {str(name): list(run) for name, run in history.items()}
    return {"": list(history)}


def _draw(ax: "Axes", runs: Mapping[str, Sequence[EpochLike]]) -> None:
    right = _right_axis(ax) if any(e.validation_accuracy is not None for run in runs.values() for e in run) else None
    for style, (name, run) in zip(_styles(len(runs)), runs.items(), strict=True):
        label = f"{name}: " if name else ""
        _line(ax, run, "score", f"{label}score", color=_SCORE, linestyle=style)
        _line(ax, run, "validation_score", f"{label}validation score", color=_SCORE, alpha=0.45, linestyle=style)
        if right is not None:
            _line(right, run, "validation_accuracy", f"{label}validation accuracy", color=_ACCURACY, linestyle=style)
    _label(ax, right)


def _styles(count: int) -> list[str]:
    styles = ["-", "--", ":", "-."]
    return [styles[i % len(styles)] for i in range(count)]


def _line(ax: "Axes", run: Sequence[EpochLike], column: str, label: str, **style: object) -> None:
    points = [(e.number, getattr(e, column)) for e in run if getattr(e, column) is not None]
    if points:
        marker = "o" if len(points) == 1 else ""  # one epoch has no line
        ax.plot(*zip(*points, strict=True), label=label, marker=marker, linewidth=1.8, **style)  # type: ignore[arg-type]


def _right_axis(ax: "Axes") -> "Axes":
    right = ax.twinx()
    right.set_ylabel("accuracy", color=_ACCURACY)
    right.tick_params(axis="y", colors=_ACCURACY)
    right.spines[["top", "left"]].set_visible(False)
    return right


def _label(ax: "Axes", right: "Axes | None") -> None:
    from matplotlib.ticker import MaxNLocator

    ax.set_xlabel("epoch")
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.set_ylabel("score", color=_SCORE)
    ax.tick_params(axis="y", colors=_SCORE)
    ax.set_ylim(bottom=min(0, ax.get_ylim()[0]))
    ax.grid(visible=True, axis="both", color=_GREY, alpha=0.2, linewidth=0.8)
    ax.spines[["top"] if right else ["top", "right"]].set_visible(False)
    drawn = [line for axes in (ax, right) if axes is not None for line in axes.get_lines()]
    ax.legend(drawn, [str(line.get_label()) for line in drawn], frameon=False, loc="center right", fontsize="small")
