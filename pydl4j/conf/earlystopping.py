"""Early stopping: when training ends, which score it is judged by, and where the best network is kept."""

import os
from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydl4j.conf._codecs import AtLeast, Bits, CodecBase, Mismatch
from pydl4j.conf._kernel import Conf, refuse

__all__ = [
    "AutoencoderScoreCalculator",
    "BestScoreEpochTerminationCondition",
    "ClassificationScoreCalculator",
    "DataSetLossCalculator",
    "EarlyStoppingConfiguration",
    "EarlyStoppingModelSaver",
    "EpochTerminationCondition",
    "InMemoryModelSaver",
    "InvalidScoreIterationTerminationCondition",
    "IterationTerminationCondition",
    "LocalFileModelSaver",
    "MaxEpochsTerminationCondition",
    "MaxScoreIterationTerminationCondition",
    "MaxTimeIterationTerminationCondition",
    "ROCScoreCalculator",
    "RegressionScoreCalculator",
    "ScoreCalculator",
    "ScoreImprovementEpochTerminationCondition",
    "VAEReconErrorScoreCalculator",
    "VAEReconProbScoreCalculator",
]

_JAVA = "org.deeplearning4j.earlystopping."
_TERMINATION = _JAVA + "termination."
_SCORE = _JAVA + "scorecalc."

Positive = Annotated[int, AtLeast(1)]

TimeUnit = Literal["nanoseconds", "microseconds", "milliseconds", "seconds", "minutes", "hours", "days"]
ClassificationMetric = Literal["accuracy", "f1", "precision", "recall", "gmeasure", "mcc"]
RegressionMetric = Literal["mse", "mae", "rmse", "rse", "pc", "r2"]
"""Errors, of which less is better; ``pc`` (Pearson's correlation) and ``r2``, of which more is."""
RocType = Literal["roc", "binary", "multiclass"]
RocMetric = Literal["auc", "auprc"]


class EpochTerminationCondition(Conf):
    """Ends training after an epoch."""


class MaxEpochsTerminationCondition(EpochTerminationCondition, java=_TERMINATION + "MaxEpochsTerminationCondition"):
    """Ends training after ``max_epochs``."""

    max_epochs: Positive


class ScoreImprovementEpochTerminationCondition(
    EpochTerminationCondition,
    java=_TERMINATION + "ScoreImprovementEpochTerminationCondition",
    first=("maxEpochsWithNoImprovement", "minImprovement"),
):
    """Ends training when the score has not become better for ``max_epochs_with_no_improvement`` epochs: patience."""

    max_epochs_with_no_improvement: Annotated[int, AtLeast(0)]
    min_improvement: Annotated[float, AtLeast(0)] = 0.0
    """Only what is better by more than this counts as an improvement."""

    def derived(self) -> dict[str, Any]:
        return {"bestEpoch": -1, "bestScore": 0.0}


class BestScoreEpochTerminationCondition(
    EpochTerminationCondition, java=_TERMINATION + "BestScoreEpochTerminationCondition"
):
    """Ends training when the score is better than ``best_expected_score``."""

    best_expected_score: float


class IterationTerminationCondition(Conf):
    """Ends training after a minibatch."""


class MaxTimeIterationTerminationCondition(
    IterationTerminationCondition,
    java=_TERMINATION + "MaxTimeIterationTerminationCondition",
    first=("maxTimeAmount", "maxTimeUnit"),
):
    """Ends training after some time, counted from its start."""

    max_time_amount: Annotated[int, AtLeast(1), Bits(64)]
    max_time_unit: TimeUnit

    def derived(self) -> dict[str, Any]:
        return {"endTime": 0, "initializationTime": 0}


class MaxScoreIterationTerminationCondition(
    IterationTerminationCondition, java=_TERMINATION + "MaxScoreIterationTerminationCondition"
):
    """Ends training when the loss of a minibatch is above ``max_score``, or NaN."""

    max_score: float


class InvalidScoreIterationTerminationCondition(
    IterationTerminationCondition, java=_TERMINATION + "InvalidScoreIterationTerminationCondition"
):
    """Ends training when the loss of a minibatch is NaN or infinite; without it, that is a ``NaNScoreError``."""


class ScoreCalculator(Conf):
    """How good the network is on the data that ``fit`` has for validation."""


class DataSetLossCalculator(ScoreCalculator, java=_SCORE + "DataSetLossCalculator"):
    """The loss, regularization included; less is better."""

    average: bool = True
    """The mean of the examples, not their sum."""


class ClassificationScoreCalculator(ScoreCalculator, java=_SCORE + "ClassificationScoreCalculator"):
    """A metric of a classifier, DL4J's ``Evaluation.Metric``; more is better."""

    metric: ClassificationMetric


class RegressionScoreCalculator(ScoreCalculator, java=_SCORE + "RegressionScoreCalculator"):
    """A metric of a regression, DL4J's ``RegressionEvaluation.Metric``, averaged over the outputs."""

    metric: RegressionMetric


class ROCScoreCalculator(ScoreCalculator, java=_SCORE + "ROCScoreCalculator"):
    """Area under a receiver operating characteristic or precision-recall curve; more is better."""

    type: RocType
    """Of one class of two; ``binary``: averaged over independent outputs; ``multiclass``: over one class against the others."""
    metric: RocMetric = "auc"


class AutoencoderScoreCalculator(ScoreCalculator, java=_SCORE + "AutoencoderScoreCalculator"):
    """How well the first layer, an ``AutoEncoder``, reconstructs the features."""

    metric: RegressionMetric


class VAEReconErrorScoreCalculator(ScoreCalculator, java=_SCORE + "VAEReconErrorScoreCalculator"):
    """How well the first layer, a ``VariationalAutoencoder``, reconstructs the features.

    More is better for ``pc`` and ``r2``. (DL4J takes the least for the best of these, too.)
    """

    metric: RegressionMetric


class VAEReconProbScoreCalculator(ScoreCalculator, java=_SCORE + "VAEReconProbScoreCalculator"):
    """Probability with which the first layer, a ``VariationalAutoencoder``, reconstructs the features; more is better.

    With ``log_prob`` the score is the negative log probability, and less is better. (DL4J takes the greatest for the best.)
    """

    reconstruction_prob_num_samples: Positive
    """Samples drawn for each example."""
    log_prob: bool
    average: bool = True
    """The mean of the examples, not their sum."""


class _Path(CodecBase):
    """A path of the file system, kept as text."""

    def coerce(self, value: Any) -> str:
        path = os.fspath(value) if isinstance(value, str | os.PathLike) else None
        if isinstance(path, str):
            return path
        raise Mismatch("must be a path")

    def write(self, value: Any) -> Any:
        return value


Directory = Annotated[str | os.PathLike[str], _Path()]


class EarlyStoppingModelSaver(Conf):
    """Where networks are kept while training goes on."""


class InMemoryModelSaver(EarlyStoppingModelSaver, java=_JAVA + "saver.InMemoryModelSaver"):
    """In memory."""


class LocalFileModelSaver(EarlyStoppingModelSaver, java=_JAVA + "saver.LocalFileModelSaver"):
    """In a directory: DL4J's model files ``bestModel.bin`` and ``latestModel.bin``, each replaced whole.

    Of a graph they are ``bestGraph.bin`` and ``latestGraph.bin``. The network's ``load`` reads them, with the normalizer. The
    directory is made where it is missing.
    """

    directory: Directory


class EarlyStoppingConfiguration(Conf):
    """When a fit ends, and by which score it is judged; handed to ``fit(..., early_stopping=...)``.

    >>> EarlyStoppingConfiguration(
    ...     epoch_termination_conditions=[
    ...         MaxEpochsTerminationCondition(max_epochs=100),
    ...         ScoreImprovementEpochTerminationCondition(max_epochs_with_no_improvement=5),
    ...     ],
    ... ).score_calculator
    DataSetLossCalculator()
    """

    epoch_termination_conditions: Sequence[EpochTerminationCondition] = ()
    """Looked at in each epoch in which the score is calculated."""
    iteration_termination_conditions: Sequence[IterationTerminationCondition] = ()
    """Looked at after each minibatch."""
    score_calculator: ScoreCalculator | None = DataSetLossCalculator()
    """What the best network is best in. ``None`` where only iterations have conditions: there is no best network then."""
    evaluate_every_n_epochs: Positive = 1
    """The score is calculated after the epochs 1, n + 1, 2 n + 1, ..., as in DL4J, and after the last."""
    save_last_model: bool = False
    """Keep the network of the last calculated score, too."""
    model_saver: EarlyStoppingModelSaver = InMemoryModelSaver()

    def validate(self, path: str) -> None:
        if self.score_calculator is None and (self.epoch_termination_conditions or self.save_last_model):
            raise refuse(
                f"{path}.score_calculator",
                "must be given where there are epoch_termination_conditions or save_last_model: these are looked at when a score is calculated",
                None,
            )
