"""What a person sees while a network is trained: a bar in a terminal, a line per epoch elsewhere."""

import sys
from types import TracebackType
from typing import Any, Protocol, Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from pydl4j.nn.history import Epoch


class Display(Protocol):
    """Told of progress within an epoch, and of each epoch's end."""

    def __enter__(self) -> Self: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None: ...
    def progress(self, event: dict[str, Any]) -> None:
        """``event`` has ``epoch``, ``examples`` (done in it) and ``score`` (mean so far)."""

    def epoch(self, epoch: Epoch) -> None:
        """An epoch has ended."""


class Silent:
    """Shows nothing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        return None

    def progress(self, event: dict[str, Any]) -> None:
        """Nothing."""

    def epoch(self, epoch: Epoch) -> None:
        """Nothing."""


class Lines(Silent):
    """A line per epoch."""

    def __init__(self, prefix: str = "") -> None:
        self._prefix = prefix

    def epoch(self, epoch: Epoch) -> None:
        """Print the epoch."""
        print(f"{self._prefix}{epoch}", flush=True)  # this is the output


class Bar(Silent):
    """A bar with rate, score and time left over a line per finished epoch."""

    def __init__(self, epochs: int | None, examples: int, prefix: str = "", console: Console | None = None) -> None:
        self._examples = examples
        self._prefix = prefix
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}  score {task.fields[score]:.4f}  left"),
            TimeRemainingColumn(),
            console=console or Console(),
            transient=True,
        )
        self._task = self._bar.add_task(
            f"{prefix}epoch 1", total=epochs and epochs * examples, rate="", score=float("nan")
        )

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._bar.stop()

    def progress(self, event: dict[str, Any]) -> None:
        """Move the bar."""
        number = event["epoch"]
        speed = self._bar.tasks[self._task].speed
        self._bar.update(
            self._task,
            completed=(number - 1) * self._examples + event["examples"],
            description=f"{self._prefix}epoch {number}",
            score=float(event["score"]),  # JSON has NaN as text
            rate=f"{speed:,.0f} examples/s" if speed else "",
        )

    def epoch(self, epoch: Epoch) -> None:
        """Print the epoch over the bar."""
        self._bar.update(self._task, completed=epoch.number * self._examples, score=epoch.score)
        self._bar.console.print(f"{self._prefix}{epoch}", highlight=False)


def display(*, progress: bool, epochs: int | None, examples: int, prefix: str = "") -> Display:
    """A bar in a terminal, lines elsewhere; nothing without ``progress``. ``epochs`` is None where nobody knows how many there will be."""
    if not progress:
        return Silent()
    return Bar(epochs, examples, prefix) if sys.stdout.isatty() else Lines(prefix)
