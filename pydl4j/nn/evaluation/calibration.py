"""Whether outputs are probabilities."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from pydl4j.errors import DataError
from pydl4j.nn.evaluation.base import Counts, Floats, IEvaluation, Numbers, option, share
from pydl4j.nn.evaluation.table import table

_NONE = np.zeros((0, 0), np.int64)


class ReliabilityDiagram(NamedTuple):
    """How often a class is there where an output gives it a certain probability; bins without outputs are left out."""

    mean_predicted_value: Floats
    """[bins]: mean of the outputs in a bin."""
    fraction_positives: Floats
    """[bins]: share of them for which the class is there. The same as the mean, if outputs are probabilities."""
    counts: Counts
    """[bins]: how many outputs there are."""


class Histogram(NamedTuple):
    """Counts in bins of one width between 0 and 1."""

    edges: Floats
    """[bins + 1]"""
    counts: Counts
    """[bins]"""


@dataclass(frozen=True, eq=False, repr=False)
class EvaluationCalibration(IEvaluation):
    """Whether outputs are the probabilities of classes: DL4J's ``EvaluationCalibration``."""

    reliability_diag_num_bins: int = field(default=10, kw_only=True)
    """Bins of the reliability diagrams."""
    histogram_num_bins: int = field(default=50, kw_only=True)
    """Bins of the histograms."""
    _positives: Counts = field(default_factory=lambda: _NONE, init=False)
    _totals: Counts = field(default_factory=lambda: _NONE, init=False)
    _sums: Floats = field(default_factory=lambda: np.zeros((0, 0)), init=False)
    _labels: Counts = field(default_factory=lambda: _NONE, init=False)
    _predictions: Counts = field(default_factory=lambda: _NONE, init=False)
    _residuals: Counts = field(default_factory=lambda: _NONE, init=False)
    _class_residuals: Counts = field(default_factory=lambda: _NONE, init=False)
    _probabilities: Counts = field(default_factory=lambda: _NONE, init=False)
    _class_probabilities: Counts = field(default_factory=lambda: _NONE, init=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        option(self.reliability_diag_num_bins, least=1, name="reliability_diag_num_bins")
        option(self.histogram_num_bins, least=1, name="histogram_num_bins")

    def _options(self) -> dict[str, Any]:
        return {
            "reliability_diag_num_bins": int(self.reliability_diag_num_bins),
            "histogram_num_bins": int(self.histogram_num_bins),
        }

    def _read(self, numbers: Numbers, columns: int) -> dict[str, Any]:
        classes, bins, wide = columns, self.reliability_diag_num_bins, self.histogram_num_bins
        return {
            "_positives": numbers.counts(bins, classes),
            "_totals": numbers.counts(bins, classes),
            "_sums": numbers.floats(bins, classes),
            "_labels": numbers.counts(classes),
            "_predictions": numbers.counts(classes),
            "_residuals": numbers.counts(wide),
            "_class_residuals": numbers.counts(wide, classes),
            "_probabilities": numbers.counts(wide),
            "_class_probabilities": numbers.counts(wide, classes),
        }

    @property
    def label_counts(self) -> Counts:
        """[classes]: how many examples of each class there are."""
        self._require()
        return self._labels

    @property
    def prediction_counts(self) -> Counts:
        """[classes]: how often each class has the largest output."""
        self._require()
        return self._predictions

    def reliability_diagram(self, index: int) -> ReliabilityDiagram:
        """Of a class, by its index."""
        column = self._index(index)
        totals = self._totals[:, column]
        there = totals > 0
        return ReliabilityDiagram(
            share(self._sums[there, column], totals[there]),
            share(self._positives[there, column], totals[there]),
            totals[there],
        )

    def residual_plot(self, index: int | None = None) -> Histogram:
        """How far outputs are from labels (0 to 1): of all outputs, or of the class' own for its examples."""
        counts = self._residuals if index is None else self._class_residuals[:, self._index(index)]
        return self._histogram(counts)

    def probability_histogram(self, index: int | None = None) -> Histogram:
        """How large outputs are (0 to 1): all of them, or the class' own for its examples."""
        counts = self._probabilities if index is None else self._class_probabilities[:, self._index(index)]
        return self._histogram(counts)

    @property
    def expected_calibration_error(self) -> Floats:
        """[classes]: how far a class' share is from its outputs, averaged over the outputs. 0 for outputs that are probabilities."""
        self._require()
        return share(np.abs(self._sums - self._positives).sum(axis=0), self._totals.sum(axis=0))

    def _histogram(self, counts: Counts) -> Histogram:
        self._require()
        return Histogram(np.linspace(0, 1, self.histogram_num_bins + 1), counts)

    def _index(self, index: int) -> int:
        self._require()
        if not 0 <= index < self._columns:
            raise DataError(
                f"index must be from 0 to {self._columns - 1}, as there are so many classes. Received: {index}"
            )
        return index

    def _figures(self) -> dict[str, float]:
        error = float(self.expected_calibration_error.mean())
        return {
            "expected_calibration_error": error,
            "classes": self._columns,
            "examples": int(self.prediction_counts.sum()),
        }

    def __str__(self) -> str:
        if not self._columns:
            return repr(self)
        columns = {
            "calibration error": self.expected_calibration_error,
            "labels": self.label_counts.astype(np.float64),
            "predictions": self.prediction_counts.astype(np.float64),
        }
        return table(self.names, columns, {"calibration error": float(self.expected_calibration_error.mean())})
