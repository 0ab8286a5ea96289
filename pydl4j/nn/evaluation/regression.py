"""How well a regression does."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pydl4j.nn.evaluation.base import Counts, Floats, IEvaluation, Numbers, share
from pydl4j.nn.evaluation.table import table


@dataclass(frozen=True, eq=False, repr=False)
class RegressionEvaluation(IEvaluation):
    """Errors of each column of the output: DL4J's ``RegressionEvaluation``.

    Figures are arrays [columns]; ``average_...`` is their mean. Masks may be those of single columns.
    """

    _moments: Floats = field(default_factory=lambda: np.zeros((0, 8)), init=False)

    def _read(self, numbers: Numbers, columns: int) -> dict[str, Any]:
        return {"_moments": numbers.floats(columns, 8)}

    def _moment(self, index: int) -> Floats:
        self._require()
        return self._moments[:, index]

    @property
    def examples(self) -> Counts:
        """[columns]: how many examples (time steps, pixels) were looked at."""
        return self._moment(0).astype(np.int64)

    @property
    def label_mean(self) -> Floats:
        """[columns]: mean of the labels."""
        return self._moment(1)

    @property
    def prediction_mean(self) -> Floats:
        """[columns]: mean of the predictions."""
        return self._moment(2)

    @property
    def mean_squared_error(self) -> Floats:
        """[columns]: in the labels' unit, squared."""
        return share(self._moment(6), self._moment(0))

    @property
    def mean_absolute_error(self) -> Floats:
        """[columns]: in the labels' unit."""
        return share(self._moment(7), self._moment(0))

    @property
    def root_mean_squared_error(self) -> Floats:
        """[columns]: in the labels' unit."""
        return np.sqrt(self.mean_squared_error)

    @property
    def relative_squared_error(self) -> Floats:
        """[columns]: squared errors by those of predicting the labels' mean; infinite where the labels are all the same."""
        return share(self._moment(6), self._moment(3))

    @property
    def pearson_correlation(self) -> Floats:
        """[columns]: of labels and predictions, -1 to 1; NaN where one of them is always the same."""
        return share(self._moment(5), np.sqrt(self._moment(3) * self._moment(4)))

    @property
    def r_squared(self) -> Floats:
        """[columns]: the share of the labels' variance that is explained: 1 for no error, 0 for predicting their mean, below 0 for worse."""
        return 1 - self.relative_squared_error

    @property
    def average_mean_squared_error(self) -> float:
        """Mean over the columns."""
        return float(self.mean_squared_error.mean())

    @property
    def average_mean_absolute_error(self) -> float:
        """Mean over the columns."""
        return float(self.mean_absolute_error.mean())

    @property
    def average_root_mean_squared_error(self) -> float:
        """Mean over the columns."""
        return float(self.root_mean_squared_error.mean())

    @property
    def average_relative_squared_error(self) -> float:
        """Mean over the columns."""
        return float(self.relative_squared_error.mean())

    @property
    def average_pearson_correlation(self) -> float:
        """Mean over the columns."""
        return float(self.pearson_correlation.mean())

    @property
    def average_r_squared(self) -> float:
        """Mean over the columns."""
        return float(self.r_squared.mean())

    def _figures(self) -> dict[str, float]:
        return {
            "average_mean_squared_error": self.average_mean_squared_error,
            "average_mean_absolute_error": self.average_mean_absolute_error,
            "average_r_squared": self.average_r_squared,
            "columns": self._columns,
            "examples": int(self.examples.max()),
        }

    def __str__(self) -> str:
        if not self._columns:
            return repr(self)
        columns = {
            "MSE": self.mean_squared_error,
            "MAE": self.mean_absolute_error,
            "RMSE": self.root_mean_squared_error,
            "RSE": self.relative_squared_error,
            "PC": self.pearson_correlation,
            "R^2": self.r_squared,
        }
        return table(self.names, columns, {name: float(values.mean()) for name, values in columns.items()})
