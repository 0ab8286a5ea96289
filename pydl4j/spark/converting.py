"""What a person sees while a DataFrame is converted: a line that counts in a terminal, a line now and then elsewhere."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

from rich.console import Console

Told = Callable[[int], object]
"""Called with the rows that were converted so far."""

_PLAIN_EVERY = 10.0  # seconds between two plain lines


def untold(_rows: int) -> None:
    """For who does not want to know."""


@contextmanager
def converting(what: str, *, progress: bool) -> Iterator[Told]:
    """Show how many rows were converted, for as long as that takes."""
    if not progress:
        yield untold
    elif sys.stdout.isatty():
        with Console().status(what) as status:
            yield lambda rows: status.update(f"{what}: {rows:,} rows")
    else:
        yield _Lines(what)


class _Lines:
    def __init__(self, what: str) -> None:
        self._what = what
        self._said = monotonic()

    def __call__(self, rows: int) -> None:
        if monotonic() - self._said >= _PLAIN_EVERY:
            self._said = monotonic()
            print(f"{self._what}: {rows:,} rows", flush=True)  # this is the output
