"""How early stopping ended a fit."""

import tempfile
from collections.abc import Callable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from pydl4j.conf.earlystopping import (
    ClassificationScoreCalculator,
    DataSetLossCalculator,
    EarlyStoppingConfiguration,
    LocalFileModelSaver,
    MaxEpochsTerminationCondition,
    RegressionScoreCalculator,
    ROCScoreCalculator,
)
from pydl4j.data import arrays
from pydl4j.data.borders import Interface
from pydl4j.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pydl4j.data.normalizer import Normalizer
    from pydl4j.nn.base import Network

_REASONS: dict[str, Literal["epoch_termination_condition", "iteration_termination_condition"]] = {
    "EpochTerminationCondition": "epoch_termination_condition",
    "IterationTerminationCondition": "iteration_termination_condition",
}

_EVALUATE = ClassificationScoreCalculator | RegressionScoreCalculator | ROCScoreCalculator


@dataclass(frozen=True)
class EarlyStoppingResult:
    """Why a fit ended, and how good the best network was (DL4J's ``EarlyStoppingResult``). Epochs are counted from 1, as in the history."""

    termination_reason: Literal["epoch_termination_condition", "iteration_termination_condition"]
    termination_details: str
    """The condition, as DL4J prints it; ``MaxEpochsTerminationCondition(n)`` for ``fit(epochs=n)``, too."""
    score_vs_epoch: Mapping[int, float]
    """The score of each epoch after which it was calculated."""
    best_model_epoch: int | None
    """None where no score was calculated."""
    best_model_score: float | None
    """The score of that epoch. (DL4J gives the loss of a minibatch.)"""
    total_epochs: int
    """Epochs that were finished."""
    best_model: "Network[Any] | None" = field(repr=False)
    """A copy of the network after ``best_model_epoch``; None where no score was calculated."""
    latest_model: "Network[Any] | None" = field(repr=False)
    """A copy of the network as it was saved last, with ``save_last_model``; else None."""

    @classmethod
    def of(cls, result: Mapping[str, Any], model: "Callable[[str], Network[Any] | None]") -> "EarlyStoppingResult":
        """From what a job that trained says at its end; ``model`` gives the ``"best"`` and the ``"latest"`` network."""
        best_score = result.get("best_model_score")
        return cls(
            termination_reason=_REASONS[result["termination_reason"]],
            termination_details=result["termination_details"],
            score_vs_epoch={int(epoch): float(score) for epoch, score in result["score_vs_epoch"].items()},
            best_model_epoch=result.get("best_model_epoch"),
            best_model_score=None if best_score is None else float(best_score),  # JSON has NaN as text
            total_epochs=result["total_epochs"],
            best_model=model("best"),
            latest_model=model("latest"),
        )


def last_epoch(conf: EarlyStoppingConfiguration | None, *, epochs: int | None, validation: object) -> int | None:
    """The epoch after which a fit ends in any case; None where only ``conf`` ends it.

    Raises:
        ConfigError: no early stopping configuration, no conditions and no number of epochs, or no validation data to score.
    """
    if conf is not None:
        _check(conf, epochs=epochs, validation=validation)
    elif epochs is None:
        return 1
    return None if epochs is None else arrays.epochs(epochs)


def _check(conf: object, *, epochs: int | None, validation: object) -> None:
    if not isinstance(conf, EarlyStoppingConfiguration):
        kind = conf.__name__ if isinstance(conf, type) else type(conf).__name__
        raise ConfigError(
            f"early_stopping must be an EarlyStoppingConfiguration of pydl4j.earlystopping. Received: {kind}",
            path="early_stopping",
        )
    if epochs is None and not (conf.epoch_termination_conditions or conf.iteration_termination_conditions):
        raise ConfigError(
            "early_stopping has no termination conditions, so training would never end. Give it epoch_termination_conditions or "
            "iteration_termination_conditions, or fit a number of epochs",
            path="early_stopping",
        )
    if conf.score_calculator is not None and validation is None:
        raise ConfigError(
            f"early_stopping.score_calculator ({type(conf.score_calculator).__name__}) needs data to calculate a score on: "
            "fit(..., validation=(features, labels)). Where only iteration_termination_conditions end the training, "
            "score_calculator=None does without",
            path="validation",
        )


def check_calculator(conf: EarlyStoppingConfiguration | None, net: Interface) -> None:
    """Refuse a score calculator that looks at one input and one output, for a graph with more.

    Raises:
        ConfigError: it has more.
    """
    calculator = None if conf is None else conf.score_calculator
    if calculator is None or isinstance(calculator, DataSetLossCalculator):
        return
    what = "outputs" if len(net.outputs) > 1 else "inputs"
    if len(net.outputs) > 1 or (len(net.inputs) > 1 and not isinstance(calculator, _EVALUATE)):
        raise ConfigError(
            f"early_stopping.score_calculator ({type(calculator).__name__}) looks at one of the {what}, and the graph has several. "
            "DataSetLossCalculator scores all of them",
            path="early_stopping.score_calculator",
        )


def most_epochs(conf: EarlyStoppingConfiguration | None, epochs: int | None) -> int | None:
    """How many epochs there can be, None where only what happens decides on it."""
    if conf is None:
        return epochs
    limits = [c.max_epochs for c in conf.epoch_termination_conditions if isinstance(c, MaxEpochsTerminationCondition)]
    return min([epochs, *limits] if epochs else limits, default=None)


@contextmanager
def described(
    conf: EarlyStoppingConfiguration | None, normalizer: "Normalizer | None", dtype: str
) -> "Iterator[dict[str, Any] | None]":
    """``conf`` for the bridge, which reads it at once: savers get an absolute directory that exists, and the normalizer in a file.

    ``dtype`` is that of the network's parameters.
    """
    if conf is None:
        yield None
        return
    tree = conf.to_tree()
    if not isinstance(conf.model_saver, LocalFileModelSaver):
        yield tree
        return
    directory = Path(conf.model_saver.directory).absolute()
    directory.mkdir(parents=True, exist_ok=True)
    tree["modelSaver"]["directory"] = str(directory)
    if normalizer is None:
        yield tree
        return
    with tempfile.TemporaryDirectory() as temporary:
        file = Path(temporary) / "normalizer.bin"
        file.write_bytes(normalizer.to_bytes(np.result_type(dtype, np.float32)))
        yield tree | {"modelSaver": tree["modelSaver"] | {"normalizer": str(file)}}
