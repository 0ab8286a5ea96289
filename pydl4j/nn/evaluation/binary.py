"""How well outputs that each say yes or no do."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pydl4j.nn.evaluation.base import Counts, Floats, IEvaluation, Numbers, fraction, mean, share
from pydl4j.nn.evaluation.table import table


@dataclass(frozen=True, eq=False, repr=False)
class EvaluationBinary(IEvaluation):
    """Yes or no of each output on its own, as sigmoid units say it: DL4J's ``EvaluationBinary``.

    Figures are arrays [outputs]; ``average_...`` is their mean, leaving out outputs for which a figure is not defined. Labels above 0.5 say
    yes. Masks may be those of single outputs.
    """

    decision_threshold: float | Sequence[float] = field(default=0.5, kw_only=True)
    """Outputs above this say yes: one for all, or one for each."""
    _outcomes: Counts = field(default_factory=lambda: np.zeros((0, 4), np.int64), init=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        for value in self._thresholds:
            fraction(value, name="decision_threshold")

    @property
    def _thresholds(self) -> list[float]:
        given = self.decision_threshold
        return list(given) if isinstance(given, Sequence | np.ndarray) else [given]

    def _options(self) -> dict[str, Any]:
        return {"decision_threshold": [float(value) for value in self._thresholds]}

    def _read(self, numbers: Numbers, columns: int) -> dict[str, Any]:
        return {"_outcomes": numbers.counts(columns, 4)}

    def _outcome(self, index: int) -> Counts:
        self._require()
        return self._outcomes[:, index]

    @property
    def true_positives(self) -> Counts:
        """[outputs]: how often yes was said rightly."""
        return self._outcome(0)

    @property
    def false_positives(self) -> Counts:
        """[outputs]: how often yes was said wrongly."""
        return self._outcome(1)

    @property
    def true_negatives(self) -> Counts:
        """[outputs]: how often no was said rightly."""
        return self._outcome(2)

    @property
    def false_negatives(self) -> Counts:
        """[outputs]: how often no was said wrongly."""
        return self._outcome(3)

    @property
    def total_count(self) -> Counts:
        """[outputs]: how many examples (time steps, pixels) were looked at."""
        self._require()
        total: Counts = self._outcomes.sum(axis=1)
        return total

    @property
    def accuracy(self) -> Floats:
        """[outputs]: share of right answers."""
        return share(self.true_positives + self.true_negatives, self.total_count)

    @property
    def precision(self) -> Floats:
        """[outputs]: of those that are said to be, the share that is; NaN where yes was never said."""
        return share(self.true_positives, self.true_positives + self.false_positives)

    @property
    def recall(self) -> Floats:
        """[outputs]: of those that are, the share that is said to be; NaN where there are none."""
        return share(self.true_positives, self.true_positives + self.false_negatives)

    @property
    def f1(self) -> Floats:
        """[outputs]: harmonic mean of precision and recall; NaN where neither is defined."""
        right = 2 * self.true_positives
        return share(right, right + self.false_positives + self.false_negatives)

    @property
    def g_measure(self) -> Floats:
        """[outputs]: geometric mean of precision and recall; NaN where one of them is."""
        return np.sqrt(self.precision * self.recall)

    @property
    def false_positive_rate(self) -> Floats:
        """[outputs]: of those that are not, the share that is said to be; NaN where there are none."""
        return share(self.false_positives, self.false_positives + self.true_negatives)

    @property
    def false_negative_rate(self) -> Floats:
        """[outputs]: of those that are, the share that is said not to be; NaN where there are none."""
        return share(self.false_negatives, self.false_negatives + self.true_positives)

    @property
    def matthews_correlation(self) -> Floats:
        """[outputs]: correlation of being and being said to be, -1 to 1; NaN where one of them never, or always, is."""
        tp, fp, tn, fn = (self._outcome(i).astype(np.float64) for i in range(4))
        return share(tp * tn - fp * fn, np.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)))

    @property
    def average_accuracy(self) -> float:
        """Mean over the outputs."""
        return mean(self.accuracy)

    @property
    def average_precision(self) -> float:
        """Mean over the outputs for which it is defined."""
        return mean(self.precision)

    @property
    def average_recall(self) -> float:
        """Mean over the outputs for which it is defined."""
        return mean(self.recall)

    @property
    def average_f1(self) -> float:
        """Mean over the outputs for which it is defined."""
        return mean(self.f1)

    def _figures(self) -> dict[str, float]:
        return {
            "average_accuracy": self.average_accuracy,
            "average_precision": self.average_precision,
            "average_recall": self.average_recall,
            "average_f1": self.average_f1,
            "outputs": self._columns,
        }

    def __str__(self) -> str:
        if not self._columns:
            return repr(self)
        figures = {"accuracy": self.accuracy, "precision": self.precision, "recall": self.recall, "f1": self.f1}
        counts = {"total": self.total_count, "tp": self.true_positives, "fp": self.false_positives}
        counts |= {"tn": self.true_negatives, "fn": self.false_negatives}
        columns = figures | {name: values.astype(np.float64) for name, values in counts.items()}
        return table(self.names, columns, {name: mean(values) for name, values in figures.items()})
