"""Figures as text."""

from collections.abc import Mapping, Sequence

from pydl4j.nn.evaluation.base import Floats

_MOST_ROWS = 100


def table(names: Sequence[str], columns: Mapping[str, Floats], means: Mapping[str, float]) -> str:
    """A row for each name, and a last one of means."""
    rows = [("", *columns)]
    values = list(columns.values())
    for i, name in enumerate(names[:_MOST_ROWS]):
        rows.append((name, *(_number(column[i]) for column in values)))
    if len(names) > _MOST_ROWS:
        rows.append((f"({len(names) - _MOST_ROWS} more)", *("" for _ in values)))
    rows.append(("mean", *(_number(means[name]) if name in means else "" for name in columns)))
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join("  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)


def _number(value: float) -> str:
    whole = float(value).is_integer() and abs(value) >= 1
    return f"{value:.0f}" if whole else f"{value:.4g}" if abs(value) >= 1e4 or 0 < abs(value) < 1e-3 else f"{value:.4f}"
