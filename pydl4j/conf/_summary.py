"""The table that ``summary()`` returns."""

from collections.abc import Sequence

from pydl4j.conf.inputs import InputType, InputTypeRecurrent
from pydl4j.conf.resolve import Resolution, ResolvedLayer

_HEADER = ("Layer (type)", "nIn, nOut", "Parameters", "Shapes", "Output shape")


def summarize(resolution: Resolution) -> str:
    """A table with a line per layer and one for each preprocessor, and the total.

    Shapes have the minibatch first, as ``?``; so have time series of unknown length.
    """
    rows = [("input", "", "", "", _shape(resolution.input_type))]
    for place in resolution.layers:
        rows += _rows(place)
    width = [max(len(row[column]) for row in [_HEADER, *rows]) for column in range(len(_HEADER))]
    rule = "-" * (sum(width) + 2 * (len(width) - 1))
    lines = [_line(_HEADER, width), rule, *(_line(row, width) for row in rows), rule]
    return "\n".join([*lines, f"Total parameters: {resolution.n_params:,} ({resolution.data_type})"])


def _rows(place: ResolvedLayer) -> list[tuple[str, str, str, str, str]]:
    layer = place.layer
    sizes = [getattr(layer, name, None) for name in ("n_in", "n_out")]
    shapes = ", ".join(f"{key}:{list(shape)}" for key, shape in place.param_shapes.items())
    row = (
        f"{place.index} {place.name} ({type(layer).__name__})",
        ", ".join(str(size) for size in sizes) if any(sizes) else "-",
        f"{place.n_params:,}",
        shapes or "-",
        _shape(place.output_type),
    )
    if place.preprocessor is None:
        return [row]
    return [(f"  {type(place.preprocessor).__name__}", "", "", "", _shape(place.input_type)), row]


def _shape(input_type: InputType | None) -> str:
    if input_type is None:
        return "?"
    shape = f"[?, {', '.join('?' if size is None else str(size) for size in input_type.shape)}]"
    return (
        f"{shape} {input_type.format}"
        if isinstance(input_type, InputTypeRecurrent) and input_type.format == "nwc"
        else shape
    )


def _line(row: Sequence[str], width: Sequence[int]) -> str:
    cells = [
        cell.rjust(w) if column == 2 else cell.ljust(w) for column, (cell, w) in enumerate(zip(row, width, strict=True))
    ]
    return "  ".join(cells).rstrip()
