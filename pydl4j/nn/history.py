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
