"""What happened in each epoch of a fit."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any, overload

if TYPE_CHECKING:
    import pandas as pd

    from pydl4j.nn.earlystopping import EarlyStoppingResult


@dataclass(frozen=True)
class Epoch:
    """One pass over the training data."""

    number: int
    """From 1, counted within the fit."""
    score: float
    """Mean score (loss with regularization) over the epoch's examples, each taken when it was trained on."""
    seconds: float
    """Time spent training, validation not included."""
    examples: int
    """Examples trained on."""
    validation_score: float | None = None
    """Mean score on the validation data after the epoch."""
    validation_accuracy: float | None = None
    """Accuracy on the validation data after the epoch, for a classifier."""

    @classmethod
    def of(cls, event: Mapping[str, Any]) -> "Epoch":
        """From the event that a training job emits at the end of an epoch."""

        def number(key: str) -> float | None:
            return float(event[key]) if key in event else None  # JSON has NaN and infinity as text

        return cls(
            number=event["epoch"],
            score=float(event["score"]),
            seconds=event["seconds"],
            examples=event["examples"],
            validation_score=number("validation_score"),
            validation_accuracy=number("validation_accuracy"),
        )

    def __str__(self) -> str:
        parts = [
            f"epoch {self.number}: score {self.score:.4f}",
            None if self.validation_score is None else f"validation score {self.validation_score:.4f}",
            None if self.validation_accuracy is None else f"validation accuracy {self.validation_accuracy:.4f}",
            f"{self.seconds:.2f} s",
            f"{self.examples / self.seconds:,.0f} examples/s" if self.seconds > 0 else None,
        ]
        return ", ".join(part for part in parts if part)


@dataclass(frozen=True)
class Progress:
    """How far an epoch is."""

    epoch: int
    """From 1, counted within the fit."""
    minibatch: int
    """Minibatches of the epoch that were trained."""
    minibatches: int
    """Minibatches of the epoch."""
    examples: int
    """Examples of the epoch that were trained on."""
    score: float
    """Mean score over those examples."""
    seconds: float
    """Since the epoch began, or since the fit went on within it."""
    examples_per_second: float
    """Since then."""
    workers: int | None = None
    """On Spark: workers that train at the same time."""
    executors: int | None = None
    """On a cluster: executors that are alive."""

    @classmethod
    def of(cls, event: Mapping[str, Any]) -> "Progress":
        """From the event that a training job emits."""
        seconds = event["seconds"]
        return cls(
            epoch=event["epoch"],
            minibatch=event["minibatches"],
            minibatches=event["of"],
            examples=event["examples"],
            score=float(event["score"]),  # JSON has NaN as text
            seconds=seconds,
            examples_per_second=event["new_examples"] / seconds if seconds > 0 else 0.0,
            workers=event.get("workers"),
            executors=event.get("executors"),
        )

    def __str__(self) -> str:
        parts = [
            f"epoch {self.epoch}: minibatch {self.minibatch:,} of {self.minibatches:,}",
            f"score {self.score:.4f}",
            f"{self.examples_per_second:,.0f} examples/s",
            self.staff or None,
        ]
        return ", ".join(part for part in parts if part)

    @property
    def staff(self) -> str:
        """Who trains, in words; empty in this process."""
        if self.workers is None:
            return ""
        on = "" if self.executors is None else f" on {_counted(self.executors, 'executor')}"
        return f"{_counted(self.workers, 'worker')}{on}"


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


class History(Sequence[Epoch]):
    """The epochs of a fit, in order; ``history["score"]`` is one column of them.

    ``history.early_stopping`` says why and how a fit with ``early_stopping`` ended; it is None for any other.

    >>> history = History((Epoch(1, 0.9, 0.5, 100), Epoch(2, 0.4, 0.5, 100)))
    >>> history["score"]
    [0.9, 0.4]
    """

    def __init__(self, epochs: Sequence[Epoch] = (), early_stopping: "EarlyStoppingResult | None" = None) -> None:
        self.epochs = tuple(epochs)
        self.early_stopping = early_stopping

    @overload
    def __getitem__(self, key: int) -> Epoch: ...
    @overload
    def __getitem__(self, key: slice) -> "History": ...
    @overload
    def __getitem__(self, key: str) -> list[float]: ...
    def __getitem__(self, key: int | slice | str) -> "Epoch | History | list[float]":
        if isinstance(key, slice):
            return History(self.epochs[key])
        if isinstance(key, int):
            return self.epochs[key]
        columns = [field.name for field in fields(Epoch)]
        if key not in columns:
            raise KeyError(f"expected one of {', '.join(columns)}. Received: {key!r}")
        return [getattr(epoch, key) for epoch in self.epochs]

    def __len__(self) -> int:
        return len(self.epochs)

    def __iter__(self) -> Iterator[Epoch]:
        return iter(self.epochs)

    def __repr__(self) -> str:
        return "\n".join(str(epoch) for epoch in self.epochs) or "History()"

    def to_pandas(self) -> "pd.DataFrame":
        """A pandas DataFrame with a row per epoch. Needs pandas."""
        import pandas as pd  # optional, and slow to load

        return pd.DataFrame([asdict(epoch) for epoch in self.epochs]).set_index("number")
