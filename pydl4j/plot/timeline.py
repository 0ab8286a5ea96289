"""Where the time of training on a cluster went."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol

from pydl4j.errors import DataError
from pydl4j.plot.axes import new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_COLORS = {
    "broadcast": "#1f5fa8",
    "wait": "#e6e6e6",
    "gather": "#7fa8d1",
    "average": "#12365f",
    "receive": "#7fa8d1",
    "load": "#e0a83a",
    "fit": "#c8571b",
    "drain": "#c9c9c9",
    "serialize": "#8a8a8a",
}
_GREY = "#8a8a8a"
_HEIGHT = 0.7


class SpanLike(Protocol):
    """What is drawn of a span of time."""

    @property
    def worker(self) -> int | None:
        """Its number; None for the driver."""
        ...

    @property
    def executor(self) -> str:
        """Where the worker was."""
        ...

    @property
    def phase(self) -> str:
        """What it did."""
        ...

    @property
    def start(self) -> float:
        """Seconds since training began."""
        ...

    @property
    def seconds(self) -> float:
        """How long."""
        ...


def timeline(stats: Iterable[SpanLike], ax: "Axes | None" = None) -> "Axes":
    """Draw what the driver and each worker did when, a lane each, a color for each phase.

    Args:
        stats: The ``training_stats`` of a network on Spark, or some of their spans: ``[span for span in stats if span.epoch == 1]``.
        ax: Axes to draw on; by default those of a new figure, ``ax.figure.savefig("timeline.png")`` writes it.

    Returns:
        The matplotlib Axes.

    Raises:
        DataError: There is no span to draw.
        ImportError: matplotlib is not installed.
    """
    lanes = _lanes(stats)
    if not lanes:
        raise DataError(
            "stats: expected at least one span to draw. Received: none; training masters record them with collect_training_stats=True"
        )
    ax = new_axes(9, 1.4 + 0.4 * len(lanes)) if ax is None else ax
    for row, spans in enumerate(lanes.values()):
        for phase, color in _COLORS.items():
            ranges = [(span.start, span.seconds) for span in spans if span.phase == phase]
            if ranges:
                ax.broken_barh(ranges, (row - _HEIGHT / 2, _HEIGHT), facecolors=color, linewidth=0)
    _label(ax, list(lanes), {span.phase for spans in lanes.values() for span in spans})
    return ax


def _lanes(stats: Iterable[SpanLike]) -> dict[str, list[SpanLike]]:
    spans = sorted(stats, key=lambda span: (-1 if span.worker is None else span.worker, span.start))
    single = len({span.executor for span in spans if span.worker is not None}) < 2
    lanes: dict[str, list[SpanLike]] = {}
    for span in spans:
        where = "" if single else f" (executor {span.executor})"
        lanes.setdefault("driver" if span.worker is None else f"worker {span.worker}{where}", []).append(span)
    return lanes


def _label(ax: "Axes", lanes: list[str], phases: set[str]) -> None:
    from matplotlib.patches import Patch

    ax.set_yticks(range(len(lanes)), lanes)
    ax.set_ylim(len(lanes) - 0.5, -0.5)
    ax.set_xlabel("seconds")
    ax.grid(visible=True, axis="x", color=_GREY, alpha=0.2, linewidth=0.8)
    ax.set_axisbelow(True)
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.tick_params(axis="y", length=0)
    patches = [Patch(color=color, label=phase) for phase, color in _COLORS.items() if phase in phases]
    ax.legend(handles=patches, frameon=False, fontsize="small", ncols=4, loc="lower left", bbox_to_anchor=(0, 1))
