"""Where the time of a fit on Spark went."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal, overload

if TYPE_CHECKING:
    import pandas as pd

Phase = Literal["broadcast", "wait", "gather", "average", "receive", "load", "fit", "drain", "serialize"]


@dataclass(frozen=True)
class Span:
    """What the driver or a worker did for some time."""

    epoch: int
    """From 1."""
    round: int
    """Of the epoch, from 1."""
    worker: int | None
    """Number of the worker's partition, from 0; None for the driver."""
    executor: str
    """Spark's id of it; ``"driver"`` for the driver."""
    host: str
    """Of the executor; empty for the driver."""
    phase: Phase
    """The driver's: ``broadcast`` hands the state out, ``wait`` lasts until the last worker has ended, ``gather`` until its result is there,
    ``average`` puts the results into the network. A worker's: ``receive`` gets the state, ``load`` reads minibatches, ``fit`` trains them,
    ``drain`` waits for the updates of others (sharing gradients), ``serialize`` makes its state bytes. Loads and fits
    take turns; each stands for all of a round, one behind the other."""
    start: float
    """Seconds since the first round began, by the driver's clock."""
    seconds: float
    """How long it took."""
    minibatches: int = 0
    """That were trained in it."""
    bytes: int = 0
    """Of parameters and updater's state that were sent by it."""


class TrainingStats(Sequence[Span]):
    """The spans of a fit, in order of rounds. No clock is asked but those of the machines: nothing needs the internet.

    ``offsets`` has the seconds by which each executor's clock is ahead of the driver's. A worker begins after its state was handed out, and
    ends before its result is there; where its clock says otherwise, it is taken to be off by the middle of what is possible, else by 0.
    """

    def __init__(self) -> None:
        self._rounds: list[tuple[int, int, Mapping[str, Any]]] = []
        self._spans: tuple[Span, ...] | None = ()

    def add(self, epoch: int, rounds: Sequence[Mapping[str, Any]]) -> None:
        """The rounds of an epoch, as ``org.pydl4j.spark.RoundTimes`` tells of them."""
        self._rounds += [(epoch, number, times) for number, times in enumerate(rounds, 1)]
        self._spans = None

    @property
    def offsets(self) -> dict[str, float]:
        """By executor: seconds that its clock is ahead of the driver's."""
        return _offsets([times for _, _, times in self._rounds])

    @property
    def spans(self) -> tuple[Span, ...]:
        """The spans, in order."""
        if self._spans is None:
            offsets = self.offsets
            zero = self._rounds[0][2]["began"] if self._rounds else 0.0
            self._spans = tuple(
                span
                for epoch, number, times in self._rounds
                for span in _spans(epoch, number, times, zero=zero, offsets=offsets)
            )
        return self._spans

    @overload
    def __getitem__(self, key: int) -> Span: ...
    @overload
    def __getitem__(self, key: slice) -> tuple[Span, ...]: ...
    def __getitem__(self, key: int | slice) -> Span | tuple[Span, ...]:
        return self.spans[key]

    def __len__(self) -> int:
        return len(self.spans)

    def __iter__(self) -> Iterator[Span]:
        return iter(self.spans)

    def __repr__(self) -> str:
        return self.summary() if len(self) else "TrainingStats()"

    def summary(self) -> str:
        """A table: how often there was each phase, its seconds in all, mean and longest in milliseconds."""
        lines = [f"{'':9}{'phase':11}{'count':>7}{'seconds':>10}{'mean ms':>10}{'longest ms':>12}"]
        for driver in (True, False):
            by_phase: dict[str, list[float]] = {}
            for span in self.spans:
                if (span.worker is None) == driver:
                    by_phase.setdefault(span.phase, []).append(span.seconds)
            for phase, seconds in by_phase.items():
                mean, longest = 1e3 * sum(seconds) / len(seconds), 1e3 * max(seconds)
                who = "driver" if driver else "workers"
                lines.append(f"{who:9}{phase:11}{len(seconds):>7}{sum(seconds):>10.3f}{mean:>10.2f}{longest:>12.2f}")
        return "\n".join(lines)

    def to_pandas(self) -> "pd.DataFrame":
        """A pandas DataFrame with a row per span. Needs pandas."""
        import pandas as pd  # optional, and slow to load

        return pd.DataFrame([asdict(span) for span in self.spans])


def _offsets(rounds: Iterable[Mapping[str, Any]]) -> dict[str, float]:
    least: dict[str, float] = {}
    most: dict[str, float] = {}
    for times in rounds:
        handed_out = times["began"] + times["broadcast"]
        there = handed_out + times["wait"]
        for worker in times["workers"]:
            name = worker["executor"]
            least[name] = max(least.get(name, float("-inf")), worker["ended"] - there)
            most[name] = min(most.get(name, float("inf")), worker["began"] - handed_out)
    return {name: 0.0 if least[name] <= 0 <= most[name] else (least[name] + most[name]) / 2 for name in least}


def _spans(
    epoch: int, number: int, times: Mapping[str, Any], *, zero: float, offsets: Mapping[str, float]
) -> Iterator[Span]:
    start = times["began"] - zero
    handed_out = start + times["broadcast"]
    there = handed_out + times["wait"]
    ends = [worker["ended"] - zero - offsets[worker["executor"]] for worker in times["workers"]]
    last = min(max(ends, default=there), there)
    driver: list[tuple[Phase, float, float, int]] = [
        ("broadcast", start, times["broadcast"], times["bytes"]),
        ("wait", handed_out, last - handed_out, 0),
        ("gather", last, there - last, 0),
        ("average", there, times["average"], 0),
    ]
    for phase, at, seconds, size in driver:
        if seconds > 0:
            yield Span(epoch, number, None, "driver", "", phase, at, seconds, bytes=size)
    for worker in times["workers"]:
        yield from _of_worker(epoch, number, worker, worker["began"] - zero - offsets[worker["executor"]])


def _of_worker(epoch: int, number: int, worker: Mapping[str, Any], start: float) -> Iterator[Span]:
    phases: tuple[Phase, ...] = ("receive", "load", "fit", "drain", "serialize")
    at = start
    for phase in phases:
        if worker[phase] == 0:
            continue
        yield Span(
            epoch,
            number,
            worker["worker"],
            worker["executor"],
            worker["host"],
            phase,
            at,
            worker[phase],
            minibatches=worker["minibatches"] if phase == "fit" else 0,
            bytes=worker["bytes"] if phase == "serialize" else 0,
        )
        at += worker[phase]
