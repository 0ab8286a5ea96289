"""The text in the boxes of a diagram, and how much room it needs."""

from dataclasses import dataclass
from functools import lru_cache

from pydl4j.conf.activations import IActivation
from pydl4j.conf.layers.feedforward import ActivationLayer
from pydl4j.conf.rows import Row

__all__ = ["LINE_HEIGHT", "MARK_SIZE", "NAME_SIZE", "PAD", "SMALL_SIZE", "TAB_HEIGHT", "Label", "elided", "text_width"]

_TIMES = "\N{MULTIPLICATION SIGN}"
NAME_SIZE, SMALL_SIZE, MARK_SIZE = 8.0, 7.0, 6.0
"""Sizes of text, in points: names, all else, and preprocessors."""
PAD, LINE_HEIGHT, TAB_HEIGHT = 0.09, 0.155, 0.15
"""Room beside text, height of a line of text and of a preprocessor, in inches."""


@dataclass(frozen=True)
class Label:
    """The text of a box: one or two lines, each with something on the left and on the right."""

    lines: tuple[tuple[str, str], ...]
    mark: str
    """Its preprocessor."""
    kind: str

    @classmethod
    def of(cls, row: Row) -> "Label":
        """What is written of a layer, vertex or input."""
        mark = type(row.preprocessor).__name__.removesuffix("PreProcessor") if row.preprocessor else ""
        output = _by(row.output_type.shape, f" {_TIMES} ") if row.output_type else "?"
        if row.what is None:
            return cls(((row.name, output),), mark, row.kind)
        params = [f"{row.n_params:,} parameters"] if row.n_params else []
        return cls(((row.name, row.type), (", ".join(_sizes(row) + params), output)), mark, row.kind)

    @property
    def height(self) -> float:
        """Of the box, in inches."""
        return len(self.lines) * LINE_HEIGHT + PAD + (TAB_HEIGHT if self.mark else 0)

    @property
    def width(self) -> float:
        """Of the box, in inches."""
        widths = [
            text_width(left, NAME_SIZE if i == 0 else SMALL_SIZE, bold=i == 0) + text_width(right, SMALL_SIZE)
            for i, (left, right) in enumerate(self.lines)
        ]
        return max(widths) + 4 * PAD


def _sizes(row: Row) -> list[str]:
    """The sizes of a layer by which one knows it."""
    about = row.core
    kernel, stride, size = (getattr(about, name, None) for name in ("kernel_size", "stride", "size"))
    sizes = [str(getattr(about, name)) for name in ("pooling_type", "op") if hasattr(about, name)]
    sizes += [_by(kernel)] if kernel else []
    sizes += [f"stride {_by(stride, once=True)}"] if stride and stride not in {1, (1,), (1, 1), (1, 1, 1)} else []
    sizes += [f"size {_by(size, once=True)}"] if size else []
    n_in, n_out = getattr(about, "n_in", None), getattr(about, "n_out", None)
    sizes += [f"{n_in} → {n_out}"] if n_in and n_out else []
    if isinstance(about, ActivationLayer) and isinstance(about.activation, IActivation):
        sizes.append(about.activation.shown().strip("'"))
    return sizes


def _by(size: object, times: str = _TIMES, *, once: bool = False) -> str:
    """A number, or several with a sign between them; ``once`` if they are equal."""
    if not isinstance(size, tuple):
        return str(size)
    return str(size[0]) if once and len(set(size)) == 1 else times.join("?" if n is None else str(n) for n in size)


@lru_cache(maxsize=4096)
def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """The width of a text in inches."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    font = FontProperties(size=size, weight="bold" if bold else "normal")
    return float(text_to_path.get_text_width_height_descent(text, font, ismath=False)[0]) / 72


def elided(text: str, room: float, size: float, *, bold: bool) -> str:
    """``text``, or as much of it as there is room for."""
    shown = text
    while text_width(shown, size, bold=bold) > room and len(text) > 1:
        text = text[:-1]
        shown = f"{text}…"
    return shown
