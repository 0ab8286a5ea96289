"""A network as boxes and lines."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Protocol

from pydl4j.conf.rows import INPUT, VERTEX, Row, rows
from pydl4j.plot.axes import new_axes
from pydl4j.plot.layout import Box, Layout, Line, lay_out

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pydl4j.conf.resolve import Resolution
    from pydl4j.conf.resolve_graph import GraphResolution

_LINE = "#8d95a0"
_TEXT = "#20262e"
_QUIET = "#5c6570"
_KINDS = {  # kind of a layer: its colour; what has another kind takes from the rest in turn
    INPUT: "#7a7f87",
    "convolution": "#2a7fb8",
    "feedforward": "#3f8f5b",
    "normalization": "#8a6fb0",
    "recurrent": "#c9822b",
    "output": "#c0504d",
    VERTEX: "#2f9c95",
}
_REST = ("#a8923a", "#b5588f", "#6b7fc4", "#8a7361", "#5f9ea0", "#9a9a4f")
_TIMES = "\N{MULTIPLICATION SIGN}"
_NAME, _SMALL, _MARK = 8.0, 7.0, 6.0  # sizes of text, in points
_PAD, _ROW, _TAB = 0.09, 0.155, 0.15  # room beside text, height of a line of text and of a preprocessor, in inches
_NARROWEST, _WIDEST = 1.5, 3.4
_BORDER, _TITLE, _LEGEND = 0.15, 0.26, 0.22  # around the diagram, in inches


class Described(Protocol):
    """A configuration of a network."""

    def resolve(self) -> "Resolution | GraphResolution":
        """Every layer or vertex with everything filled in."""
        ...


def network(conf: Described, ax: "Axes | None" = None) -> "Axes":
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
        ConfigError: As `resolve` of the configuration.
        ImportError: matplotlib is not installed.
    """
    resolution = conf.resolve()
    return _draw(rows(resolution), f"{type(conf).__name__}: {resolution.n_params:,} parameters", ax)


@dataclass(frozen=True)
class _Label:
    """The text of a box: one or two lines, each with something on the left and on the right."""

    lines: tuple[tuple[str, str], ...]
    mark: str
    """Its preprocessor."""
    kind: str

    @classmethod
    def of(cls, row: Row) -> "_Label":
        mark = type(row.preprocessor).__name__.removesuffix("PreProcessor") if row.preprocessor else ""
        output = _by(row.output_type.shape, f" {_TIMES} ") if row.output_type else "?"
        if row.what is None:
            return cls(((row.name, output),), mark, row.kind)
        params = [f"{row.n_params:,} parameters"] if row.n_params else []
        return cls(((row.name, row.type), (", ".join(_sizes(row) + params), output)), mark, row.kind)

    @property
    def height(self) -> float:
        return len(self.lines) * _ROW + _PAD + (_TAB if self.mark else 0)

    @property
    def width(self) -> float:
        widths = [
            _width(left, _NAME if i == 0 else _SMALL, bold=i == 0) + _width(right, _SMALL)
            for i, (left, right) in enumerate(self.lines)
        ]
        return max(widths) + 4 * _PAD


def _sizes(row: Row) -> list[str]:
    """The sizes of a layer by which one knows it."""
    about = row.core
    kernel, stride, n_in, n_out = (getattr(about, name, None) for name in ("kernel_size", "stride", "n_in", "n_out"))
    sizes = [str(getattr(about, name)) for name in ("pooling_type", "op") if hasattr(about, name)]
    if kernel:
        sizes.append(_by(kernel))
    if _by(stride or 1).strip(f"1{_TIMES}"):
        sizes.append(f"stride {_by(stride)}")
    if n_in and n_out:
        sizes.append(f"{n_in} → {n_out}")
    return sizes


def _by(size: object, times: str = _TIMES) -> str:
    """A number, or several with a sign between them."""
    return times.join("?" if n is None else str(n) for n in size) if isinstance(size, tuple) else str(size)


@lru_cache(maxsize=4096)
def _width(text: str, size: float, *, bold: bool = False) -> float:
    """The width of a text in inches."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    font = FontProperties(size=size, weight="bold" if bold else "normal")
    return float(text_to_path.get_text_width_height_descent(text, font, ismath=False)[0]) / 72


def _draw(found: Sequence[Row], title: str, ax: "Axes | None") -> "Axes":
    own = ax is None
    ax = new_axes(1, 1) if ax is None else ax
    labels = {row.label: _Label.of(row) for row in found}
    width = min(max(_NARROWEST, *(label.width for label in labels.values())), _WIDEST)
    sizes = {key: (width, label.height) for key, label in labels.items()}
    layout = lay_out(sizes, [(source, row.label) for row in found for source in row.inputs])
    colors = _colors(found)
    legend = _legend(colors, max(layout.width, _width(title, _NAME)))
    canvas = _Canvas(ax, layout, legend, own=own)
    canvas.text(0, -_TITLE + 0.05, title, _NAME, color=_QUIET)
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
        width = 0.4 + _width(kind, _SMALL)
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

    def __init__(self, ax: "Axes", layout: Layout, legend: Mapping[str, tuple[float, float]], *, own: bool) -> None:
        self.ax = ax
        left, right, top = -_BORDER, layout.width + _BORDER, -_BORDER - _TITLE
        right = max(right, *(x + 0.4 + _width(kind, _SMALL) for kind, (x, _) in legend.items()))
        bottom = layout.height + max(y for _, y in legend.values()) + _LEGEND / 2
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

    def box(self, box: Box, label: _Label, color: str) -> None:
        top = box.y
        if label.mark:
            self._mark(box, label.mark)
            top += _TAB
        self._rectangle(box.x, top, box.width, box.bottom - top, color)
        for i, (left, right) in enumerate(label.lines):
            y = top + _PAD / 2 + (i + 0.5) * _ROW + 0.005
            size, weight, tone = (_NAME, "bold", _TEXT) if i == 0 else (_SMALL, "normal", _QUIET)
            left = _elided(left, box.width - 3 * _PAD - _width(right, _SMALL), size, bold=i == 0)  # noqa: PLW2901
            self.text(box.x + _PAD, y, left, size, weight=weight, color=tone)
            self.text(box.x + box.width - _PAD, y, right, _SMALL, ha="right", color=color if i == 0 else _TEXT)

    def _mark(self, box: Box, mark: str) -> None:
        from matplotlib.patches import FancyBboxPatch

        width = _width(mark, _MARK) + 2 * _PAD
        style = f"round,pad=0,rounding_size={_TAB / 2}"
        left = box.center - width / 2
        patch = FancyBboxPatch((left, box.y), width, _TAB, boxstyle=style, facecolor="white", edgecolor=_LINE)
        patch.set_linewidth(0.7 * self.scale)
        self.ax.add_patch(patch)
        self.text(box.center, box.y + _TAB / 2 + 0.005, mark, _MARK, ha="center", color=_QUIET)

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
        self.text(x + 0.18, y, kind, _SMALL, color=_QUIET)


def _tint(color: str) -> tuple[float, float, float]:
    from matplotlib.colors import to_rgb

    red, green, blue = to_rgb(color)
    return (red * 0.12 + 0.88, green * 0.12 + 0.88, blue * 0.12 + 0.88)


def _elided(text: str, room: float, size: float, *, bold: bool) -> str:
    """``text``, or as much of it as there is room for."""
    shown = text
    while _width(shown, size, bold=bold) > room and len(text) > 1:
        text = text[:-1]
        shown = f"{text}…"
    return shown
