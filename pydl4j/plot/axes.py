"""Axes to draw on."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def new_axes(width: float, height: float) -> "Axes":
    """Make the Axes of a new figure, which belongs to no window and to no ``pyplot`` state.

    Raises:
        ImportError: matplotlib is not installed; the message names what to install.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ImportError("pictures need matplotlib: pip install 'pydl4j[plot]'") from error
    # not pyplot: the user's backend and current figure stay as they are
    figure = Figure(figsize=(width, height), layout="constrained")
    return figure.add_subplot()
