"""What a person sees while a network is trained: a bar in a terminal or a notebook, lines elsewhere."""

import html
import time
from importlib import import_module
from types import TracebackType
from typing import Any, Self

from rich.console import Console
from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as RichProgress

from pydl4j.nn.history import Epoch, Progress
from pydl4j.nn.listener import TrainingListener

_LINE_SECONDS = 30.0
_CELL_SECONDS = 0.5


class Display(TrainingListener):
    """Shows nothing. Used around the fit that it shows."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        return None


class Lines(Display):
    """A line per epoch, and one every half minute of a long epoch."""

    def __init__(self, prefix: str = "") -> None:
        self._prefix = prefix
        self._last = time.monotonic()

    def on_epoch_start(self, epoch: int) -> None:
        """Count the half minute from here."""
        self._last = time.monotonic()

    def on_progress(self, progress: Progress) -> None:
        """Print it where nothing was printed for long."""
        if time.monotonic() - self._last >= _LINE_SECONDS:
            self._print(progress)

    def on_epoch_end(self, epoch: Epoch) -> None:
        """Print the epoch."""
        self._print(epoch)

    def _print(self, what: Epoch | Progress) -> None:
        self._last = time.monotonic()
        print(f"{self._prefix}{what}", flush=True)  # this is the output


class Bar(Display):
    """A bar with minibatches, rate, score, workers and time left over a line per finished epoch."""

    def __init__(self, epochs: int | None, examples: int, prefix: str = "", console: Console | None = None) -> None:
        self._epochs = epochs
        self._examples = examples
        self._prefix = prefix
        self._bar = RichProgress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.fields[now]}  left"),
            TimeRemainingColumn(),
            console=console or Console(),
            transient=True,
        )
        self._task = self._bar.add_task(f"{prefix}epoch 1", total=epochs and epochs * examples, now="")

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._bar.stop()

    def on_epoch_start(self, epoch: int) -> None:
        """Move to its begin."""
        done = (epoch - 1) * self._examples
        self._bar.update(self._task, completed=done, description=f"{self._prefix}{_epoch(epoch, self._epochs)}")

    def on_progress(self, progress: Progress) -> None:
        """Move the bar."""
        done = (progress.epoch - 1) * self._examples + progress.examples
        self._bar.update(self._task, completed=done, now=_now(progress))

    def on_epoch_end(self, epoch: Epoch) -> None:
        """Print the epoch over the bar."""
        self._bar.update(self._task, completed=epoch.number * self._examples)
        self._bar.console.print(f"{self._prefix}{epoch}", highlight=False)


class Cell(Display):
    """A bar below a cell of a notebook, drawn by the browser, under a line per finished epoch."""

    def __init__(self, epochs: int | None, examples: int, prefix: str = "") -> None:
        self._epochs = epochs
        self._examples = examples
        self._prefix = prefix
        self._lines: list[str] = []
        self._handle: Any = None
        self._last = 0.0

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._draw("", None)

    def on_progress(self, progress: Progress) -> None:
        """Move the bar, twice a second."""
        if time.monotonic() - self._last < _CELL_SECONDS:
            return
        done = (progress.epoch - 1) * self._examples + progress.examples
        self._draw(f"{self._prefix}{_epoch(progress.epoch, self._epochs)}  {_now(progress)}", done)

    def on_epoch_end(self, epoch: Epoch) -> None:
        """Add the epoch above the bar."""
        self._lines.append(f"{self._prefix}{epoch}")
        self._draw("", epoch.number * self._examples)

    def _draw(self, now: str, done: int | None) -> None:
        show = import_module("IPython.display").display  # which is there where there are cells
        self._last = time.monotonic()
        text = "\n".join([*self._lines, now]).rstrip()
        picture = f"<pre>{html.escape(text)}</pre>"
        if done is not None:
            total = "" if self._epochs is None else f' value="{done}" max="{self._epochs * self._examples}"'
            picture += f'<progress style="width: 100%"{total}></progress>'
        bundle = {"text/plain": text, "text/html": picture}
        if self._handle is None:
            self._handle = show(bundle, raw=True, display_id=True)
        else:
            self._handle.update(bundle, raw=True)


def _epoch(number: int, epochs: int | None) -> str:
    return f"epoch {number}" if epochs is None else f"epoch {number}/{epochs}"


def _now(progress: Progress) -> str:
    parts = [
        f"minibatch {progress.minibatch:,}/{progress.minibatches:,}",
        f"{progress.examples_per_second:,.0f} examples/s",
        f"score {progress.score:.4f}",
        progress.staff,
    ]
    return "  ".join(part for part in parts if part)


def display(*, progress: bool, epochs: int | None, examples: int, prefix: str = "") -> Display:
    """A bar in a terminal or a notebook, lines elsewhere; nothing without ``progress``. ``epochs`` is None where nobody knows them."""
    if not progress:
        return Display()
    console = Console()
    if console.is_jupyter:
        return Cell(epochs, examples, prefix)
    return Bar(epochs, examples, prefix, console) if console.is_terminal else Lines(prefix)
