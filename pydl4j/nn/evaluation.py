"""How well a classifier does."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pydl4j.errors import DataError


@dataclass(frozen=True, eq=False, repr=False)
class Evaluation:
    """Figures of a classifier, from its confusion matrix; the same as DL4J's ``Evaluation`` gives.

    With two classes precision, recall and F1 are those of class 1; with more they are means over the classes (macro), leaving out
    classes for which a figure is not defined: never predicted (precision), never there (recall), either (F1).
    """

    confusion: NDArray[np.int64]
    """[classes, classes]: how often class i (row) was predicted as class j (column)."""
    labels: tuple[str, ...]
    """A name for each class; "0", "1", ... where none were given."""

    @classmethod
    def of(cls, confusion: NDArray[np.int64], labels: tuple[str, ...] | None = None) -> "Evaluation":
        """From a confusion matrix [classes, classes].

        Raises:
            DataError: the matrix is not square, or empty, or ``labels`` do not fit.
        """
        counts = np.array(confusion, np.int64)
        if counts.ndim != 2 or counts.shape[0] != counts.shape[1] or counts.sum() == 0:
            raise DataError(
                f"expected a square confusion matrix with at least one example. Received: shape {counts.shape}"
            )
        names = labels or tuple(str(i) for i in range(len(counts)))
        if len(names) != len(counts):
            raise DataError(f"expected {len(counts)} labels, one per class. Received: {len(names)}")
        counts.setflags(write=False)
        return cls(counts, names)

    @property
    def examples(self) -> int:
        """How many examples (or time steps) were looked at."""
        return int(self.confusion.sum())

    @property
    def accuracy(self) -> float:
        """Share of examples whose class was predicted, 0 to 1."""
        return float(np.trace(self.confusion) / self.examples)

    @cached_property
    def class_precision(self) -> NDArray[np.float64]:
        """[classes]: of those predicted as a class, the share that is; NaN for a class that was never predicted."""
        return _share(np.diag(self.confusion), self.confusion.sum(axis=0))

    @cached_property
    def class_recall(self) -> NDArray[np.float64]:
        """[classes]: of those in a class, the share that was predicted so; NaN for a class without examples."""
        return _share(np.diag(self.confusion), self.confusion.sum(axis=1))

    @cached_property
    def class_f1(self) -> NDArray[np.float64]:
        """[classes]: harmonic mean of precision and recall; NaN where one of them is."""
        precision, recall = self.class_precision, self.class_recall
        total = precision + recall
        return np.where(total == 0, 0.0, _share(2 * precision * recall, total))

    @property
    def precision(self) -> float:
        """Of class 1 with two classes, else the mean over classes."""
        return self._overall(self.class_precision)

    @property
    def recall(self) -> float:
        """Of class 1 with two classes, else the mean over classes."""
        return self._overall(self.class_recall)

    @property
    def f1(self) -> float:
        """Of class 1 with two classes, else the mean over classes."""
        return self._overall(self.class_f1)

    def _overall(self, values: NDArray[np.float64]) -> float:
        if len(values) == 2:
            return float(np.nan_to_num(values[1]))
        defined = values[~np.isnan(values)]
        return float(defined.mean()) if len(defined) else 0.0

    def __repr__(self) -> str:
        return (
            f"Evaluation(accuracy={self.accuracy:.4f}, precision={self.precision:.4f}, recall={self.recall:.4f}, "
            f"f1={self.f1:.4f}, examples={self.examples})"
        )

    def __str__(self) -> str:
        return "\n".join([repr(self), "", "confusion matrix (rows: actual, columns: predicted)", self._matrix()])

    def _matrix(self) -> str:
        width = max(*(len(name) for name in self.labels), len(str(self.confusion.max()))) + 1
        rows = ["".join(f"{cell:>{width}}" for cell in ("", *self.labels))]
        for name, counts in zip(self.labels, self.confusion, strict=True):
            rows.append("".join(f"{cell:>{width}}" for cell in (name, *("." if n == 0 else n for n in counts))))
        return "\n".join(rows)


def _share(part: NDArray[np.generic], whole: NDArray[np.generic]) -> NDArray[np.float64]:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.true_divide(part, whole), np.float64)
