"""How well a classifier does."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from pydl4j.errors import ConfigError, DataError
from pydl4j.nn.evaluation.base import Counts, Floats, IEvaluation, Numbers, fraction, mean, option, share


@dataclass(frozen=True, eq=False, repr=False)
class Evaluation(IEvaluation):
    """Which classes are predicted, and which are there: DL4J's ``Evaluation``.

    With two classes precision, recall and F1 are those of class 1; with more they are means over the classes (macro), leaving out
    classes for which a figure is not defined: never predicted (precision), never there (recall), either (F1).

    >>> Evaluation.of([[50, 10], [5, 35]])
    Evaluation(accuracy=0.8500, precision=0.7778, recall=0.8750, f1=0.8235, examples=100)
    """

    top_n: int = field(default=1, kw_only=True)
    """Above 1, count how often the class is among so many with the largest outputs."""
    binary_decision_threshold: float | None = field(default=None, kw_only=True)
    """With two classes, class 1 is predicted where its output is above this; None: where it is the larger, or above 0.5."""
    cost_array: Sequence[float] | None = field(default=None, kw_only=True)
    """Weights of the classes' outputs, of which the largest is predicted."""
    _confusion: Counts = field(default_factory=lambda: np.zeros((0, 0), np.int64), init=False)
    _in_top: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        option(self.top_n, least=1, name="top_n")
        if self.binary_decision_threshold is not None:
            fraction(self.binary_decision_threshold, name="binary_decision_threshold")
        if self.cost_array is None:
            return
        if self.binary_decision_threshold is not None:
            raise ConfigError("expected cost_array or binary_decision_threshold, not both", path="cost_array")
        costs = np.asarray(self.cost_array, np.float64)
        if costs.ndim != 1 or not (costs >= 0).all() or not np.isfinite(costs).all():
            raise ConfigError(f"cost_array must be numbers >= 0. Received: {self.cost_array!r}", path="cost_array")
        object.__setattr__(self, "cost_array", tuple(costs.tolist()))

    @classmethod
    def of(cls, confusion: Any, labels: Sequence[str] | None = None) -> "Evaluation":
        """From a confusion matrix [classes, classes].

        Raises:
            DataError: the matrix is not square, or empty, or ``labels`` do not fit.
        """
        counts = np.array(confusion, np.int64)
        if counts.ndim != 2 or counts.shape[0] != counts.shape[1] or counts.sum() == 0:
            raise DataError(
                f"expected a square confusion matrix with at least one example. Received: shape {counts.shape}"
            )
        counts.setflags(write=False)
        return cls(labels=labels)._with({"_columns": len(counts), "_confusion": counts})

    def _options(self) -> dict[str, Any]:
        return {
            "top_n": int(self.top_n),
            "threshold": self.binary_decision_threshold,
            "cost_array": self.cost_array or (),
        }

    def _read(self, numbers: Numbers, columns: int) -> dict[str, Any]:
        classes = 2 if columns == 1 else columns
        return {"_in_top": numbers.count(), "_confusion": numbers.counts(classes, classes)}

    @property
    def columns(self) -> int:
        """How many classes there are."""
        return len(self._confusion)

    @property
    def confusion(self) -> Counts:
        """[classes, classes]: how often class i (row) was predicted as class j (column)."""
        self._require()
        return self._confusion

    @property
    def examples(self) -> int:
        """How many examples (or time steps, or pixels) were looked at."""
        return int(self.confusion.sum())

    @property
    def accuracy(self) -> float:
        """Share of examples whose class was predicted, 0 to 1."""
        return float(np.trace(self.confusion) / self.examples)

    @property
    def top_n_accuracy(self) -> float:
        """Share of examples whose class is among the ``top_n`` with the largest outputs, 0 to 1."""
        if self.top_n == 1 or self._columns == 1:
            return self.accuracy
        return self._in_top / self.examples

    @cached_property
    def class_precision(self) -> Floats:
        """[classes]: of those predicted as a class, the share that is; NaN for a class that was never predicted."""
        return share(np.diag(self.confusion), self.confusion.sum(axis=0))

    @cached_property
    def class_recall(self) -> Floats:
        """[classes]: of those in a class, the share that was predicted so; NaN for a class without examples."""
        return share(np.diag(self.confusion), self.confusion.sum(axis=1))

    @cached_property
    def class_f1(self) -> Floats:
        """[classes]: harmonic mean of precision and recall; NaN where one of them is."""
        return self.class_f_beta(1)

    def class_f_beta(self, beta: float) -> Floats:
        """[classes]: harmonic mean of precision and recall, recall with the weight ``beta`` squared; NaN where one of them is."""
        precision, recall = self.class_precision, self.class_recall
        weighted = beta**2 * precision + recall
        return np.where(weighted == 0, 0.0, share((1 + beta**2) * precision * recall, weighted))

    @cached_property
    def class_false_positive_rate(self) -> Floats:
        """[classes]: of those not in a class, the share that was predicted so; NaN for a class of all examples."""
        predicted, actual = self.confusion.sum(axis=0), self.confusion.sum(axis=1)
        return share(predicted - np.diag(self.confusion), self.examples - actual)

    @cached_property
    def class_matthews_correlation(self) -> Floats:
        """[classes]: correlation of being in a class and being predicted so, -1 to 1; NaN where one of them never, or always, is."""
        right = np.diag(self.confusion).astype(np.float64)
        predicted, actual = self.confusion.sum(axis=0).astype(np.float64), self.confusion.sum(axis=1).astype(np.float64)
        n = self.examples
        return share(right * n - predicted * actual, np.sqrt(predicted * actual * (n - predicted) * (n - actual)))

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

    def f_beta(self, beta: float) -> float:
        """Of class 1 with two classes, else the mean over classes."""
        return self._overall(self.class_f_beta(beta))

    @property
    def g_measure(self) -> float:
        """Geometric mean of precision and recall, averaged over the classes."""
        return float(np.sqrt(np.nan_to_num(self.class_precision) * np.nan_to_num(self.class_recall)).mean())

    @property
    def matthews_correlation(self) -> float:
        """Mean over the classes for which it is defined; DL4J gives NaN where it is not defined for one."""
        return mean(self.class_matthews_correlation)

    @property
    def false_alarm_rate(self) -> float:
        """Mean of the rates of false positives and false negatives: of class 1 with two classes, else averaged over the classes."""
        rates = (np.nan_to_num(self.class_false_positive_rate) + 1 - np.nan_to_num(self.class_recall, nan=1.0)) / 2
        return float(rates[1] if self.columns == 2 else rates.mean())

    def _overall(self, values: Floats) -> float:
        if self.columns == 2:
            return float(np.nan_to_num(values[1]))
        return float(np.nan_to_num(mean(values)))

    def _figures(self) -> dict[str, float]:
        top = {f"top_{self.top_n}_accuracy": self.top_n_accuracy} if self.top_n > 1 else {}
        figures = {"precision": self.precision, "recall": self.recall, "f1": self.f1, "examples": self.examples}
        return {"accuracy": self.accuracy, **top, **figures}

    def __str__(self) -> str:
        if not self._columns:
            return repr(self)
        return "\n".join([repr(self), "", "confusion matrix (rows: actual, columns: predicted)", self._matrix()])

    def _matrix(self) -> str:
        width = max(*(len(name) for name in self.names), len(str(self.confusion.max()))) + 1
        rows = ["".join(f"{cell:>{width}}" for cell in ("", *self.names))]
        for name, counts in zip(self.names, self.confusion, strict=True):
            rows.append("".join(f"{cell:>{width}}" for cell in (name, *("." if n == 0 else n for n in counts))))
        return "\n".join(rows)
