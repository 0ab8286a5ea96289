"""Small HTML tables for notebooks: no scripts, no resources from elsewhere, every text escaped."""

from collections.abc import Collection, Sequence
from html import escape

__all__ = ["html_table"]

_CELL = "padding: 2px 10px 2px 0; vertical-align: top"
_RULE = "border-bottom: 1px solid rgba(128, 128, 128, 0.5)"  # seen on light and on dark pages


def html_table(
    caption: str,
    header: Sequence[str],
    lines: Sequence[Sequence[str]],
    *,
    numbers: Collection[int] = (),
    note: str = "",
) -> str:
    """A table of texts. ``numbers`` are the columns to align at the right, ``note`` is preformatted text below it."""
    head = "".join(_cell("th", text, _RULE, right=i in numbers) for i, text in enumerate(header))
    body = "".join(
        "<tr>" + "".join(_cell("td", text, "", right=i in numbers) for i, text in enumerate(line)) + "</tr>\n"
        for line in lines
    )
    below = f'<pre style="margin: 4px 0; background: none">{escape(note)}</pre>\n' if note else ""
    return (
        "<div>\n"
        '<table style="border-collapse: collapse; font-size: 90%">\n'
        f'<caption style="text-align: left; font-weight: bold; padding-bottom: 4px">{escape(caption)}</caption>\n'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody>\n</table>\n{below}</div>"
    )


def _cell(tag: str, text: str, style: str, *, right: bool) -> str:
    align = "right" if right else "left"
    indent = (len(text) - len(text.lstrip())) * "&nbsp;"
    style = "; ".join(part for part in (_CELL, f"text-align: {align}", style) if part)
    return f'<{tag} style="{style}">{indent}{escape(text.lstrip())}</{tag}>'
