"""A network as boxes and lines."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from pydl4j.conf._kernel import refuse
from pydl4j.conf._summary import SummaryMethods
from pydl4j.conf.rows import INPUT, VERTEX, Row, rows
from pydl4j.plot.axes import new_axes
from pydl4j.plot.labels import LINE_HEIGHT, MARK_SIZE, NAME_SIZE, PAD, SMALL_SIZE, TAB_HEIGHT, Label, elided, text_width
from pydl4j.plot.layout import Box, Line, lay_out

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pydl4j.conf.graph import ComputationGraphConfiguration
    from pydl4j.conf.network import MultiLayerConfiguration

_LINE = "#8d95a0"
_TEXT = "#20262e"
_QUIET = "#5c6570"
_KINDS = {  # kind of a layer: its colour; what has another kind takes from the rest in turn
    INPUT: "#7a7f87",
    "convolution": "#2a7fb8",
    "pooling": "#5a6fc0",
    "upsampling": "#4f9fc4",
    "feedforward": "#3f8f5b",
    "normalization": "#8a6fb0",
    "recurrent": "#c9822b",
    "output": "#c0504d",
    VERTEX: "#2f9c95",
}
_REST = ("#a8923a", "#b5588f", "#8a7361", "#6f8f2f", "#5f8a9a")
_NARROWEST, _WIDEST = 1.5, 3.8  # boxes
_BORDER, _TITLE, _LEGEND = 0.15, 0.26, 0.22  # around the diagram, in inches


def network(conf: "MultiLayerConfiguration | ComputationGraphConfiguration", ax: "Axes | None" = None) -> "Axes":
    """Draw the layers or vertices of a network, and what feeds which.

    A box has the layer's name and class, its sizes and number of parameters, and the shape of its output for one example;
    a tab above it is its preprocessor. Its colour tells the kind of layer.

    Args:
        conf: The configuration of the network.
        ax: Axes to draw on; by default those of a new figure, as large as the network needs:
            ``ax.figure.savefig("network.svg")`` writes it.

    Returns:
        The matplotlib Axes.

    Raises:
        ConfigError: As `resolve` of the configuration, or ``conf`` is none.
        ImportError: matplotlib is not installed.
    """
    resolution = _configuration(conf).resolve()
    return _draw(rows(resolution), f"{type(conf).__name__}: {resolution.n_params:,} parameters", ax)


def _configuration(given: object) -> SummaryMethods:
    if isinstance(given, SummaryMethods):
        return given
    hint = " (MultiLayerConfiguration.from_json reads a document)" if isinstance(given, str) else ""
    raise refuse("plot.network", f"must have the configuration of a network{hint}", given)


def _draw(found: Sequence[Row], title: str, ax: "Axes | None") -> "Axes":
    own = ax is None
    ax = new_axes(1, 1) if ax is None else ax
    labels = {row.label: Label.of(row) for row in found}
    width = min(max(_NARROWEST, *(label.width for label in labels.values())), _WIDEST)
    sizes = {key: (width, label.height) for key, label in labels.items()}
    layout = lay_out(sizes, [(source, row.label) for row in found for source in row.inputs])
    colors = _colors(found)
    widest = max(layout.width, text_width(title, NAME_SIZE))
    legend = _legend(colors, widest)
    canvas = _Canvas(ax, widest, layout.height + max(y for _, y in legend.values()), own=own)
    canvas.text(0, -_TITLE + 0.05, title, NAME_SIZE, color=_QUIET)
    for line in layout.lines:
        canvas.line(line)
    for key, label in labels.items():
        canvas.box(layout.boxes[key], label, colors[label.kind])
    for kind, (x, y) in legend.items():
        canvas.swatch(x, layout.height + y, kind, colors[kind])
    return ax


def _legend(kinds: Iterable[str], room: float) -> dict[str, tuple[float, float]]:
    """Where the kinds are listed below the diagram, in as many lines as they need."""
    places, x, y = {}, 0.0, _LEGEND
    for kind in kinds:
        width = 0.4 + text_width(kind, SMALL_SIZE)
        if x and x + width > room:
            x, y = 0.0, y + _LEGEND
        places[kind] = (x, y)
        x += width
    return places


def _colors(found: Sequence[Row]) -> dict[str, str]:
    kinds = list(dict.fromkeys(row.kind for row in found))
    others = [kind for kind in kinds if kind not in _KINDS]
    return {kind: _KINDS.get(kind) or _REST[others.index(kind) % len(_REST)] for kind in kinds}


class _Canvas:
    """Axes in inches from the left upper corner, with text that has the size of the boxes."""

    def __init__(self, ax: "Axes", width: float, height: float, *, own: bool) -> None:
        self.ax = ax
        left, right, top, bottom = -_BORDER, width + _BORDER, -_BORDER - _TITLE, height + _BORDER
        if own:
            ax.figure.set_size_inches(right - left, bottom - top)  # type: ignore[union-attr]
            ax.set_position((0, 0, 1, 1))
        ax.set(xlim=(left, right), ylim=(bottom, top), aspect="equal")
        ax.set_axis_off()
        room = ax.get_window_extent()
        dpi = ax.figure.dpi
        self.scale = min(room.width / dpi / (right - left), room.height / dpi / (bottom - top))

    def text(self, x: float, y: float, text: str, size: float, **style: object) -> None:
        # names are no mathematics, whatever signs are in them
        self.ax.text(x, y, text, fontsize=size * self.scale, va="center", parse_math=False, **style)  # type: ignore[arg-type]

    def box(self, box: Box, label: Label, color: str) -> None:
        top = box.y
        if label.mark:
            self._mark(box, label.mark)
            top += TAB_HEIGHT
        self._rectangle(box.x, top, box.width, box.bottom - top, color)
        for i, (left, right) in enumerate(label.lines):
            y = top + PAD / 2 + (i + 0.5) * LINE_HEIGHT + 0.005
            size, weight, tone = (NAME_SIZE, "bold", _TEXT) if i == 0 else (SMALL_SIZE, "normal", _QUIET)
            right = elided(right, box.width - 7 * PAD, SMALL_SIZE, bold=False)  # noqa: PLW2901
            left = elided(left, box.width - 4 * PAD - text_width(right, SMALL_SIZE), size, bold=i == 0)  # noqa: PLW2901
            self.text(box.x + PAD, y, left, size, weight=weight, color=tone)
            self.text(box.x + box.width - PAD, y, right, SMALL_SIZE, ha="right", color=color if i == 0 else _TEXT)

    def _mark(self, box: Box, mark: str) -> None:
        from matplotlib.patches import FancyBboxPatch

        width = text_width(mark, MARK_SIZE) + 2 * PAD
        style = f"round,pad=0,rounding_size={TAB_HEIGHT / 2}"
        left = box.center - width / 2
        patch = FancyBboxPatch((left, box.y), width, TAB_HEIGHT, boxstyle=style, facecolor="white", edgecolor=_LINE)
        patch.set_linewidth(0.7 * self.scale)
        self.ax.add_patch(patch)
        self.text(box.center, box.y + TAB_HEIGHT / 2 + 0.005, mark, MARK_SIZE, ha="center", color=_QUIET)

    def _rectangle(self, x: float, y: float, width: float, height: float, color: str) -> None:
        from matplotlib.patches import FancyBboxPatch

        style = "round,pad=0,rounding_size=0.05"
        patch = FancyBboxPatch((x, y), width, height, boxstyle=style, facecolor=_tint(color), edgecolor=color)
        patch.set_linewidth(0.9 * self.scale)
        self.ax.add_patch(patch)

    def line(self, line: Line) -> None:
        from matplotlib.patches import FancyArrowPatch
        from matplotlib.path import Path

        corners, codes = [line.points[0]], [Path.MOVETO]
        for (x0, y0), (x1, y1) in pairwise(line.points):
            if (x0, y0) == (x1, y1):
                continue
            if abs(x0 - x1) < 1e-6 or abs(y0 - y1) < 1e-6:
                corners.append((x1, y1))  # type: ignore[arg-type]
                codes.append(Path.LINETO)
            else:
                middle = (y0 + y1) / 2
                corners += [(x0, middle), (x1, middle), (x1, y1)]  # type: ignore[list-item]
                codes += [Path.CURVE4] * 3
        arrow = FancyArrowPatch(
            path=Path(corners, codes),
            arrowstyle="-|>",
            mutation_scale=6 * self.scale,
            color=_LINE,
            linewidth=0.9 * self.scale,
            joinstyle="round",
            zorder=0.5,
        )
        self.ax.add_patch(arrow)

    def swatch(self, x: float, y: float, kind: str, color: str) -> None:
        self._rectangle(x, y - 0.06, 0.12, 0.12, color)
        self.text(x + 0.18, y, kind, SMALL_SIZE, color=_QUIET)


def _tint(color: str) -> tuple[float, float, float]:
    from matplotlib.colors import to_rgb

    red, green, blue = to_rgb(color)
    return (red * 0.12 + 0.88, green * 0.12 + 0.88, blue * 0.12 + 0.88)
