"""`SummaryMethods`: the tables that ``summary()`` returns and that notebooks show."""

from collections.abc import Sequence
from numbers import Integral
from typing import Any

from pydl4j.conf._html import html_table
from pydl4j.conf._kernel import in_call, refuse
from pydl4j.conf._memory import estimate
from pydl4j.conf.layers.base import Layer
from pydl4j.conf.resolve import Resolution
from pydl4j.conf.resolve_graph import GraphResolution
from pydl4j.conf.rows import Row, rows, shape

__all__ = ["SummaryMethods", "layer_html"]

_LAYERS = ("Layer (type)", "nIn, nOut", "Parameters", "Shapes", "Output shape")
_VERTICES = ("Vertex (type)", "nIn, nOut", "Parameters", "Shapes", "Output shape", "Inputs")
_NUMBERS = (2,)
_WIDEST = 60
"""Characters of the shapes of the parameters, of which some layers have many."""
_Line = tuple[str, ...]


class SummaryMethods:
    """``summary`` and what notebooks show, over ``resolve``."""

    def resolve(self) -> Resolution | GraphResolution:
        """The network with everything filled in. Raises `ConfigError`."""
        raise NotImplementedError

    def summary(self, *, batch_size: int | None = None) -> str:
        """A table of the layers or vertices: types, sizes, parameters, output shapes; and with a batch size the memory needed.

        Shapes have the minibatch first, as ``?``; so have time series of unknown length.

        Raises:
            ConfigError: As `resolve`, or ``batch_size`` is no positive number.

        """
        return _summarize(self.resolve(), batch_size)

    def _repr_html_(self) -> str:
        return _network_html(type(self).__name__, self.resolve())


def _size(batch_size: Any) -> int:
    if isinstance(batch_size, bool) or not isinstance(batch_size, Integral) or batch_size < 1:
        raise refuse("batch_size", "must be an int >= 1", batch_size)
    return int(batch_size)


def _summarize(resolution: Resolution | GraphResolution, batch_size: int | None) -> str:
    if batch_size is not None:
        batch_size = _size(batch_size)
    found = rows(resolution)
    table = _table(found, resolution)
    width = [max(map(len, column)) for column in zip(*table, strict=True)]
    rule = "-" * (sum(width) + 2 * (len(width) - 1))
    header, *body = (_aligned(line, width) for line in table)
    totals = [_total(found, resolution)]
    if batch_size is not None:
        totals += ["", str(estimate(found, resolution.data_type, batch_size))]
    return "\n".join([header, rule, *body, rule, *totals])


def _network_html(title: str, resolution: Resolution | GraphResolution) -> str:
    """The summary of a network for a notebook."""
    found = rows(resolution)
    header, *lines = _table(found, resolution)
    return html_table(title, header, lines, numbers=_NUMBERS, note=_total(found, resolution))


def layer_html(layer: Layer) -> str:
    """The options of a layer that are not the defaults, for a notebook."""
    options = {
        name: getattr(layer, name) for name, o in type(layer).options().items() if getattr(layer, name) != o.default
    }
    return html_table(type(layer).__name__, ("Option", "Value"), [(name, in_call(v)) for name, v in options.items()])


def _table(found: Sequence[Row], resolution: Resolution | GraphResolution) -> list[_Line]:
    """The header, a line for each row and one for each preprocessor."""
    if isinstance(resolution, GraphResolution):
        return [_VERTICES, *((*line, inputs) for row in found for line, inputs in _with_inputs(row))]
    return [_LAYERS, *(line for row in found for line in _lines(row))]


def _with_inputs(row: Row) -> list[tuple[_Line, str]]:
    """The lines of a row, the last of them with the names of its inputs."""
    *above, line = _lines(row)
    return [*((other, "") for other in above), (line, ", ".join(row.inputs))]


def _lines(row: Row) -> list[_Line]:
    if row.what is None:
        return [(row.name, "", "", "", shape(row.output_type))]
    sizes = [getattr(row.core, name, None) for name in ("n_in", "n_out")]
    shapes = _in_a_line([f"{key}:{list(size)}" for key, size in row.param_shapes.items()])
    line = (
        f"{row.label} ({row.type})",
        ", ".join(str(size) for size in sizes) if any(sizes) else "-",
        f"{row.n_params:,}",
        shapes or "-",
        shape(row.output_type),
    )
    if row.preprocessor is None:
        return [line]
    return [(f"  {type(row.preprocessor).__name__}", "", "", "", shape(row.input_type)), line]


def _in_a_line(texts: Sequence[str]) -> str:
    """Texts, as many of the first and of the last as there is room for."""
    line = ", ".join(texts)
    for kept in range(len(texts) - 1, 1, -1):
        if len(line) <= _WIDEST:
            break
        line = ", ".join([*texts[: (kept + 1) // 2], "...", *texts[-(kept // 2) :]])
    return line


def _aligned(line: _Line, width: Sequence[int]) -> str:
    cells = [
        text.rjust(w) if i in _NUMBERS else text.ljust(w) for i, (text, w) in enumerate(zip(line, width, strict=True))
    ]
    return "  ".join(cells).rstrip()


def _total(found: Sequence[Row], resolution: Resolution | GraphResolution) -> str:
    """Parameters of the network, and how many of them are not trained."""
    frozen = sum(row.n_frozen for row in found)
    held = f", of these trainable: {resolution.n_params - frozen:,}, frozen: {frozen:,}" if frozen else ""
    return f"Total parameters: {resolution.n_params:,} ({resolution.data_type}){held}"
