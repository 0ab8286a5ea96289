"""How far a download is: a bar on a terminal, plain lines elsewhere."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress

__all__ = ["Progress", "progress"]

_PLAIN_EVERY = 5.0  # seconds between two plain lines


class Progress(Protocol):
    """What a download reports to."""

    def start(self, name: str) -> Callable[[int], None]:
        """Begin the next file and return the function that counts its bytes."""
        ...


@contextmanager
def progress(files: int, size: int) -> Iterator[Progress]:
    """Show the download of ``files`` files with ``size`` bytes in all, on standard error."""
    if sys.stderr.isatty():
        with _bar(files, size) as bar:
            yield bar
    else:
        lines = _Lines(files, size)
        yield lines
        lines.done()


class _Lines:
    def __init__(self, files: int, size: int) -> None:
        self._files = files
        self._size = size
        self._file = 0
        self._bytes = 0
        self._began = self._said = monotonic()
        print(f"fetching {files} jars, {size / 1e6:.1f} MB", file=sys.stderr, flush=True)

    def start(self, name: str) -> Callable[[int], None]:
        self._file += 1

        def advance(size: int) -> None:
            self._bytes += size
            if monotonic() - self._said >= _PLAIN_EVERY:
                self._say(name)

        return advance

    def _say(self, name: str) -> None:
        self._said = monotonic()
        rate = self._bytes / max(self._said - self._began, 1e-3)
        left = f", {(self._size - self._bytes) / rate:.0f} s left" if rate > 0 else ""
        done = f"{self._bytes / 1e6:.1f} of {self._size / 1e6:.1f} MB, {rate / 1e6:.1f} MB/s{left}"
        print(f"{done}: jar {self._file} of {self._files}, {name}", file=sys.stderr, flush=True)

    def done(self) -> None:
        print(f"fetched {self._files} jars in {monotonic() - self._began:.1f} s", file=sys.stderr, flush=True)


@contextmanager
def _bar(files: int, size: int) -> Iterator[Progress]:
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, TextColumn, TimeRemainingColumn, TransferSpeedColumn
    from rich.progress import Progress as RichProgress

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
    )
    with RichProgress(*columns, console=Console(stderr=True)) as shown:
        yield _Bar(shown, files, size)


class _Bar:
    def __init__(self, shown: "RichProgress", files: int, size: int) -> None:
        self._shown = shown
        self._files = files
        self._file = 0
        self._task = shown.add_task("fetching", total=size)

    def start(self, name: str) -> Callable[[int], None]:
        self._file += 1
        self._shown.update(self._task, description=f"{self._file}/{self._files} {name}")
        return lambda size: self._shown.advance(self._task, size)
