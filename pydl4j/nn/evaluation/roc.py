"""How well outputs rank what is above what is not."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from pydl4j.nn.evaluation.base import Counts, Floats, IEvaluation, Numbers, mean, option, share
from pydl4j.nn.evaluation.table import table


@dataclass(frozen=True, eq=False, repr=False)
class RocCurve:
    """What a classifier of yes and no does at each threshold, from the highest, where it never says yes, to the lowest."""

    thresholds: Floats
    """[points]: yes is said where the output is not less."""
    true_positives: Counts
    """[points]: how often yes is said rightly."""
    false_positives: Counts
    """[points]: how often yes is said wrongly."""
    positives: int
    """How many examples there are to say yes to."""
    negatives: int
    """How many there are to say no to."""

    @property
    def true_positive_rate(self) -> Floats:
        """[points]: of those that are, the share that is said to be; recall. The curve's y."""
        return share(self.true_positives, np.asarray(self.positives))

    @property
    def false_positive_rate(self) -> Floats:
        """[points]: of those that are not, the share that is said to be. The curve's x."""
        return share(self.false_positives, np.asarray(self.negatives))

    @property
    def recall(self) -> Floats:
        """[points]: the same as ``true_positive_rate``."""
        return self.true_positive_rate

    @property
    def precision(self) -> Floats:
        """[points]: of those that are said to be, the share that is; 1 where yes is never said."""
        found = self.true_positives + self.false_positives
        return np.where(found == 0, 1.0, share(self.true_positives, found))

    @cached_property
    def auc(self) -> float:
        """Area under the curve, by trapezoids; NaN without positives or without negatives."""
        x, y = self.false_positive_rate, self.true_positive_rate
        # with steps there may be outputs below the last threshold
        return _area(np.append(x, 1.0), np.append(y, 1.0))

    @cached_property
    def auprc(self) -> float:
        """Area under precision against recall, by trapezoids; NaN without positives."""
        return _area(self.recall, self.precision)

    def __repr__(self) -> str:
        return f"RocCurve(auc={self.auc:.4f}, auprc={self.auprc:.4f}, points={len(self.thresholds)})"


def _area(x: Floats, y: Floats) -> float:
    return float(np.sum(np.diff(x) * (y[1:] + y[:-1])) / 2)


def _curve(numbers: Numbers) -> RocCurve:
    points, positives, negatives = numbers.count(), numbers.count(), numbers.count()
    return RocCurve(numbers.floats(points), numbers.counts(points), numbers.counts(points), positives, negatives)


@dataclass(frozen=True, eq=False, repr=False)
class _Roc(IEvaluation):
    threshold_steps: int = 0
    """At how many thresholds between 0 and 1 to count, besides 0. 0: at every output that there is, which is exact, and keeps up to 2**25
    outputs; more are refused."""
    _curves: tuple[RocCurve, ...] = field(default=(), init=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        option(self.threshold_steps, least=0, name="threshold_steps")

    def _options(self) -> dict[str, Any]:
        return {"threshold_steps": int(self.threshold_steps)}

    def _read(self, numbers: Numbers, columns: int) -> dict[str, Any]:
        return {"_curves": tuple(_curve(numbers) for _ in range(self._of(columns)))}

    def _of(self, columns: int) -> int:
        """How many curves there are."""
        return columns

    @property
    def columns(self) -> int:
        """How many curves there are."""
        return len(self._curves)

    @property
    def roc_curves(self) -> tuple[RocCurve, ...]:
        """One for each class or output."""
        self._require()
        return self._curves


@dataclass(frozen=True, eq=False, repr=False)
class ROC(_Roc):
    """How well one output ranks yes above no, or the second of two classes above the first: DL4J's ``ROC``.

    Labels above 0.5 are yes. Equal outputs are one point of the curve. (In DL4J its order depends on how a sort leaves them.)
    """

    def _of(self, columns: int) -> int:
        return min(columns, 1)

    @property
    def roc_curve(self) -> RocCurve:
        """The curve, with precision and recall."""
        return self.roc_curves[0]

    @property
    def auc(self) -> float:
        """Area under the curve: the probability that a yes has a larger output than a no. NaN without either."""
        return self.roc_curve.auc

    @property
    def auprc(self) -> float:
        """Area under precision against recall; NaN without a yes."""
        return self.roc_curve.auprc

    def _figures(self) -> dict[str, float]:
        curve = self.roc_curve
        return {"auc": self.auc, "auprc": self.auprc, "positives": curve.positives, "negatives": curve.negatives}


@dataclass(frozen=True, eq=False, repr=False)
class _Rocs(_Roc):
    @property
    def auc(self) -> Floats:
        """Area under each curve [classes or outputs]; NaN where there are no examples of either kind."""
        return np.array([curve.auc for curve in self.roc_curves])

    @property
    def auprc(self) -> Floats:
        """Area under precision against recall [classes or outputs]; NaN where there are no positives."""
        return np.array([curve.auprc for curve in self.roc_curves])

    @property
    def average_auc(self) -> float:
        """Mean over those for which it is defined; DL4J gives NaN where one is not."""
        return mean(self.auc)

    @property
    def average_auprc(self) -> float:
        """Mean over those for which it is defined; DL4J gives NaN where one is not."""
        return mean(self.auprc)

    def _figures(self) -> dict[str, float]:
        return {"average_auc": self.average_auc, "average_auprc": self.average_auprc, "curves": len(self.roc_curves)}

    def __str__(self) -> str:
        if not self._columns:
            return repr(self)
        counts = [(curve.positives, curve.negatives) for curve in self.roc_curves]
        positives, negatives = np.array(counts, np.float64).T
        columns = {"AUC": self.auc, "AUPRC": self.auprc, "positives": positives, "negatives": negatives}
        return table(self.names, columns, {"AUC": self.average_auc, "AUPRC": self.average_auprc})


@dataclass(frozen=True, eq=False, repr=False)
class ROCBinary(_Rocs):
    """A curve for each output on its own, as of sigmoid units: DL4J's ``ROCBinary``. Masks may be those of single outputs."""


@dataclass(frozen=True, eq=False, repr=False)
class ROCMultiClass(_Rocs):
    """A curve for each class against all others: DL4J's ``ROCMultiClass``."""
